import Crypto
package import JSONLines
import Postgres
import ServerProtocol
import Store
import SyncCore
import Synchronization
import SystemIO

/// Handles a server's requests: checks their rights, assigns them to threads, and answers waiting requests.
package final class SyncServer: Sendable {
  let keys: KeyRing
  let rules: HouseholdRules
  private let workers: HouseholdWorkers
  let answers: KnownAnswers
  private let waiters = Waiters()
  private let traffic = Traffic()
  private let reminders = ReminderClock()
  let openAPI: HTTPResponse
  let rates = Rates(each: 50, most: 200)
  /// The stamps of the files of households with waiting requests, at the last check.
  private let watches = Mutex<[String: StoreWatch]>([:])
  /// The stamp of the file of keys at the last check.
  private let keyStamp = Mutex<FileStamp?>(nil)
  /// The time of the next check for stores that are gone.
  private let nextRound = Mutex(Duration.zero)
  private let isStopping = Atomic<Bool>(false)
  /// The watch over the database; nil if the stores are not in a database.
  private let databaseWatch = Mutex<DatabaseWatch?>(nil)
  let outage = Outage()
  /// Reports an error that the answer to the client does not describe completely.
  let trouble: @Sendable (Diagnostic) -> Void
  /// Reports the end of an outage.
  let relief: @Sendable (String) -> Void

  /// The facts about a request found at admission.
  struct Admission: Sendable {
    /// The key at admission; it may expire while a request waits.
    var key: KeyRecord
    var isWrite: Bool
    /// The time until which the request waits for a change.
    var deadline: Duration?

    /// The headers for a read-only key.
    var fields: [RequestHead.Field] { key.isReadOnly ? [.init("Allow", "GET, HEAD")] : [] }
  }

  package init(
    _ rules: HouseholdRules, _ keys: KeyRing, workers count: Int,
    trouble: @escaping @Sendable (Diagnostic) -> Void,
    relief: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.rules, self.keys, self.trouble, self.relief) = (rules, keys, trouble, relief)
    workers = HouseholdWorkers(count, rules)
    answers = KnownAnswers(in: rules.places)
    openAPI = .json(200, OpenAPI.document)
    if case .database = rules.places { watchDatabase() }
  }

  private func watchDatabase() {
    let watch = DatabaseWatch(rules, outage) { [waiters] in
      waiters.households
    } failed: { [weak self] error in
      self?.note(error, byRequest: false)
    } news: { [weak self] news in
      self?.noteDatabaseWorks()
      self?.wake(news)
    } all: { [reminders, rules] in
      reminders.look(at: $0, now: rules.now())
    }
    databaseWatch.withLock { $0 = watch }
  }

  /// Answers waiting requests whose household was changed by others; all of them if the database may have
  /// been replaced.
  private func wake(_ news: DatabaseWatch.News) {
    for name in waiters.households {
      let woken = waiters.take(name, unlessAt: news.isReconnected ? nil : news.sequences[name])
      for waiter in woken { resume(waiter.exchange, mayWait: true) }
    }
  }

  /// The key of a request, for the log.
  package static func key(of exchange: HTTPExchange) -> (id: String, household: String)? {
    (exchange.facts as? Admission).map { ($0.key.id, $0.key.household) }
  }

  // MARK: Counting

  /// Counts an answer that was sent.
  package func count(_ exchange: HTTPExchange, _ response: HTTPResponse) {
    guard let admission = exchange.facts as? Admission else { return }
    traffic.note(admission.key, path: exchange.head.path, status: response.status, at: rules.now())
  }

  // MARK: Work

  /// Handles a request on the thread of its household.
  package func work(_ exchange: HTTPExchange) { resume(exchange, mayWait: true) }

  private func resume(_ exchange: HTTPExchange, mayWait: Bool) {
    guard let admission = exchange.facts as? Admission else { return exchange.answer(.busy(closes: true)) }
    let arrival = SystemClock.monotonic()
    workers.submit(admission.key.household) { [self] stores in
      perform(exchange, admission, stores, since: arrival, mayWait: mayWait)
    }
  }

  /// Handles a request; `arrival` is the time at which it was ready, from which the wait for locks counts.
  private func perform(
    _ exchange: HTTPExchange, _ admission: Admission, _ stores: HouseholdStores, since arrival: Duration,
    mayWait: Bool
  ) {
    let name = admission.key.household
    // Earlier requests may have waited for a silent database.
    if SystemClock.monotonic() - arrival > rules.patience { return exchange.answer(.busy()) }
    do {
      if let refusal = try keys.refusal(of: admission.key, at: rules.now()) {
        return exchange.answer(.unauthorized(refusal.message))
      }
      let wait = max(.zero, rules.wait - (SystemClock.monotonic() - arrival))
      let household = try stores.household(name, wait: wait)
      if let quota = rules.quota { try household.store.limitSize(toBytes: admission.isWrite ? quota : nil) }
      let request = ChangesRequest(exchange, admission)
      let route = ServerRoute(rawValue: exchange.head.path)
      if route != .changes || admission.isWrite {
        let before = try household.store.currentToken().sequence
        let planner = PlannerRequest(exchange, admission.key, rules, trouble: trouble)
        let report = ReportRequest(
          admission.key, rules, keys, traffic, waiting: waiters.count(of: name))
        let response =
          switch (route, admission.isWrite) {
          case (.page, _): try report.page(of: household)
          case (.metrics, _): try report.metrics(of: household)
          case (.sync, true): try planner.perform(by: household)
          case (.sync, false): try planner.give(from: household)
          case (.devices, _): try DevicesRequest(exchange, now: rules.now()).perform(by: household)
          default: try request.perform(by: household, rules)
          }
        let after = try household.store.currentToken().sequence
        noteDatabaseWorks()
        // The code after this must not throw, because a request is answered once.
        exchange.answer(response)
        if after > before {
          wake(name, before: after)
          reminders.set(rules.now(), for: name)
        }
        return
      }
      if exchange.head.method == "HEAD" {
        return exchange.answer(try request.facts(of: household).adding(admission.fields))
      }
      let (response, waitsAfter) = try answers.answer(request, from: household, rules)
      noteDatabaseWorks()
      guard mayWait, let waitsAfter, let deadline = admission.deadline, !isStopping.load(ordering: .acquiring)
      else { return exchange.answer(response.adding(admission.fields)) }
      let waiter = Waiters.Waiter(
        exchange: exchange, key: admission.key.id, deadline: deadline, sequence: waitsAfter)
      for waiter in waiters.add(waiter, of: name) { resume(waiter.exchange, mayWait: false) }
      // In the meantime the server may have begun to stop, and the key may have been revoked.
      if isStopping.load(ordering: .acquiring) { endWaiting() }
      if hasEnded(waiter) { endRevoked() }
    } catch {
      if case StoreError.missing = error, stores.close(name) {
        // The store was open, and its name may now belong to another household.
        return perform(exchange, admission, stores, since: arrival, mayWait: mayWait)
      }
      exchange.answer(failure(error, rules.places.label(of: name)))
    }
  }

  private func wake(_ household: String, before sequence: Int64) {
    let woken = waiters.take(household, before: sequence)
    if woken.isEmpty { return }
    let arrival = SystemClock.monotonic()
    workers.submit(household) { [self] stores in
      for waiter in woken {
        guard let admission = waiter.exchange.facts as? Admission else { continue }
        perform(waiter.exchange, admission, stores, since: arrival, mayWait: true)
      }
    }
  }

  /// Answers requests whose deadline has passed, and checks whether other programs have written to a store,
  /// removed one, or revoked keys.
  package func tend(at now: Duration) {
    for (_, waiter) in waiters.take(until: now) { resume(waiter.exchange, mayWait: false) }
    let hasNewKeys = changedKeys
    if hasNewKeys { endRevoked() }
    if isRound(at: now) || hasNewKeys {
      answers.closeReplaced()
      workers.submitToAll { $0.closeReplaced() }
    }
    for name in reminders.due(at: rules.now(), now, in: rules.places) {
      workers.submit(name) { [self] stores in remind(name, stores) }
    }
    for name in waiters.households {
      guard let path = rules.places.path(of: name),
        watches.withLock({ $0[name, default: StoreWatch()].mayHaveNews(path, at: now) })
      else { continue }
      workers.submit(name) { [self] stores in
        guard let sequence = try? stores.household(name).store.currentToken().sequence else { return }
        wake(name, before: sequence)
      }
    }
  }

  /// Queues the due reminders, and sets the time of the next check.
  private func remind(_ name: String, _ stores: HouseholdStores) {
    do {
      let household = try stores.household(name)
      if rules.quota != nil { try household.store.limitSize(toBytes: nil) }
      // Throws if the household was removed, even if its store was open.
      _ = try household.store.currentToken()
      guard let shape = try household.store.rules(), shape.hasSameRules(as: .chores) else { return }
      reminders.set(try PlannedTurns(household, rules).remind(), for: name)
    } catch StoreError.missing {
      // The household was removed; a new household of that name has another file. In a database, the name may belong to
      // another household.
      if stores.close(name) { remind(name, stores) }
    } catch StoreError.beingMoved {
      reminders.set(rules.now().advanced(by: .seconds(60)), for: name)
    } catch {
      if let error = error as? StoreError, error.isOutage {
        note(error, byRequest: false)
      } else {
        tell(error, rules.places.label(of: name))
      }
      reminders.set(rules.now().advanced(by: .seconds(60)), for: name)
    }
  }

  /// Whether the last round was a minute ago.
  private func isRound(at now: Duration) -> Bool {
    nextRound.withLock { next in
      guard next <= now else { return false }
      next = now + .seconds(60)
      return true
    }
  }

  private var changedKeys: Bool {
    let stamp = keys.stamp
    return keyStamp.withLock { known in
      defer { known = stamp }
      return known != stamp
    }
  }

  private func endRevoked() {
    for waiter in waiters.take(where: hasEnded) { resume(waiter.exchange, mayWait: false) }
  }

  private func hasEnded(_ waiter: Waiters.Waiter) -> Bool {
    guard let admission = waiter.exchange.facts as? Admission else { return true }
    do { return try keys.refusal(of: admission.key, at: rules.now()) != nil } catch { return true }
  }

  /// Waits until all started requests are done.
  package func finishWork() { workers.finish() }

  /// Runs `body` while other work cannot use the household's store; the next use reopens a store that was
  /// replaced.
  package func alone(with household: String, _ body: @escaping @Sendable () throws -> Void) throws {
    let outcome = Monitor<Result<Void, any Error>?>(nil)
    workers.submit(household) { _ in outcome.update { $0 = Result { try body() } } }
    try outcome.wait { $0 }.get()
  }

  /// Closes the stores, after the last request.
  package func close() {
    databaseWatch.withLock { $0 }?.end()
    workers.end()
  }

  /// Ends the waiting of all requests.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    endWaiting()
  }

  private func endWaiting() {
    for (_, waiter) in waiters.take(until: nil) { resume(waiter.exchange, mayWait: false) }
  }
}
