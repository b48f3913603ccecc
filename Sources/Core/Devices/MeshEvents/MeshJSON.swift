import JSONLines
public import SyncCore

/// The JSON of messages and events, in both directions; docs/formats/mesh.md describes it.
extension MeshMessage {
  /// Reads the data of a message in the form that peers send: one JSON text, UTF-8.
  ///
  /// - Throws: `notAMeshMessage`.
  public init(data: [UInt8]) throws(SyncError) {
    self = try SyncError.of(MeshError.self) { () throws(MeshError) in try MeshMessage(parsing: data.span) }
  }

  /// The data to send, in a form that the first apps read too.
  public var data: [UInt8] { Array(json.text.utf8) }
}

extension MeshEvent {
  /// Reads an event line of `meshevents`, or a command.
  ///
  /// - Throws: `unknownValue`, `missingMember`, `wrongType`, `notAMeshMessage`, or the code of invalid JSON.
  public init(line: [UInt8]) throws(SyncError) {
    self = try SyncError.of(MeshError.self) { () throws(MeshError) in try MeshEvent(parsing: line.span) }
  }

  /// The event or command as a JSON object, which ``init(line:)`` reads.
  public var line: [UInt8] { Array(json.text.utf8) }

  private var json: JSONValue {
    switch self {
    case .discovered(let peer): ["event": "peerDiscovered", "peer": peer.json]
    case .lost(let peer): ["event": "peerLost", "peer": peer.json]
    case .connected(let peer): ["event": "peerConnected", "peer": peer.json]
    case .disconnected(let peer): ["event": "peerDisconnected", "peer": peer.json]
    case .startFailed(let role, let reason):
      ["event": "startFailed", "role": .string(role), "reason": .string(reason)]
    case .message(let message, let peer):
      ["event": "messageReceived", "from": peer.json, "message": message.json]
    case .own(.vote(let songID)): ["command": "vote", "songID": .string(songID)]
    case .own(.suggestSong(let song)): ["command": "suggest", "song": song.json]
    case .control(let control): ["command": .string(control.rawValue)]
    case .remove(let songID): ["command": "remove", "songID": .string(songID)]
    }
  }
}

extension MeshPeer: Codable {
  private enum CodingKeys: String, CodingKey { case id, name, displayName }

  /// Reads `id` and `name`, which the first apps call `displayName`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    name =
      try values.decodeIfPresent(String.self, forKey: .name)
      ?? values.decode(String.self, forKey: .displayName)
  }

  /// Writes `id` and `name`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
  }
}

/// Converts the callbacks of a multipeer session to one stream of events.
///
/// The events never contain handles of the session: a peer keeps its id whatever its display name, even in
/// the next session. The lines are those of `meshevents events`; docs/formats/mesh.md describes them.
public struct MeshEvents: Sendable {
  /// An item of the stream.
  public enum Item: Equatable, Sendable {
    case event(MeshEvent)
    /// Data from a peer, or from the system, that is not used.
    case problem(SyncError)
  }

  private var filter: MeshEventFilter

  /// `idName` is the member of the discovery info that has a peer's id.
  public init(idName: String = "id") { filter = MeshEventFilter(idName: idName) }

  /// The items for a callback line, in order; a message of a peer that is not connected yet waits.
  public mutating func items(of line: [UInt8]) -> [Item] {
    var output: [UInt8] = []
    var problem: MeshError?
    do throws(MeshError) { try filter.handle(line.span, into: &output) } catch { problem = error }
    let events = output.split(separator: 10).map { line -> Item in
      do throws(SyncError) { return .event(try MeshEvent(line: Array(line))) } catch {
        return .problem(error)
      }
    }
    return events + (problem.map { [.problem(SyncError($0))] } ?? [])
  }

  /// The messages that still waited when the session ended.
  public mutating func finish() -> [Item] { filter.finish().map { .problem(SyncError($0)) } }
}
