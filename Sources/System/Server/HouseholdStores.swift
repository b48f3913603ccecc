import Chores
import Store
package import SyncCore
import SystemIO

/// The rules for writing to a server's stores.
package struct HouseholdRules: Sendable {
  package var places: HouseholdPlaces
  package var wait = Duration.seconds(10)
  package var maximumDrift: Duration? = DriftGuard.default
  package var deleteLimit = DeleteLimit.default
  /// The maximum size of a household's store in bytes.
  package var quota: Int64?
  package var now: @Sendable () -> Instant
  /// The longest silence of a database; longer than the wait for a lock.
  var patience: Duration { wait + .seconds(10) }
  /// Time zones by their names; nil if missing.
  package var zones: @Sendable (String) -> Zone? = { $0 == "UTC" ? .utc : nil }

  package init(_ places: HouseholdPlaces, now: @escaping @Sendable () -> Instant) {
    (self.places, self.now) = (places, now)
  }
}

/// The open stores of one worker; other threads do not use them.
package final class HouseholdStores {
  let rules: HouseholdRules
  private let known = KnownRecords()
  private let households: Households
  private var open: [String: OpenHousehold] = [:]

  /// The maximum number of open stores without sessions; when it is reached, they are closed.
  static let most = 64
  /// The maximum number of open stores; when it is reached, all are closed.
  static let mostWithSessions = 128

  init(_ rules: HouseholdRules) {
    self.rules = rules
    households = Households(rules.places, wait: rules.wait, patience: rules.patience)
  }

  /// The open household; throws `missing` if it does not have a store.
  ///
  /// Its transactions wait for locks up to `wait`, by default the wait of the rules.
  func household(_ name: String, wait: Duration? = nil) throws -> OpenHousehold {
    let identity = try households.identity(of: name)
    if let household = open[name], household.identity == identity {
      household.store.limitWait(to: wait ?? rules.wait)
      return household
    }
    makeRoom()
    let store = try households.open(name)
    // Many stores may be open, so limit the memory of each.
    try store.limitCache(toKiB: 4_096)
    let opened = try households.identity(of: name)
    // A move may have begun in the meantime; then the store may have been opened without its log.
    if case .file = opened, opened != identity { throw StoreError.busy }
    let household = OpenHousehold(name, store, known, identity: opened)
    store.limitWait(to: wait ?? rules.wait)
    open[name] = household
    return household
  }

  /// Closes stores if too many are open; those with sessions stay open for longer, because a session ends
  /// with its store.
  private func makeRoom() {
    if open.count >= Self.mostWithSessions { open = [:] }
    guard open.count >= Self.most else { return }
    let busy = open.filter { $0.value.hasSessions }
    if open.count - busy.count >= Self.most { open = busy }
  }

  /// Closes stores whose file is gone or was replaced: a deleted file keeps its space while it is open.
  func closeReplaced() {
    if case .database = rules.places { return }
    open = open.filter { (try? households.identity(of: $0.key)) == $0.value.identity }
  }

  /// Closes a store that has been replaced; false if it was not open.
  func close(_ name: String) -> Bool { open.removeValue(forKey: name) != nil }
}

final class OpenHousehold {
  let name: String
  let store: ChangeStore
  let known: KnownRecords
  fileprivate let identity: Households.Identity
  /// The day and the state of the store when the turns were last planned.
  var planned: (day: Int64, state: ChangeStore.State)?
  /// The data of the status page in one state of the store: the next turns, and the names of members by their ids.
  struct Upcoming {
    var state: ChangeStore.State
    var turns: [UpcomingTurn]
    var names: [String: String]
  }

  var upcoming: Upcoming?
  /// Sessions in which a complete answer continues in further requests, by the id of the sender.
  private var sessions: [String: PeerStore] = [:]

  private static let mostSessions = 256

  var hasSessions: Bool { !sessions.isEmpty }

  fileprivate init(
    _ name: String, _ store: ChangeStore, _ known: KnownRecords, identity: Households.Identity
  ) {
    (self.name, self.store, self.known, self.identity) = (name, store, known, identity)
  }

  /// The store's side of a dialogue, without the state of earlier requests.
  func peerStore(_ rules: HouseholdRules) throws -> PeerStore {
    var session = PeerStore(
      store, try store.rules(), limit: rules.deleteLimit, maximumDrift: rules.maximumDrift, now: rules.now)
    // Answers do not contain the number of remaining changes, and counting would read all rows each time.
    session.countsRemaining = false
    return session
  }

  /// Handles one request that sends changes as the store's side of a dialogue with `peer`; with `goesOn` its
  /// state is kept for the next one.
  ///
  /// Only a request that is `continuing` has the state of an earlier one, which may have been interrupted.
  func asPeerStore<Value>(
    _ rules: HouseholdRules, peer: String, continuing: Bool,
    _ body: (inout PeerStore) throws -> (Value, goesOn: Bool)
  ) throws -> Value {
    let kept = sessions.removeValue(forKey: peer)
    var session = try (continuing ? kept : nil) ?? peerStore(rules)
    let (value, goesOn) = try body(&session)
    if goesOn {
      if sessions.count >= Self.mostSessions { sessions = [:] }
      sessions[peer] = session
    }
    return value
  }
}

/// Threads that handle requests; the requests of one household run in order, on one thread.
final class HouseholdWorkers: Sendable {
  typealias Job = @Sendable (HouseholdStores) -> Void

  private struct Queue {
    var jobs: [Job] = []
    var hasEnded = false
  }

  private let queues: [Monitor<Queue>]
  /// The number of threads that have ended.
  private let ended = Monitor(0)

  init(_ count: Int, _ rules: HouseholdRules) {
    queues = (0..<count).map { _ in Monitor(Queue()) }
    for queue in queues {
      Worker.start { [ended] in
        Self.work(through: queue, rules)
        ended.update { $0 += 1 }
      }
    }
  }

  /// Does the work of one thread; its stores are closed at the end.
  private static func work(through queue: Monitor<Queue>, _ rules: HouseholdRules) {
    let stores = HouseholdStores(rules)
    while let jobs = next(queue) { for job in jobs { job(stores) } }
  }

  private static func next(_ queue: Monitor<Queue>) -> [Job]? {
    queue.wait { queue -> [Job]?? in
      guard queue.jobs.isEmpty else {
        defer { queue.jobs = [] }
        return queue.jobs
      }
      return queue.hasEnded ? .some(nil) : nil
    }
  }

  func submit(_ household: String, _ job: @escaping Job) {
    queues[place(of: household)].update { $0.jobs.append(job) }
  }

  /// Runs a job on every thread.
  func submitToAll(_ job: @escaping Job) { for queue in queues { queue.update { $0.jobs.append(job) } } }

  /// Waits until all requests submitted so far are done.
  func finish() {
    for queue in queues {
      let isDone = Monitor(false)
      queue.update { $0.jobs.append { _ in isDone.update { $0 = true } } }
      _ = isDone.wait { $0 ? true : nil }
    }
  }

  /// Waits until all submitted requests are done and the stores are closed.
  func end() {
    for queue in queues { queue.update { $0.hasEnded = true } }
    _ = ended.wait { [queues] in $0 == queues.count ? true : nil }
  }

  private func place(of household: String) -> Int {
    household.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % queues.count
  }
}
