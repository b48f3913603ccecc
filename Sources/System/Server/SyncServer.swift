import Crypto
package import JSONLines
import ServerProtocol
import Store
import SyncCore
import Synchronization
import SystemIO

/// What a server does with requests: who may, where to, and when those that wait are answered.
package final class SyncServer: Sendable {
  private let keys: KeyRing
  private let rules: HouseholdRules
  private let workers: HouseholdWorkers
  private let waiters = Waiters()
  private let rates = Rates(each: 50, most: 200)
  /// The files of households that have waiters, as they were when somebody looked last.
  private let stamps = Mutex<[String: FileStamp]>([:])
  /// The same of the file of keys.
  private let keyStamp = Mutex<FileStamp?>(nil)
  private let isStopping = Atomic<Bool>(false)
  /// Something went wrong that no answer tells whole.
  private let trouble: @Sendable (Diagnostic) -> Void

  /// What admission has found out about a request.
  struct Admission: Sendable {
    /// As it was then; a key may end while a request waits.
    var key: KeyRecord
    var isWrite: Bool
    /// Until when it waits for a change.
    var deadline: Duration?
  }

  package init(
    _ rules: HouseholdRules, _ keys: KeyRing, workers count: Int,
    trouble: @escaping @Sendable (Diagnostic) -> Void
  ) {
    (self.rules, self.keys, self.trouble) = (rules, keys, trouble)
    workers = HouseholdWorkers(count, rules)
  }

  /// The key that a request has come with, for the log.
  package static func key(of exchange: HTTPExchange) -> (id: String, household: String)? {
    (exchange.facts as? Admission).map { ($0.key.id, $0.key.household) }
  }

  // MARK: Admission

  /// Nil of a request that is to be read and worked on.
  package func admit(_ exchange: HTTPExchange) -> HTTPResponse? {
    let head = exchange.head
    guard let route = ServerRoute(rawValue: head.path) else {
      return .error(
        404,
        Diagnostic(
          .fileNotFound, "nothing is here",
          hint: "there are \(ServerRoute.allCases.map(\.rawValue).joined(separator: ", "))"))
    }
    guard route.methods.contains(head.method) else {
      var response = HTTPResponse.error(
        405, Diagnostic(.unknownValue, "the method is not allowed here"))
      response.fields.append(.init("Allow", route.methods.joined(separator: ", ")))
      return response
    }
    if route == .health { return .json(200, .object([.init("status", "ok")])) }
    do {
      let now = rules.now()
      guard let text = Self.bearer(head) else {
        return .unauthorized("no key; send 'Authorization: Bearer KEY'")
      }
      let key: KeyRecord
      switch try keys.find(text, at: now) {
      case .success(let found): key = found
      case .failure(let refusal): return .unauthorized(refusal.message)
      }
      let isWrite = !["GET", "HEAD"].contains(head.method)
      var admission = Admission(key: key, isWrite: isWrite)
      // Whose key it is stands in the log of a refusal too.
      exchange.facts = admission
      if let seconds = rates.wait(key.id, at: exchange.begun) {
        var response = HTTPResponse.error(
          429, Diagnostic(.peerBusy, "too many requests with this key"))
        response.fields.append(.init("Retry-After", "\(seconds)"))
        return response
      }
      if isWrite, key.isReadOnly {
        return .error(403, Diagnostic(.refusedByPeer, "the key is read-only"))
      }
      if let store = head[ChangesHeader.store], UUIDText(store) == nil {
        return .error(400, Diagnostic(.invalidHeader, "'\(ChangesHeader.store)' is not a UUID"))
      }
      let names = head.query.map(\.name)
      if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
        return .error(
          400, Diagnostic(.duplicateMember, "'\(name.escapingControls)' stands twice in the query"))
      }
      if let wait = head.query("wait") {
        guard let seconds = Int(wait), seconds >= 0 else {
          return .error(400, Diagnostic(.numberOutOfRange, "'wait' is not a number of seconds"))
        }
        // Nothing waits beyond the end of its key.
        let left = key.expiresAt.map { Int($0.seconds - now.seconds) + 1 } ?? Self.longestWait
        if seconds > 0 {
          admission.deadline = exchange.begun + .seconds(min(seconds, left, Self.longestWait))
        }
      }
      exchange.facts = admission
      return nil
    } catch {
      return failure(error, "")
    }
  }

  /// Shorter than what proxies wait for an answer, which is a minute.
  private static let longestWait = 55

  private static func bearer(_ head: RequestHead) -> String? {
    guard let value = head["Authorization"] else { return nil }
    let parts = value.split(separator: " ")
    guard parts.count == 2, String(parts[0]).isSameToken(as: "Bearer") else { return nil }
    return String(parts[1])
  }

  // MARK: Work

  /// Works on a request on the thread of its household.
  package func work(_ exchange: HTTPExchange) { resume(exchange, mayWait: true) }

  private func resume(_ exchange: HTTPExchange, mayWait: Bool) {
    guard let admission = exchange.facts as? Admission else { return exchange.answer(.busy(closes: true)) }
    workers.submit(admission.key.household) { [self] stores in
      var alone: SharedAnswers?
      perform(exchange, admission, stores, &alone, mayWait: mayWait)
    }
  }

  private func perform(
    _ exchange: HTTPExchange, _ admission: Admission, _ stores: HouseholdStores,
    _ shared: inout SharedAnswers?, mayWait: Bool
  ) {
    let name = admission.key.household
    do {
      if let refusal = try keys.refusal(of: admission.key, at: rules.now()) {
        return exchange.answer(.unauthorized(refusal.message))
      }
      let household = try shared?.household ?? stores.household(name)
      let request = ChangesRequest(exchange, admission)
      let route = ServerRoute(rawValue: exchange.head.path)
      if route != .changes || admission.isWrite {
        let before = try household.store.currentToken().sequence
        let planner = PlannerRequest(exchange, admission.key, rules)
        let response =
          switch (route, admission.isWrite) {
          case (.sync, true): try planner.take(by: household)
          case (.sync, false): try planner.give(from: household)
          case (.devices, _): try DevicesRequest(exchange, now: rules.now()).take(by: household)
          default: try request.take(by: household, rules)
          }
        let after = try household.store.currentToken().sequence
        // Nothing after it may throw: a request is answered once.
        exchange.answer(response)
        if after > before { wake(name, before: after) }
        return
      }
      if exchange.head.method == "HEAD" { return exchange.answer(try request.facts(of: household)) }
      let (response, waitsAfter) =
        try shared?.answer(to: request, rules) ?? request.give(from: household, rules)
      guard mayWait, let waitsAfter, let deadline = admission.deadline, !isStopping.load(ordering: .acquiring)
      else { return exchange.answer(response) }
      let waiter = Waiters.Waiter(
        exchange: exchange, key: admission.key.id, deadline: deadline, sequence: waitsAfter)
      for waiter in waiters.add(waiter, of: name) { resume(waiter.exchange, mayWait: false) }
      // It may have begun to stop meanwhile, and the key may have been revoked.
      if isStopping.load(ordering: .acquiring) { endWaiting() }
      if hasEnded(waiter) { endRevoked() }
    } catch {
      exchange.answer(failure(error, rules.places.path(of: name) ?? name))
    }
  }

  private func wake(_ household: String, before sequence: Int64) {
    let woken = waiters.take(household, before: sequence)
    if woken.isEmpty { return }
    workers.submit(household) { [self] stores in
      var shared = try? SharedAnswers(stores.household(household))
      for waiter in woken {
        guard let admission = waiter.exchange.facts as? Admission else { continue }
        perform(waiter.exchange, admission, stores, &shared, mayWait: true)
      }
    }
  }

  /// Answers those whose time is over, and looks whether other programs have written to a store or revoked keys.
  package func tend(at now: Duration) {
    for (_, waiter) in waiters.take(until: now) { resume(waiter.exchange, mayWait: false) }
    if changedKeys { endRevoked() }
    for name in waiters.households {
      guard let path = rules.places.path(of: name),
        let stamp = FileStamp(of: "\(path)-wal") ?? FileStamp(of: path),
        stamps.withLock({ $0.updateValue(stamp, forKey: name) }) != stamp
      else { continue }
      workers.submit(name) { [self] stores in
        guard let sequence = try? stores.household(name).store.currentToken().sequence else { return }
        wake(name, before: sequence)
      }
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

  /// No request waits any more.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    endWaiting()
  }

  private func endWaiting() {
    for (_, waiter) in waiters.take(until: nil) { resume(waiter.exchange, mayWait: false) }
  }

  // MARK: Errors

  private func failure(_ error: any Error, _ path: String) -> HTTPResponse {
    switch error {
    case StoreError.missing:
      return .error(404, Diagnostic(.fileNotFound, "the household has no store any more"))
    case StoreError.busy, StoreError.rulesChanged: return .busy()
    case is PlannerRequest.TooLarge:
      return .error(413, Diagnostic(.messageTooLarge, "more records than a household has"))
    case is PlannerRequest.OtherRules:
      return .error(
        409,
        Diagnostic(
          .rulesDiffer, "the household does not merge as the planner does",
          hint:
            "'synclog rules set --profile chores' on its store, where its records are those of the planner"))
    case StoreError.full:
      tell(error, path)
      return .error(507, Diagnostic(.storeFull, "the disk of the server is full"))
    case let error as Diagnostic where error.line != nil || error.exitsAsBadData:
      return .error(422, error)
    default:
      tell(error, path)
      return .error(500, Diagnostic(.storeFailed, "the server could not do it; its log says why"))
    }
  }

  private func tell(_ error: any Error, _ path: String) {
    switch error {
    case let error as StoreError: trouble(Diagnostic(error, store: path))
    case let error as Diagnostic: trouble(error)
    case let error as TransportError: trouble(Diagnostic(error))
    default: trouble(Diagnostic(.bug, "\(error)", file: path))
    }
  }
}

/// What a server answers, by its path.
enum ServerRoute: String, CaseIterable {
  case health = "/health"
  case changes = "/changes"
  case sync = "/sync"
  case devices = "/devices"

  var methods: [String] {
    switch self {
    case .health: ["GET", "HEAD"]
    case .changes, .sync: ["GET", "HEAD", "POST"]
    case .devices: ["POST", "DELETE"]
    }
  }
}

extension Diagnostic {
  fileprivate var exitsAsBadData: Bool { code == .invalidToken || code == .wrongType }
}
