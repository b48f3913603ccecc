/// The settings of one side of a dialogue.
package struct DialogueSettings: Equatable, Sendable {
  package enum Role: Equatable, Sendable {
    /// Has made the connection, and has the first turn.
    case connector(Direction)
    case acceptor
  }

  /// Which way changes go, seen from the connector.
  package enum Direction: String, Sendable, CaseIterable { case pull, push, both }

  package var role: Role
  package var version: ProtocolVersion
  package var ownId: String
  package var ownName: String
  /// The id of the pinned peer: whoever says another one is not trusted.
  package var peerId: String
  /// The rules that the other side has to agree with; nil as long as the store has none, and in version 1.
  package var shared: SharedRules?
  /// Records that name no entity may come to those that name theirs.
  package var mixesEntities = false
  /// Answers may come in frames whose payload is deflated.
  package var inflates = false
  /// The size of a page in bytes.
  package var pageLimit = Self.usualPage
  package static let usualPage = 4 << 20
  /// The longest message that is read, in bytes, by default.
  package static let longestMessage = 16 << 20
  /// For a connector that follows: how long a request may wait for a change, in seconds; 0 ends when all is read.
  package var waitSeconds = 0
  /// Version 1: how long a connector that has read everything waits for a request of the other side, in seconds.
  package var lingerSeconds = 0
  /// Version 1: an acceptor that has been read asks too.
  package var asksBack = false
  /// For a connector that only reads: nothing is kept, and so nothing is acknowledged.
  package var isTrial = false

  /// Nil if version 1 is only to push, which it cannot: nothing makes the other side ask.
  package init?(
    role: Role, version: ProtocolVersion, ownId: String, ownName: String, peerId: String,
    shared: SharedRules? = nil
  ) {
    if version == .one, role == .connector(.push) { return nil }
    self.role = role
    self.version = version
    self.ownId = ownId
    self.ownName = ownName
    self.peerId = peerId
    self.shared = version == .two ? shared : nil
  }

  /// How long the whole session may take; nil for as long as it likes.
  ///
  /// A run has to end, whatever comes: the next one takes up what this one has not read.
  package var longestSession: Duration? { !isConnector || waitSeconds > 0 ? nil : .seconds(3_600) }

  var isConnector: Bool { role != .acceptor }
  /// Whether this side may ask; an acceptor asks when it is its turn.
  var mayPull: Bool { role != .connector(.push) }
  /// Version 1: whether a request of the other side is answered; the other one cannot be told that it is not.
  var answers: Bool { role != .connector(.pull) }
  /// Whether this side gives the turn away when it has read everything.
  var mayHandOver: Bool { version == .two && role != .connector(.pull) }
  var follows: Bool { isConnector && version == .two && waitSeconds > 0 }
}
