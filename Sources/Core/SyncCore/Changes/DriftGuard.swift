/// Keeps lines out of a merge if their clocks are so far ahead that they would always win.
package struct DriftGuard: Sendable {
  /// How far ahead of now a clock may be, by default.
  package static let `default` = Duration.seconds(300)

  /// The latest accepted clock; nil accepts all clocks.
  package let latest: Instant?

  /// The latest accepted clock is `now` plus `maximum`; nil accepts all clocks.
  package init(now: Instant, maximum: Duration?) {
    latest = maximum.map { now.advanced(by: $0) }
  }

  package func admits(_ line: ChangeLine) -> Bool {
    guard let latest, let clock = line.clock else { return true }
    return clock <= latest
  }
}
