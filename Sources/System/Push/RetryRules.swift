package import SyncCore

/// The rules for the wait before a push is sent again.
package struct RetryRules: Sendable {
  package var first = Duration.seconds(1)
  /// Each wait is twice as long as the previous one, up to this limit.
  package static let longest = Duration.seconds(900)
  /// The longest wait that the service can request, in seconds: after a longer request, the push is retried
  /// after a day.
  package static let longestWish = 86_400

  package init() {}

  /// The wait after this many attempts, or the service's requested time of up to a day if that is longer.
  ///
  /// Pushes that failed together are not retried together: up to half of the wait is derived from the id.
  package func wait(after attempts: Int, of id: UUIDValue, atLeast seconds: Int) -> Duration {
    let doubled = min(first, Self.longest) * (1 << min(max(attempts, 1) - 1, 20))
    let full = min(doubled, Self.longest)
    let spread = full / 2 * Double(id.low & 0xFFFF) / 65_536
    return max(full / 2 + spread, .seconds(min(seconds, Self.longestWish)))
  }
}
