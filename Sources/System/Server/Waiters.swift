import Synchronization
import SystemIO

/// Requests that wait for a change of their household, each until its own time.
final class Waiters: Sendable {
  struct Waiter: Sendable {
    let exchange: HTTPExchange
    let key: String
    let deadline: Duration
    /// Up to where it has read.
    let sequence: Int64
  }

  private let waiting = Mutex<[String: [Waiter]]>([:])

  /// Of one key; a new one ends the oldest.
  private static let mostOfOneKey = 4

  /// Gives those that have to be answered now, as there are too many.
  func add(_ waiter: Waiter, of household: String) -> [Waiter] {
    waiting.withLock { waiting in
      var all = waiting[household] ?? []
      all.append(waiter)
      var ended: [Waiter] = []
      if all.count(where: { $0.key == waiter.key }) > Self.mostOfOneKey,
        let oldest = all.firstIndex(where: { $0.key == waiter.key })
      {
        ended.append(all.remove(at: oldest))
      }
      waiting[household] = all
      return ended
    }
  }

  /// Those of a household that have not read so far.
  func take(_ household: String, before sequence: Int64) -> [Waiter] {
    waiting.withLock { waiting in
      let found = waiting[household]?.filter { $0.sequence < sequence } ?? []
      if !found.isEmpty { waiting[household]?.removeAll { $0.sequence < sequence } }
      if waiting[household]?.isEmpty == true { waiting[household] = nil }
      return found
    }
  }

  /// Those whose time is over; all with nil.
  func take(until now: Duration?) -> [(household: String, waiter: Waiter)] {
    waiting.withLock { waiting in
      var found: [(String, Waiter)] = []
      for (household, waiters) in waiting {
        let over = waiters.filter { now == nil || $0.deadline <= now! }
        if over.isEmpty { continue }
        found += over.map { (household, $0) }
        let left = waiters.filter { now != nil && $0.deadline > now! }
        waiting[household] = left.isEmpty ? nil : left
      }
      return found
    }
  }

  var households: [String] { waiting.withLock { Array($0.keys) } }
}
