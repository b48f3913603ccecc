import SystemIO

/// Schedules retries for a store that another process has locked, without blocking.
///
/// Times are on the monotonic clock.
struct StoreTurn {
  private(set) var nextTry = Duration.zero
  private var limit = Duration.zero
  private var interval = Self.shortest
  private static let shortest = Duration.milliseconds(5)
  /// The longest pause between two tries, the same as in SQLite.
  private static let longest = Duration.milliseconds(100)

  mutating func begin(for wait: Duration, at now: Duration) {
    (limit, interval) = (now + wait, Self.shortest)
  }

  /// Notes that the store was still locked at another try.
  mutating func wait(at now: Duration) {
    nextTry = min(now + interval, max(now, limit))
    interval = min(interval * 2, Self.longest)
  }

  /// Whether a try at this time is the last one.
  func isOver(at now: Duration) -> Bool { limit <= now }
}

/// The times to inspect our own store for changes of other processes, on the monotonic clock.
package struct ChangeOutlook {
  private var watch: FileWatch?
  package private(set) var nextLook: Duration?
  private var interval = Duration.milliseconds(1)

  /// The longest interval between inspections, with and without a watch for notifications.
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
    watch = watch ?? FileWatch(FileMode.target(of: path) + "-wal")
    // Look once immediately, for changes that were stored before.
    nextLook = now
  }

  /// Whether to inspect the store now.
  ///
  /// A notification arrives when the log is written, but the commit becomes visible later without another
  /// one. So the store is inspected soon after it, and then less and less often.
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
