/// A version of the peer protocol.
package enum ProtocolVersion: Int, Sendable, CaseIterable {
  /// The wire of the first apps: a delta in one answer, no proof of who speaks.
  case one = 1
  /// Change lines in pages, replies that name what they answer.
  case two = 2
}
