import SyncCore
import TestSupport
import Testing

/// One session of Tests/Vectors/session.json: two stores, and all that is sent and written until it ends.
struct SessionVector: Decodable, Sendable, CustomTestStringConvertible {
  /// A device; the first of a session makes the connection.
  struct Side: Decodable, Sendable {
    var peerId: String
    var deviceName: String
    /// What every random byte of its store is, as two hex digits: its id and the marks of its commits.
    var randomByte: String
    var before: State
    var after: State
  }

  /// What a store holds.
  struct State: Decodable, Equatable, Sendable {
    /// All its rules as canonical JSON; nil as long as it has none.
    var rules: String?
    /// Change lines in the order of their sequences.
    var changes: [String]
    /// The token up to which it has read the other store.
    var checkpoint: String?
    /// The token up to which the other side has read it.
    var acknowledged: String?
  }

  /// A message that a device sends, or a change that is made on it meanwhile.
  struct Step: Decodable, Sendable {
    var by: String
    var means: String
    var message: String?
    /// In hex.
    var frame: String?
    var change: String?
  }

  var name: String
  var sides: [Side]
  var steps: [Step]

  var testDescription: String { name }

  static let all: [SessionVector] = VectorFile.load("session")

  /// What is sent by one side, in order.
  func messages(by side: Side) -> [Step] {
    steps.filter { $0.by == side.deviceName && $0.frame != nil }
  }
}
