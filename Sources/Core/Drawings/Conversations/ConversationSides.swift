import JSONLines
import SyncCore

/// Finds the side that sent a message; the first sender is on the left.
struct ConversationSides: Sendable {
  enum Side: Int, Sendable {
    case left, right

    var other: Side { self == .left ? .right : .left }
  }

  /// The facts about a sender before its message is read.
  struct Sender {
    /// The name of the file that contains the message, or the address of its sender.
    var name: String?
    /// The address of the receiver.
    var receiver: String?
    var peer: String?
  }

  /// For each side: a name or an address, and the peer's name for itself.
  private(set) var names: [String?] = [nil, nil]
  private(set) var peers: [String?] = [nil, nil]
  private var last = Side.right

  /// The peer's id is used only if a name and an address are missing, as an error message does not contain an
  /// id.
  mutating func side(of sender: Sender) -> Side {
    let side =
      if let name = sender.name {
        place(name, &names) { $0 == $1 }
      } else if let peer = sender.peer {
        place(peer, &peers, PeerID.areSame)
      } else {
        last.other
      }
    if names[side.other.rawValue] == nil { names[side.other.rawValue] = sender.receiver }
    if peers[side.rawValue] == nil { peers[side.rawValue] = sender.peer }
    last = side
    return side
  }

  /// A third peer is placed on the side from which it answers.
  private func place(
    _ word: String, _ words: inout [String?], _ areSame: (String, String) -> Bool
  ) -> Side {
    for side in [Side.left, .right] {
      guard let known = words[side.rawValue] else {
        words[side.rawValue] = word
        return side
      }
      if areSame(known, word) { return side }
    }
    return last.other
  }

  /// The lines above a side: at least one.
  func head(of side: Side) -> [String] {
    let lines = [names[side.rawValue], peers[side.rawValue]].compactMap { $0?.shown }
    return lines.isEmpty ? [side == .left ? "one side" : "the other side"] : lines
  }
}
