import Synchronization
import SystemIO

/// Requests that wait for a change of their household, each until its own deadline.
final class Waiters: Sendable {
  struct Waiter: Sendable {
    let exchange: HTTPExchange
    let key: String
    let deadline: Duration
    /// The place up to which the request has read.
    let sequence: Int64
  }

  private struct State {
    var all: [String: [Waiter]] = [:]
    /// The earliest deadline of all waiting requests.
    var earliest: Duration?
  }

  private let waiting = Mutex(State())

  /// The maximum number of waiting requests with one key; if another arrives, the oldest is answered.
  private static let mostOfOneKey = 4

  /// Adds a request; returns the requests that must be answered now because too many wait.
  func add(_ waiter: Waiter, of household: String) -> [Waiter] {
    waiting.withLock { waiting in
      var all = waiting.all[household] ?? []
      all.append(waiter)
      waiting.earliest = min(waiting.earliest ?? waiter.deadline, waiter.deadline)
      var ended: [Waiter] = []
      if all.count(where: { $0.key == waiter.key }) > Self.mostOfOneKey,
        let oldest = all.firstIndex(where: { $0.key == waiter.key })
      {
        ended.append(all.remove(at: oldest))
      }
      waiting.all[household] = all
      return ended
    }
  }

  /// The waiting requests of a household that have read less than `sequence`.
  func take(_ household: String, before sequence: Int64) -> [Waiter] {
    waiting.withLock { waiting in
      let found = waiting.all[household]?.filter { $0.sequence < sequence } ?? []
      if !found.isEmpty { waiting.all[household]?.removeAll { $0.sequence < sequence } }
      if waiting.all[household]?.isEmpty == true { waiting.all[household] = nil }
      return found
    }
  }

  /// The waiting requests of a household that have read up to another sequence; with nil all of them.
  func take(_ household: String, unlessAt sequence: Int64?) -> [Waiter] {
    waiting.withLock { waiting in
      let found = waiting.all[household]?.filter { $0.sequence != sequence } ?? []
      waiting.all[household]?.removeAll { $0.sequence != sequence }
      if waiting.all[household]?.isEmpty == true { waiting.all[household] = nil }
      return found
    }
  }

  /// The waiting requests whose deadline has passed; with nil all of them.
  func take(until now: Duration?) -> [(household: String, waiter: Waiter)] {
    waiting.withLock { waiting in
      if let now, now < waiting.earliest ?? .seconds(1 << 40) { return [] }
      var found: [(String, Waiter)] = []
      waiting.earliest = nil
      for (household, waiters) in waiting.all {
        var left: [Waiter] = []
        for waiter in waiters {
          if let now, waiter.deadline > now {
            left.append(waiter)
            waiting.earliest = min(waiting.earliest ?? waiter.deadline, waiter.deadline)
          } else {
            found.append((household, waiter))
          }
        }
        waiting.all[household] = left.isEmpty ? nil : left
      }
      return found
    }
  }

  /// The waiting requests that must be answered now.
  func take(where isOver: (Waiter) -> Bool) -> [Waiter] {
    waiting.withLock { waiting in
      var found: [Waiter] = []
      for (household, waiters) in waiting.all {
        var left: [Waiter] = []
        for waiter in waiters { if isOver(waiter) { found.append(waiter) } else { left.append(waiter) } }
        waiting.all[household] = left.isEmpty ? nil : left
      }
      return found
    }
  }

  func count(of household: String) -> Int { waiting.withLock { $0.all[household]?.count ?? 0 } }

  var households: [String] { waiting.withLock { Array($0.all.keys) } }
}
