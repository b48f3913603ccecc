/// Says that a page is applied, hands over the turn, or both.
package struct SyncAck: Equatable, Sendable {
  package var peerId: String
  /// The token of the page; empty acknowledges nothing.
  package var token: [UInt8]
  /// The other side may ask now; version 2.
  package var yourTurn: Bool
  /// How many changes of the page could not be applied and are kept in quarantine; version 2.
  package var quarantined = 0

  /// More than any page has; what is above it is no number of changes.
  static let mostQuarantined = 1_000_000_000

  package init(peerId: String, token: [UInt8] = [], yourTurn: Bool = false) {
    self.peerId = peerId
    self.token = token
    self.yourTurn = yourTurn
  }
}
