import SystemIO

/// Queries of which a host with both address families sends a copy over each (RFC 6762 §20).
///
/// What is multicast goes out over both as well, so that the first copy brings all that the second could. Answered by
/// itself, the second would bring each record that is ours alone once more, a second later.
struct QueryCopies: Sendable {
  private struct Copy: Sendable {
    var query: DNSMessage
    var isV6: Bool
    var arrival: Duration
  }

  private var copies: [Copy] = []
  /// The copies leave together.
  private static let longestGap = Duration.milliseconds(500)
  /// A flood of queries is answered twice.
  private static let limit = 16

  init() {}

  /// When the copy came that was sent over the other family; nil where there was none, and this may be the first.
  mutating func arrival(ofCopy query: DNSMessage, from address: IPAddress, at now: Duration) -> Duration? {
    let isV6 = if case .v6 = address { true } else { false }
    copies.removeAll { now - $0.arrival > Self.longestGap }
    if let copy = copies.first(where: { $0.isV6 != isV6 && $0.query == query }) { return copy.arrival }
    if copies.count < Self.limit { copies.append(Copy(query: query, isV6: isV6, arrival: now)) }
    return nil
  }
}
