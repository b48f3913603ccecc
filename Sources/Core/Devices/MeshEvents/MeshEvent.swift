package import JSONLines

/// An event, or a request of this device's user.
public enum MeshEvent: Hashable, Sendable {
  /// The controls that only the host has.
  public enum Control: String, Hashable, Sendable, CaseIterable {
    case play, pause, next
  }

  case discovered(MeshPeer)
  case lost(MeshPeer)
  case connected(MeshPeer)
  case disconnected(MeshPeer)
  case startFailed(role: String, reason: String)
  case message(MeshMessage, from: MeshPeer)
  /// The user of this device votes or suggests.
  case own(MeshIntent)
  case control(Control)
  /// Removes a song from the queue.
  case remove(songID: String)
}

extension MeshEvent {
  /// Reads an event line, as ``MeshEventFilter`` writes it, or a command.
  package init(parsing line: Span<UInt8>) throws(MeshError) {
    let line = try Members<MeshError>(parsing: line, refusing: .repeated)
    self = try line["command"] == nil ? try Self.event(line) : try Self.command(line)
  }

  private static func event(_ line: Members<MeshError>) throws(MeshError) -> MeshEvent {
    let name = try line.string("event")
    switch name {
    case "peerDiscovered": return .discovered(try peer("peer", of: line))
    case "peerLost": return .lost(try peer("peer", of: line))
    case "peerConnected": return .connected(try peer("peer", of: line))
    case "peerDisconnected": return .disconnected(try peer("peer", of: line))
    case "startFailed":
      return .startFailed(role: try line.string("role"), reason: try line.string("reason"))
    case "messageReceived":
      let message = try line.require("message")
      let sender = try peer("from", of: line)
      do throws(MeshError) {
        return .message(try MeshMessage(message), from: sender)
      } catch {
        guard case .notAMeshMessage(_, let reason) = error else { throw error }
        throw .notAMeshMessage(from: sender.name, reason)
      }
    default: throw .unknownValue("event", name)
    }
  }

  private static func command(_ line: Members<MeshError>) throws(MeshError) -> MeshEvent {
    let name = try line.string("command")
    switch name {
    case "vote": return .own(.vote(songID: try line.string("songID")))
    case "remove": return .remove(songID: try line.string("songID"))
    case "suggest":
      return .own(.suggestSong(try MeshSong(checking: try line.require("song"))))
    default:
      guard let control = Control(rawValue: name) else { throw .unknownValue("command", name) }
      return .control(control)
    }
  }

  private static func peer(_ name: String, of line: Members<MeshError>) throws(MeshError) -> MeshPeer {
    let peer = Members<MeshError>(try line.require(name).objectValue ?? [], at: [name])
    guard let id = try peer["id"]?.stringValue, let text = try peer.peerName() else {
      throw .wrongType(name, expected: "a peer, an object with 'id' and 'name'")
    }
    guard !id.isEmpty else { throw .emptyID }
    return MeshPeer(id: id, name: text)
  }
}

/// A peer in the mesh: an id that distinguishes peers, and a name that people read.
public struct MeshPeer: Hashable, Sendable {
  /// The id, which stays the same in every session and differs between peers.
  public var id: String

  /// The name, which does not identify the device: two devices may have the same name.
  public var name: String

  /// A peer of that id and name.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  /// Whether both have the same name, and the same id byte for byte.
  public static func == (a: MeshPeer, b: MeshPeer) -> Bool { a.hasID(b.id) && a.name == b.name }

  /// Whether this is the peer's id, byte for byte; a string also equals other spellings of its characters.
  func hasID(_ other: String) -> Bool { id.utf8.elementsEqual(other.utf8) }
}

extension MeshPeer {
  package init?(_ value: JSONValue) {
    guard let id = value["id"]?.stringValue,
      let name = (value["name"] ?? value["displayName"])?.stringValue
    else { return nil }
    self.init(id: id, name: name)
  }

  package var json: JSONValue { ["id": .string(id), "name": .string(name)] }
}

extension Members<MeshError> {
  /// The name of a peer, which callbacks and apps call `displayName`; nil if it does not exist.
  func peerName() throws(MeshError) -> String? {
    let (name, displayName) = (try optionalString("name"), try optionalString("displayName"))
    if name != nil, displayName != nil { throw .severalNames }
    return name ?? displayName
  }
}

/// Writes event lines.
enum MeshEventText {
  /// `peer` is JSON; `at` is the raw value of the time, empty if it does not exist.
  static func append(_ event: String, _ peer: [UInt8], _ at: Span<UInt8>, to output: inout [UInt8]) {
    output += "{\"event\":\"\(event)\",\"peer\":".utf8
    output += peer
    close(at, &output)
  }

  static func appendFailure(role: String, reason: String, _ at: Span<UInt8>, to output: inout [UInt8]) {
    output += "{\"event\":\"startFailed\",\"role\":".utf8
    JSONString.appendQuoted(role, to: &output)
    output += ",\"reason\":".utf8
    JSONString.appendQuoted(reason, to: &output)
    close(at, &output)
  }

  /// The beginning of a message's line, for a peer given as JSON.
  static func opening(of peer: [UInt8]) -> [UInt8] {
    Array("{\"event\":\"messageReceived\",\"from\":".utf8) + peer + Array(",\"message\":".utf8)
  }

  static func appendMessage(
    _ text: Span<UInt8>, after opening: [UInt8], _ at: Span<UInt8>, to output: inout [UInt8]
  ) {
    // Reserves capacity only once, because most of the output is written here.
    output.append(addingCapacity: opening.count + text.count + time.count + at.count + 2) { room in
      room.append(opening.span)
      room.append(text)
      close(at, &room)
    }
  }

  private static let time = Array(",\"at\":".utf8)

  private static func close(_ at: Span<UInt8>, _ output: inout [UInt8]) {
    output.append(addingCapacity: time.count + at.count + 2) { room in close(at, &room) }
  }

  @inline(__always)
  private static func close(_ at: Span<UInt8>, _ room: inout OutputSpan<UInt8>) {
    if !at.isEmpty {
      room.append(time.span)
      room.append(at)
    }
    room.append(UInt8(ascii: "}"))
    room.append(10)
  }
}

extension Span<UInt8> {
  var copied: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self)
    return bytes
  }
}
