/// Waits for a store that another process is writing to, without standing still: when it is tried again, and how long.
///
/// Times are of the monotonic clock.
struct StoreTurn {
  private(set) var nextTry = Duration.zero
  private var limit = Duration.zero
  private var interval = Self.shortest
  private static let shortest = Duration.milliseconds(5)
  /// SQLite's own wait is as long between two tries.
  private static let longest = Duration.milliseconds(100)

  mutating func begin(for wait: Duration, at now: Duration) {
    (limit, interval) = (now + wait, Self.shortest)
  }

  /// Another try has found the store in use.
  mutating func wait(at now: Duration) {
    nextTry = min(now + interval, max(now, limit))
    interval = min(interval * 2, Self.longest)
  }

  /// A try now is the last.
  func isOver(at now: Duration) -> Bool { limit <= now }
}
