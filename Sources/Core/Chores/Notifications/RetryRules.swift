package import SyncCore

/// How long to wait before a push is sent again.
package struct RetryRules: Sendable {
  package var first = Duration.seconds(1)
  /// Twice as long each time, up to this.
  package static let longest = Duration.seconds(900)
  /// In seconds: a push service that asks for more is asked again after a day.
  package static let longestWish = 86_400

  package init() {}

  /// The wait after so many attempts; the push service's own wish of up to a day comes first where it is longer.
  ///
  /// Pushes that failed together do not come back together: up to half of the wait follows from the id.
  package func wait(after attempts: Int, of id: UUIDValue, atLeast seconds: Int) -> Duration {
    let doubled = first * (1 << min(max(attempts, 1) - 1, 20))
    let full = min(doubled, Self.longest)
    let spread = full / 2 * Double(id.low & 0xFFFF) / 65_536
    return max(full / 2 + spread, .seconds(min(seconds, Self.longestWish)))
  }
}
