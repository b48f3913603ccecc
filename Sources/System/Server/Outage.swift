import Synchronization

/// The time in which the database of a server is away: its beginning and its end are said once, however many requests fail.
///
/// It is over when something has worked and for a second nothing has failed: the connections of all threads are lost at
/// different moments.
final class Outage: Sendable {
  private struct State {
    var begun = Duration.zero
    /// When something has worked first since something failed last.
    var works: Duration?
    var failedRequests = 0
  }

  private let state = Mutex(State())
  private let isUnderWay = Atomic(false)
  private static let calm = Duration.seconds(1)

  /// Whether something has failed and nothing works for good since.
  var isGoingOn: Bool { isUnderWay.load(ordering: .acquiring) }

  /// Whether the outage begins with this failure.
  func hasBegun(at now: Duration, byRequest: Bool) -> Bool {
    state.withLock { state in
      let begins = !isUnderWay.exchange(true, ordering: .acquiringAndReleasing)
      if begins { state = State(begun: now) }
      state.works = nil
      if byRequest { state.failedRequests += 1 }
      return begins
    }
  }

  /// What is to be said where the outage is over with this success.
  func end(at now: Duration) -> String? {
    guard isGoingOn else { return nil }
    return state.withLock { state in
      let works = state.works ?? now
      state.works = works
      guard now - works >= Self.calm, isUnderWay.exchange(false, ordering: .acquiringAndReleasing) else {
        return nil
      }
      let tenths = (works - state.begun).components
      let seconds = "\(tenths.seconds).\(tenths.attoseconds / 100_000_000_000_000_000)"
      let count = state.failedRequests
      return
        "the database is back after \(seconds) s; \(count) request\(count == 1 ? "" : "s") could not be answered"
    }
  }
}
