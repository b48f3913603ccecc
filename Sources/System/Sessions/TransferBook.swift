import JSONLines
import CommandLine
import Crypto
package import Links
import Pairing
package import SyncCore

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
  /// Of a peer that has been forgotten meanwhile nothing is noted any more. `patience` is how long to wait for another
  /// process that has one of the files; where it does not end, `storeBusy` is thrown, and the same can be noted again.
  package func note(
    _ report: SessionReport, address: String?, now: Instant, patience: Duration = .seconds(10)
  ) throws {
    try Diagnostic.wrapping {
      guard try trust.load().record(of: report.peer.peerId) != nil else { return }
      // Before what is added up, so that it can be done again.
      if report.trouble == nil { try noteSuccess(with: report.peer.peerId, now, patience) }
      try transfers.change(patience: patience) { list in
        var record = list.record(of: report.peer.peerId)
        record.lastRunAt = now
        if report.isChanged { record.lastTransferAt = now }
        record.bytesReceived += report.bytesReceived
        record.bytesSent += report.bytesSent
        if let trouble = report.trouble {
          record.note(trouble.code, trouble.text, now: now)
        } else {
          record.trouble = nil
          record.address = address ?? record.address
        }
        list.store(record)
      }
    }
  }

  private func noteSuccess(with id: String, _ now: Instant, _ patience: Duration) throws(TrustError) {
    try trust.change(patience: patience) { list throws(TrustError) in
      guard var record = list.record(of: id) else { return }
      record.lastSuccessfulSyncAt = now
      list.store(record)
    }
  }
}
