import JSONLines
import Store
import Synchronization
import SystemIO

/// Checks the households of a database for changes on a separate thread, because other servers write there too.
///
/// A write by this server wakes its waiting requests immediately. Writers do not use NOTIFY, because in a
/// transaction it takes a lock that all databases of the PostgreSQL server share.
final class DatabaseWatch: Sendable {
  /// The result of a check.
  struct News: Sendable {
    /// Whether the connection was restored: earlier data may be from another server.
    var isReconnected: Bool
    /// The sequences of the checked households that exist.
    var sequences: [String: Int64]
  }

  private let hasEnded = Atomic(false)
  private let isDone = Monitor(false)

  private static let pause = Duration.milliseconds(250)
  private static let roundTime = Duration.seconds(60)

  /// `waiting` names the households to check; `all` receives every household once a minute.
  ///
  /// During an outage it checks even without waiting requests.
  init(
    _ rules: HouseholdRules, _ outage: Outage, waiting: @escaping @Sendable () -> [String],
    failed: @escaping @Sendable (StoreError) -> Void, news: @escaping @Sendable (News) -> Void,
    all: @escaping @Sendable ([String: Int64]) -> Void
  ) {
    Worker.start { [self] in
      let households = Households(rules.places, wait: rules.wait, patience: rules.patience)
      var (round, generation): (Duration, Households.Identity?) = (.zero, nil)
      while !hasEnded.load(ordering: .acquiring) {
        SystemClock.sleep(Self.pause)
        let names = waiting()
        let isRound = round <= SystemClock.monotonic()
        guard isRound || !names.isEmpty || outage.isGoingOn else { continue }
        do {
          let now = try households.identity(of: "")
          let sequences = try households.sequences(of: isRound ? households.names() : names)
          news(News(isReconnected: generation != now && generation != nil, sequences: sequences))
          generation = now
          if isRound {
            round = SystemClock.monotonic() + Self.roundTime
            all(sequences)
          }
        } catch let error as StoreError {
          if error.isOutage { failed(error) }
        } catch {
          // Ignore the error: requests report the errors of the database.
        }
      }
      isDone.update { $0 = true }
    }
  }

  func end() {
    hasEnded.store(true, ordering: .releasing)
    _ = isDone.wait { $0 ? true : nil }
  }
}
