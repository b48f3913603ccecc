import JSONLines

/// A clean event, or what the user of this device wants.
public enum MeshEvent: Hashable, Sendable {
  /// What only the host can do.
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
  /// Takes a song out of the queue.
  case remove(songID: String)
}

extension MeshEvent {
  /// Reads an event line, as ``MeshEventFilter`` writes it, or a command.
  package init(parsing line: Span<UInt8>) throws(MeshError) {
    let value = try JSONValue(meshLine: line)
    self = value["command"] == nil ? try Self.event(value) : try Self.command(value)
  }

  private static func event(_ value: JSONValue) throws(MeshError) -> MeshEvent {
    let name = try value.meshString("event")
    switch name {
    case "peerDiscovered": return .discovered(try peer("peer", of: value))
    case "peerLost": return .lost(try peer("peer", of: value))
    case "peerConnected": return .connected(try peer("peer", of: value))
    case "peerDisconnected": return .disconnected(try peer("peer", of: value))
    case "startFailed":
      return .startFailed(role: try value.meshString("role"), reason: try value.meshString("reason"))
    case "messageReceived":
      guard let message = value["message"] else { throw .missingMember("message") }
      let sender = try peer("from", of: value)
      do throws(MeshError) {
        return .message(try MeshMessage(message), from: sender)
      } catch {
        guard case .notAMeshMessage(_, let reason) = error else { throw error }
        throw .notAMeshMessage(from: sender.name, reason)
      }
    default: throw .unknownValue("event", name)
    }
  }

  private static func command(_ value: JSONValue) throws(MeshError) -> MeshEvent {
    let name = try value.meshString("command")
    switch name {
    case "vote": return .own(.vote(songID: try value.meshString("songID")))
    case "remove": return .remove(songID: try value.meshString("songID"))
    case "suggest":
      guard let song = value["song"] else { throw .missingMember("song") }
      return .own(.suggestSong(try MeshSong(checking: song)))
    default:
      guard let control = Control(rawValue: name) else { throw .unknownValue("command", name) }
      return .control(control)
    }
  }

  private static func peer(_ name: String, of value: JSONValue) throws(MeshError) -> MeshPeer {
    guard let member = value[name] else { throw .missingMember(name) }
    try member.requireSinglePeer()
    guard let peer = MeshPeer(member) else {
      throw .wrongType(name, expected: "a peer, an object with 'id' and 'name'")
    }
    return peer
  }
}
