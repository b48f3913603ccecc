/// Keeps lines out of a merge whose clock is so far ahead that they would win against everything for ever.
package struct DriftGuard: Sendable {
  /// How far ahead of now a clock may be, unless a person says otherwise.
  package static let usual = Duration.seconds(300)

  /// The latest clock that is let through; nil lets all through.
  package let latest: Instant?

  /// The latest clock that is let through is `now` and `maximum`; nil lets all through.
  package init(now: Instant, maximum: Duration?) {
    latest = maximum.map { now.advanced(by: $0) }
  }

  package func admits(_ line: ChangeLine) -> Bool {
    guard let latest, let clock = line.clock else { return true }
    return clock <= latest
  }
}
