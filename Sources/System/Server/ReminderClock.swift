import Store
import SyncCore
import Synchronization
import SystemIO

/// The time of the next reminder of each household, so that a check does not read all households.
final class ReminderClock: Sendable {
  private struct Household {
    /// Detects whether the times may have changed since they were computed.
    var watch = StoreWatch()
    /// The checked sequence of a household in a database, for the same purpose.
    var sequence: Int64?
    var next: Instant?
  }

  private struct State {
    var households: [String: Household] = [:]
    /// The time of the earliest work.
    var earliest: Instant?
    /// The time of the last call of `due`.
    var last: Instant?
    /// The time of the next check whether other programs have changed or made stores.
    var round: Duration = .zero
  }

  private let state = Mutex(State())
  private static let roundTime = Duration.seconds(60)
  /// The time by which the clock can step back before all times are computed again.
  private static let tolerance = Duration.seconds(5)

  /// The households to check now; the caller must set the next time of each.
  func due(at now: Instant, _ monotonic: Duration, in places: HouseholdPlaces) -> [String] {
    state.withLock { state in
      if let last = state.last, now.advanced(by: Self.tolerance) < last {
        // The times were computed with a clock that was ahead.
        for name in state.households.keys { state.households[name]?.next = now }
        state.earliest = now
      }
      state.last = now
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
    // If the folder cannot be read now, the next round finds the changes.
    for name in (try? places.names) ?? [] {
      guard let path = places.path(of: name),
        state.households[name, default: Household()].watch.mayHaveNews(path, at: monotonic)
      else { continue }
      state.households[name]?.next = now
      state.earliest = min(state.earliest ?? now, now)
    }
  }

  /// Notes the sequences of households in a database; a replaced household is checked again.
  func look(at sequences: [String: Int64], now: Instant) {
    state.withLock { state in
      for (name, sequence) in sequences where state.households[name]?.sequence != sequence {
        state.households[name, default: Household()].sequence = sequence
        state.households[name]?.next = now
        state.earliest = min(state.earliest ?? now, now)
      }
    }
  }

  /// Sets the time of the next reminder of a household; nil if no reminder is due later.
  func set(_ next: Instant?, for name: String) {
    state.withLock { state in
      state.households[name, default: Household()].next = next
      if let next { state.earliest = min(state.earliest ?? next, next) }
    }
  }
}
