import CommandLineTool
package import SyncCore
import Transport
package import Trust

/// Writes down what sessions have come to: beside the trust, and in the file of transfers.
package struct TransferBook: Sendable {
  private let trust: TrustStore
  package let transfers: TransferFile

  package init(_ trust: TrustStore, _ transfers: TransferFile) {
    (self.trust, self.transfers) = (trust, transfers)
  }

  /// Where a peer was last reached.
  package func address(of id: String) throws -> String? {
    try Diagnostic.wrapping { try transfers.load().record(of: id).address }
  }

  /// Notes a session; `address` is where the peer can be reached again, nil where it came by itself.
  ///
  /// Of a peer that has been forgotten meanwhile nothing is noted any more.
  package func note(_ report: SessionReport, address: String?, now: Instant) throws {
    try Diagnostic.wrapping {
      guard try trust.load().record(of: report.peer.peerId) != nil else { return }
      try transfers.change { list in
        var record = list.record(of: report.peer.peerId)
        record.lastRunAt = now
        if report.isChanged { record.lastTransferAt = now }
        record.bytesReceived += report.bytesReceived
        record.bytesSent += report.bytesSent
        if let trouble = report.trouble {
          record.note(trouble.code.rawValue, trouble.text, now: now)
        } else {
          record.trouble = nil
          record.address = address ?? record.address
        }
        list.store(record)
      }
      guard report.trouble == nil else { return }
      try trust.change { list throws(TrustError) in
        guard var record = list.record(of: report.peer.peerId) else { return }
        record.lastSuccessfulSyncAt = now
        list.store(record)
      }
    }
  }
}
