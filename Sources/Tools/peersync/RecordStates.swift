import CommandLine
import JSONLines
import Links
import Pairing
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

extension PeersyncTool {
  /// Requests the state of peers and remotes without changing it.
  ///
  /// Peers of version 1 are skipped: they would treat the request as a session.
  static func check(
    _ records: [TrustRecord], _ remotes: [RemoteRecord], _ settings: Settings, _ console: Console,
    telling: Bool = true
  ) throws -> (reports: [SessionReport], status: ExitStatus?) {
    var settings = settings
    (settings.isDryRun, settings.store.maxDelete) = (true, .off)
    let askable = records.filter { $0.version == .two }
    for record in records where record.version != .two {
      console.note(
        "'\(record.deviceName.escapingControls)': skipped, because protocol 1 cannot check without syncing")
    }
    if askable.isEmpty, remotes.isEmpty { return ([], nil) }
    let work = try work(remotes, settings, settings.sessions(on: console), Device(creating: false))
    return try work.look(askable, on: console, telling: telling)
  }
}

/// The state of each record with peers and remotes.
struct RecordStates {
  private let store: ChangeStore?
  /// The report of each checked remote; nil without a check.
  private let reports: [SessionReport]?

  init(_ store: ChangeStore?, _ reports: [SessionReport]?) { (self.store, self.reports) = (store, reports) }

  /// The report of a peer or remote; nil if it has not answered.
  private func report(_ id: String) -> SessionReport? {
    reports?.first { PeerID.areSame($0.peer.peerId, id) && $0.trouble == nil }
  }

  /// Adds the findings of a check.
  func complete(_ status: inout PeerStatus, of id: String) throws {
    guard let report = report(id) else { return }
    let store = try store ?? ChangeStore(inMemory: SystemRandomNumberGenerator())
    let peer = try store.knownPeer(orNil: id)
    status.found = try store.count(report.differences, for: peer, held: report.held)
    status.awaited = report.awaited
    if let held = report.held { status.pending = try store.pending(for: peer, held: held) }
  }

  /// Writes a line for each record, with `who` naming the peer; with `entity`, only its records.
  func write(_ id: String, _ who: JSONMember, of entity: String? = nil) throws {
    let store = try store ?? ChangeStore(inMemory: SystemRandomNumberGenerator())
    var output = ByteOutput.standardOutput
    let report = report(id)
    try store.forEachState(
      for: store.knownPeer(orNil: id), report?.differences ?? Differences(), held: report?.held
    ) { key, state, isDeleted in
      if let entity, !Key.entity(of: key).utf8.elementsEqual(entity.utf8) { return }
      var members = [who, JSONMember("state", .string(state.rawValue))]
      if reports != nil, report == nil { members.append(JSONMember("checked", .bool(false))) }
      if isDeleted { members.append(JSONMember("deleted", .bool(true))) }
      try output.write(Array(#"{"key":"#.utf8))
      try output.write(key)
      try output.write(Array(",\(JSONValue.object(members).text.dropFirst())\n".utf8))
    }
    try output.flush()
  }
}
