import SystemIO

/// Paces retries for a store that another process is writing to, without blocking: when to retry, and until
/// when.
///
/// Times are on the monotonic clock.
struct StoreTurn {
  private(set) var nextTry = Duration.zero
  private var limit = Duration.zero
  private var interval = Self.shortest
  private static let shortest = Duration.milliseconds(5)
  /// SQLite's own longest pause between two tries.
  private static let longest = Duration.milliseconds(100)

  mutating func begin(for wait: Duration, at now: Duration) {
    (limit, interval) = (now + wait, Self.shortest)
  }

  /// Notes that another try has found the store in use.
  mutating func wait(at now: Duration) {
    nextTry = min(now + interval, max(now, limit))
    interval = min(interval * 2, Self.longest)
  }

  /// Whether a try now is the last.
  func isOver(at now: Duration) -> Bool { limit <= now }
}

/// When to inspect our own store for changes of other processes; times are on the monotonic clock.
package struct ChangeOutlook {
  private var watch: FileWatch?
  package private(set) var nextLook: Duration?
  private var interval = Duration.milliseconds(1)

  /// How often the store is inspected without a notification of changes: with a watch that may send one, and
  /// without.
  private static let longestInterval = (watched: Duration.seconds(5), unwatched: Duration.milliseconds(50))

  package init() {}

  /// A descriptor that becomes readable when there may be changes.
  package var alarm: CInt? { watch?.raw }

  /// Starts or ends watching the store at `path`.
  package mutating func watch(_ wantsChanges: Bool, _ path: String, at now: Duration) {
    guard wantsChanges else {
      nextLook = nil
      return
    }
    watch = watch ?? FileWatch(path + "-wal")
    // Look once immediately, for changes that were stored before.
    nextLook = now
  }

  /// The log is written to before a commit is visible, and no notification follows.
  ///
  /// So the store is inspected soon, and then less and less often.
  package mutating func isTimeToLook(at now: Duration) -> Bool {
    if watch?.takeChange() == true {
      interval = .milliseconds(1)
      return true
    }
    return nextLook.map { $0 <= now } == true
  }

  /// Notes that the store has been inspected.
  package mutating func next(at now: Duration) {
    let longest = Self.longestInterval
    interval = min(interval * 2, watch == nil ? longest.unwatched : longest.watched)
    nextLook = now + interval
  }
}
