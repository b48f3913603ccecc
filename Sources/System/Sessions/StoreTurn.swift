import SystemIO

/// Waits for a store that another process is writing to, without standing still: when it is retried, and how
/// long.
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

/// When the own store is inspected for changes of other processes; times are of the monotonic clock.
package struct ChangeOutlook {
  private var watch: FileWatch?
  package private(set) var nextLook: Duration?
  private var interval = Duration.milliseconds(1)

  /// How often the store is inspected if nothing tells that it has changed, and if nothing ever does.
  private static let longestInterval = (watched: Duration.seconds(5), unwatched: Duration.milliseconds(50))

  package init() {}

  /// A descriptor that is readable when there is something to see.
  package var alarm: CInt? { watch?.raw }

  /// Begins to look at the store at `path`, or ends that.
  package mutating func watch(_ wantsChanges: Bool, _ path: String, at now: Duration) {
    guard wantsChanges else {
      nextLook = nil
      return
    }
    watch = watch ?? FileWatch(path + "-wal")
    // Once at once: what was stored while nobody looked.
    nextLook = now
  }

  /// The log is written to before a commit can be seen, and nothing tells when: looked at soon, and then less and less.
  package mutating func isTimeToLook(at now: Duration) -> Bool {
    if watch?.takeChange() == true {
      interval = .milliseconds(1)
      return true
    }
    return nextLook.map { $0 <= now } == true
  }

  /// It has been looked at.
  package mutating func next(at now: Duration) {
    let longest = Self.longestInterval
    interval = min(interval * 2, watch == nil ? longest.unwatched : longest.watched)
    nextLook = now + interval
  }
}
