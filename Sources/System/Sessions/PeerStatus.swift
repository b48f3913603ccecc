import Crypto
package import JSONLines
package import Links
package import Pairing
package import Store
package import SyncCore
import SystemIO

/// The state of the exchange with one peer.
package struct PeerStatus {
  private let who: [JSONMember]
  private let transfer: TransferRecord
  /// The number of changes that the peer has not acknowledged; nil without a store.
  package var pending: Int?
  private let quarantined: Int
  /// The number of changes that lost a conflict and that the store keeps, including conflicts without this
  /// peer.
  private let keptConflicts: Int
  /// The counts of a check with the peer; nil without one.
  package var found: (pendingPull: Int, conflicts: Int)?
  package var awaited: [String] = []
  /// The reason why the last run failed, or changes are in quarantine; nil if the exchange continues.
  package let cause: Diagnostic?
  /// Whether the exchange may need help from the user; false for a peer that is absent for a short time.
  package let isStuck: Bool

  /// Makes the status of a peer; `name` is for the command line.
  package init(
    _ record: TrustRecord, _ transfer: TransferRecord, _ store: ChangeStore?, name: String
  ) throws {
    var who = [
      JSONMember("peerId", .string(record.peerId)), JSONMember("deviceName", .string(record.deviceName)),
      JSONMember("protocolVersion", .integer(record.version.rawValue)),
      JSONMember("pairedAt", .string("\(record.pairedAt)")),
    ]
    if let last = record.lastSuccessfulSyncAt {
      who.append(JSONMember("lastSuccessfulSyncAt", .string("\(last)")))
    }
    try self.init(
      id: record.peerId, who, transfer, store, name: name, removal: "peersync forget \(name)")
  }

  /// Makes the status of a peer or another remote; `who` describes it, and `name` is for the command line.
  ///
  /// `removal` is the command that ends the sync with it.
  package init(
    id: String, _ who: [JSONMember], _ transfer: TransferRecord, _ store: ChangeStore?, name: String,
    removal: String
  ) throws {
    (self.who, self.transfer) = (who, transfer)
    let known = try store?.knownPeer(orNil: id)
    pending = try store?.pending(for: known)
    quarantined = try known.flatMap { try store?.quarantineCount(of: $0) } ?? 0
    keptConflicts = try store?.conflictCount().count ?? 0
    isStuck = quarantined > 0 || transfer.isStanding || transfer.isLongAway
    let held = "its changes in quarantine: \(quarantined)"
    let list = "\(Diagnostic.quarantineList(of: store?.path ?? "")) shows them"
    var cause = transfer.trouble.map { Self.cause($0, transfer, name, removal, store?.path) }
    if quarantined > 0 {
      let hint = [cause?.hint.map { "\($0); \(held)" }, list].compactMap(\.self).joined(separator: "; ")
      cause = cause ?? Diagnostic(.quarantined, held)
      cause?.hint = hint
    }
    self.cause = cause
  }

  private static func cause(
    _ trouble: TransferRecord.Trouble, _ transfer: TransferRecord, _ name: String, _ removal: String,
    _ store: String?
  ) -> Diagnostic {
    let times = trouble.runs == 1 ? "the last run" : "\(trouble.runs) runs since \(trouble.since)"
    let standing =
      trouble.runs == trouble.reached
      ? ", and the checkpoint is not moving"
      : ", and \(trouble.reached) runs since the last success reached it"
    let command = { (words: String) in store.map { Diagnostic.command(words, store: $0) } ?? words }
    let retry = "retry with '\(command("peersync run \(name)"))'"
    return Diagnostic(
      trouble.code,
      "\(times) failed\(transfer.isStanding ? standing : ""): \(trouble.message)",
      hint: transfer.isLongAway
        ? "\(retry); if it will not come back: \(command(removal))"
        : "\(retry), which also reports what to do")
  }

  /// One line of the output.
  package var json: JSONValue {
    let values: [(String, JSONValue?)] = [
      ("lastRunAt", transfer.lastRunAt.map { .string("\($0)") }),
      ("lastTransferAt", transfer.lastTransferAt.map { .string("\($0)") }),
      ("address", transfer.address.map { .string($0) }),
      ("bytesReceived", .integer(transfer.bytesReceived)), ("bytesSent", .integer(transfer.bytesSent)),
      ("pending", pending.map { .integer($0) }), ("pendingPull", found.map { .integer($0.pendingPull) }),
      ("conflicts", found.map { .integer($0.conflicts) }), ("quarantined", .integer(quarantined)),
      ("waitingFor", awaited.isEmpty ? nil : .array(awaited.map { .string($0) })),
      ("conflictsKept", keptConflicts > 0 ? .integer(keptConflicts) : nil),
      ("code", cause.map { .string($0.code.rawValue) }), ("message", cause.map { .string($0.message) }),
    ]
    return .object(who + values.compactMap { name, value in value.map { JSONMember(name, $0) } })
  }
}

extension TransferRecord {
  /// After this many runs in a row that reached the peer and failed, the exchange counts as stuck.
  private static let patience = 3
  /// A peer that was not reached for this many seconds may be gone.
  private static let longAbsence: Int64 = 28 * 86_400

  fileprivate var isLongAway: Bool {
    guard let trouble, trouble.isAbsence, let lastRunAt else { return false }
    return lastRunAt.seconds - trouble.since.seconds >= Self.longAbsence
  }

  /// Whether several runs since the last success reached the peer and failed, and the last run has not
  /// exchanged anything.
  fileprivate var isStanding: Bool {
    guard let trouble, trouble.reached >= Self.patience else { return false }
    return lastRunAt == nil || lastTransferAt != lastRunAt
  }
}

extension Peers {
  /// Notes a session; `address` is the peer's address for later calls, nil if the peer connected to us.
  ///
  /// It does nothing if the peer has been forgotten in the meantime. `patience` is the longest wait for
  /// another process that has locked one of the files. After that it throws `storeBusy`, and the call can be
  /// repeated.
  package func note(
    _ report: SessionReport, address: String?, now: Instant, patience: Duration
  ) throws {
    try Diagnostic.wrapping {
      guard try trust.load().record(of: report.peer.peerId) != nil else { return }
      // Do this before the counts are added, so that the call can be repeated.
      if report.trouble == nil { try noteSuccess(with: report.peer.peerId, now, patience) }
      try add(report, address: address, now, patience)
    }
  }

  /// Notes a session with a remote that is not a peer.
  package func note(remote report: SessionReport, now: Instant) throws {
    try Diagnostic.wrapping { try add(report, address: nil, now, .seconds(10)) }
  }

  private func add(
    _ report: SessionReport, address: String?, _ now: Instant, _ patience: Duration
  ) throws(TrustError) {
    try transfers().change(patience: patience) { list throws(TrustError) in
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

  private func noteSuccess(with id: String, _ now: Instant, _ patience: Duration) throws(TrustError) {
    try trust.change(patience: patience) { list throws(TrustError) in
      guard var record = list.record(of: id) else { return }
      record.lastSuccessfulSyncAt = now
      list.store(record)
    }
  }
}
