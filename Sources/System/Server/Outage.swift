import Synchronization

/// An outage of a server's database: its start and its end are reported once, even if many requests fail.
///
/// An outage ends when a request succeeds and requests do not fail for a second: the threads lose their
/// connections at different times.
final class Outage: Sendable {
  private struct State {
    var begun = Duration.zero
    /// The time of the first success after the last failure.
    var works: Duration?
    var failedRequests = 0
  }

  private let state = Mutex(State())
  private let isUnderWay = Atomic(false)
  private static let calm = Duration.seconds(1)

  /// Whether the outage is under way.
  var isGoingOn: Bool { isUnderWay.load(ordering: .acquiring) }

  /// Notes a failure; true if an outage begins with it.
  func hasBegun(at now: Duration, byRequest: Bool) -> Bool {
    state.withLock { state in
      let begins = !isUnderWay.exchange(true, ordering: .acquiringAndReleasing)
      if begins { state = State(begun: now) }
      state.works = nil
      if byRequest { state.failedRequests += 1 }
      return begins
    }
  }

  /// Notes a success; returns the report if it ends an outage, otherwise nil.
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
        "the database is available again after \(seconds) s; \(count) request\(count == 1 ? "" : "s") could "
        + "not be answered"
    }
  }
}
