/// The settings of one side of a dialogue.
package struct DialogueSettings: Equatable, Sendable {
  package enum Role: Equatable, Sendable {
    /// The side that made the connection and has the first turn.
    case connector(Direction)
    case acceptor
  }

  /// The direction of changes, as seen from the connector.
  package enum Direction: String, Sendable, CaseIterable { case pull, push, both }

  package var role: Role
  package var version: ProtocolVersion
  package var ownId: String
  package var ownName: String
  /// The id of the pinned peer; a message with another id is not trusted.
  package var peerId: String
  /// The rules on which the other side must agree; nil if the store does not have rules, and in version 1.
  package var shared: SharedRules?
  /// Whether records without an entity may be mixed with records that name theirs.
  package var mixesEntities = false
  /// Whether answers may be frames with a deflated payload.
  package var inflates = false
  /// The size of a page in bytes.
  package var pageLimit = Self.defaultPage
  package static let defaultPage = 4 << 20
  /// The page size of a loop that serves several peers; while it stores a page, it does not serve the other
  /// peers.
  package static let loopPage = 1 << 20
  /// How many pages of one answer may be sent before the first of them is acknowledged; with 1, each page is
  /// requested.
  package var window = 1
  /// The window of a loop: with pages of `loopPage`, enough for a link of 50 Mbit/s and 100 ms, even if the
  /// pages are deflated to a tenth of their size.
  package static let loopWindow = 4
  /// The longest message that is read, in bytes, by default.
  package static let longestMessage = 16 << 20
  /// For a connector that follows: how long a request may wait for a change, in seconds; with 0 the session
  /// ends when everything is read.
  package var waitSeconds = 0
  /// Version 1: how many seconds a connector that has read everything waits for a request of the other side.
  package var lingerSeconds = 0
  /// Version 1: whether an acceptor asks too, once the other side has read.
  package var asksBack = false
  /// Whether a connector only reads: it does not store changes and does not acknowledge them.
  package var isDryRun = false

  /// Creates settings; nil for version 1 with `push`, because version 1 cannot make the other side ask.
  package init?(
    role: Role, version: ProtocolVersion, ownId: String, ownName: String, peerId: String,
    shared: SharedRules? = nil
  ) {
    if version == .one, role == .connector(.push) { return nil }
    (self.role, self.version, self.ownId) = (role, version, ownId)
    (self.ownName, self.peerId) = (ownName, peerId)
    self.shared = version == .two ? shared : nil
  }

  /// The maximum duration of a session that does not wait for changes.
  ///
  /// A run must end even if changes keep arriving; the next run reads the rest.
  package static let longestSession = Duration.seconds(3_600)
  /// The maximum duration of this session; nil for unlimited.
  package var longestSession: Duration? { !isConnector || waitSeconds > 0 ? nil : Self.longestSession }

  var isConnector: Bool { role != .acceptor }
  /// Whether this side may ask; an acceptor asks when it is its turn.
  var mayPull: Bool { role != .connector(.push) }
  /// Version 1: whether a request of the other side is answered; version 1 does not have a message for a
  /// refusal.
  var answers: Bool { role != .connector(.pull) }
  /// Whether this side passes the turn when it has read everything.
  var mayHandOver: Bool { version == .two && role != .connector(.pull) }
  var follows: Bool { isConnector && version == .two && waitSeconds > 0 }
}
