import Store
import SyncCore
import Synchronization
import SystemIO

/// When to look for reminders next in each household, so that nothing goes through all of them.
final class ReminderClock: Sendable {
  private struct Household {
    /// Whether its times may be others since they were reckoned.
    var watch = StoreWatch()
    /// The same of one in a database.
    var sequence: Int64?
    var next: Instant?
  }

  private struct State {
    var households: [String: Household] = [:]
    /// Nothing has to be done before.
    var earliest: Instant?
    /// When to look next whether other programs have written to a store, or made one.
    var round: Duration = .zero
  }

  private let state = Mutex(State())
  private static let roundTime = Duration.seconds(60)

  /// The households to look into now; each of them is to be given its next time.
  func due(at now: Instant, _ monotonic: Duration, in places: HouseholdPlaces) -> [String] {
    state.withLock { state in
      if state.round <= monotonic {
        state.round = monotonic + Self.roundTime
        Self.goRound(&state, places, now, monotonic)
      }
      guard let earliest = state.earliest, earliest <= now else { return [] }
      var due: [String] = []
      state.earliest = nil
      for (name, household) in state.households {
        guard let next = household.next else { continue }
        if next <= now {
          due.append(name)
          state.households[name]?.next = nil
        } else {
          state.earliest = min(state.earliest ?? next, next)
        }
      }
      return due
    }
  }

  private static func goRound(
    _ state: inout State, _ places: HouseholdPlaces, _ now: Instant, _ monotonic: Duration
  ) {
    for name in places.names {
      guard let path = places.path(of: name),
        state.households[name, default: Household()].watch.mayHaveNews(path, at: monotonic)
      else { continue }
      state.households[name]?.next = now
      state.earliest = min(state.earliest ?? now, now)
    }
  }

  /// What has been looked at in a database: a household that is another now is looked into.
  func look(at sequences: [String: Int64], now: Instant) {
    state.withLock { state in
      for (name, sequence) in sequences where state.households[name]?.sequence != sequence {
        state.households[name, default: Household()].sequence = sequence
        state.households[name]?.next = now
        state.earliest = min(state.earliest ?? now, now)
      }
    }
  }

  /// Nil if nothing is to come.
  func set(_ next: Instant?, for name: String) {
    state.withLock { state in
      state.households[name, default: Household()].next = next
      if let next { state.earliest = min(state.earliest ?? next, next) }
    }
  }
}
