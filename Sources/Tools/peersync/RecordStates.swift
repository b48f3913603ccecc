import CommandLine
import JSONLines
import Links
import Pairing
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import ToolInputs

extension PeersyncTool {
  /// Asks peers and remotes what they have; changes nothing.
  ///
  /// Peers of version 1 cannot be asked: they would take the question for a session.
  static func check(
    _ records: [TrustRecord], _ remotes: [RemoteRecord], _ settings: Settings, _ console: Console
  ) throws -> (reports: [SessionReport], status: ExitStatus?) {
    var settings = settings
    (settings.isDryRun, settings.store.maxDelete) = (true, .off)
    let askable = records.filter { $0.version == .two }
    for record in records where record.version != .two {
      console.note("'\(record.deviceName.escapingControls)': protocol 1 has no question that changes nothing")
    }
    if askable.isEmpty, remotes.isEmpty { return ([], nil) }
    let work = try work(remotes, settings, settings.sessions(), Device(creating: false))
    return try work.look(askable, on: console)
  }
}

/// How each record stands with peers and remotes.
struct RecordStates {
  private let store: ChangeStore?
  /// What a look at each has found; nil where nobody was asked.
  private let reports: [SessionReport]?

  init(_ store: ChangeStore?, _ reports: [SessionReport]?) { (self.store, self.reports) = (store, reports) }

  /// Nil of one that has not answered.
  private func differences(_ id: String) -> Differences? {
    reports?.first { PeerID.areSame($0.peer.peerId, id) && $0.trouble == nil }?.differences
  }

  func count(_ id: String) throws -> (pendingPull: Int, conflicts: Int)? {
    guard let differences = differences(id) else { return nil }
    let store = try store ?? ChangeStore(inMemory: SystemRandomNumberGenerator())
    return try store.count(differences, for: store.knownPeer(orNil: id))
  }

  /// Writes a line for each record; `who` says with whom.
  func write(_ id: String, _ who: JSONMember) throws {
    let store = try store ?? ChangeStore(inMemory: SystemRandomNumberGenerator())
    var output = ByteOutput.standardOutput
    try store.forEachState(for: store.knownPeer(orNil: id), differences(id) ?? Differences()) {
      key, state, isDeleted in
      var members = [who, JSONMember("state", .string(state.rawValue))]
      if isDeleted { members.append(JSONMember("deleted", .bool(true))) }
      try output.write(Array(#"{"key":"#.utf8))
      try output.write(key)
      try output.write(Array(",\(JSONValue.object(members).text.dropFirst())\n".utf8))
    }
    try output.flush()
  }
}
