import Chores
import JSONLines
import ServerProtocol
import Store
import SyncCore

/// A request that reads or sends records of the planner's app, and its answer.
struct PlannerRequest {
  private let exchange: HTTPExchange
  /// The member who owns the key.
  let member: String?
  private let mayPush: Bool
  private let rules: HouseholdRules
  /// The preferences of the client (RFC 7240).
  let preferences: [String]
  private let trouble: (Diagnostic) -> Void

  init(
    _ exchange: HTTPExchange, _ key: KeyRecord, _ rules: HouseholdRules,
    trouble: @escaping (Diagnostic) -> Void
  ) {
    (self.exchange, member, self.rules, self.trouble) = (exchange, key.member, rules, trouble)
    mayPush = !key.isReadOnly
    // Quotes are optional, and parameters may follow.
    preferences = exchange.head.values("Prefer").flatMap { $0.split(separator: ",") }.map {
      String($0.prefix { $0 != ";" }.filter { !" \t\"".contains($0) }).lowercased()
    }
  }

  private var day: Int64 { rules.now().seconds / 86_400 }

  /// Whether the turns are up to date: neither the records nor the day have changed since they were planned.
  private func isPlanned(_ household: OpenHousehold) throws -> Bool {
    guard let planned = household.planned, planned.day == day else { return false }
    return try household.store.read { household.store.state } == planned.state
  }

  // MARK: GET

  func give(from household: OpenHousehold) throws -> HTTPResponse {
    let since = exchange.head.query("since").flatMap { Int64($0) } ?? 0
    try requireRules(household.store)
    if mayPush, try household.store.read({ try household.store.standing(ofRevision: since) }) == .foreign {
      return Self.pushFirst(since)
    }
    // A client that only reads does not set rules.
    if try household.store.rules() != nil, try !isPlanned(household) { try write(household) { _ in } }
    return try answer(household.store, since: since)
  }

  /// The answer to an app that may have records which this restored store has lost.
  ///
  /// The answer does not contain records, because they would overwrite newer records that the app has pushed before.
  /// The app's next push contains all of its newer records.
  private static func pushFirst(_ revision: Int64) -> HTTPResponse {
    let lists = PlannerKind.allCases.map(\.list) + ["deletions", "refused"]
    let members: [JSONMember] =
      [.init("revision", .integer(revision))] + lists.map { .init($0, []) } + [
        .init("refusedCount", 0), .init("complete", false), .init("pushFirst", true),
      ]
    return .json(200, .object(members))
  }

  // MARK: POST

  func perform(by household: OpenHousehold) throws -> HTTPResponse {
    let body = try body()
    try requireRules(household.store)
    var (refused, records): ([Refusal], [(place: Place, record: PlannerRecord)]) = ([], [])
    for (place, value) in body.records {
      do throws(PlannerRecord.Fault) {
        let record = try PlannerRecord(value, place.kind)
        if !record.isStandIn { records.append((place, record)) }
      } catch {
        refused.append(Refusal(place: place, code: error.code, message: error.message))
      }
    }
    let isStrict = preferences.contains("handling=strict")
    if isStrict, let first = refused.first { return first.response }
    try household.store.read {
      if try household.store.standing(ofRevision: body.base) == .foreign { return }
      // If the app has sent a request since the store was restored, the base revision belongs to this store.
      let foreign = try household.store.foreignRevisions(among: records.map(\.record.revision))
      records.removeAll { $0.record.revision > 0 && !foreign.contains($0.record.revision) }
    }
    var keys: [[UInt8]] = []
    do {
      // A request without changes must not cost a transaction.
      if try !records.isEmpty || !isPlanned(household) {
        try write(household) { intake in
          try store(records, household.store, &intake, &keys, &refused)
          if isStrict, let first = refused.first { throw first }
        }
      }
    } catch let refusal as Refusal {
      return refusal.response
    }
    return try answer(household.store, since: body.base, with: keys, refused)
  }

  /// The place of a record in the body.
  struct Place {
    let kind: PlannerKind
    let index: Int

    /// The JSON pointer of the record (RFC 6901).
    var pointer: String { "/\(kind.list)/\(index)" }
  }

  struct Refusal: Error {
    let place: Place
    let code: ErrorCode
    let message: String

    var json: JSONValue {
      [
        "pointer": .string(place.pointer), "code": .string(code.rawValue),
        "message": .string(message.escapingControls),
      ]
    }

    var response: HTTPResponse { .error(422, Diagnostic(code, "\(place.pointer): \(message)")) }
  }

  /// The maximum number of values in a body: more would use too much memory, and households do not have that
  /// many records.
  private static let mostValues = 500_000

  private func body() throws -> (base: Int64, records: [(Place, JSONValue)]) {
    guard exchange.body.count(where: { $0 == UInt8(ascii: ",") }) < Self.mostValues else { throw TooLarge() }
    guard let members = try exchange.json().objectValue else {
      throw Diagnostic(.notAnObject, "the body is not an object", line: 1)
    }
    if let name = members.repeatedName {
      throw Diagnostic(.duplicateMember, "duplicate member '\(name.escapingControls)'", line: 1)
    }
    guard let base = (members[named: "baseRevision"].flatMap { $0 == .null ? nil : $0 } ?? 0).intValue,
      0...Schemas.lastRevision ~= Int64(base)
    else {
      throw Diagnostic(.wrongType, "'baseRevision' is not a revision", line: 1)
    }
    let lists = PlannerKind.allCases.map(\.list)
    // Records in a list of another name would be lost. Other members may be an app's own.
    let unknown = members.first { $0.value.arrayValue?.isEmpty == false && !lists.contains($0.name) }
    if let unknown {
      throw Diagnostic(
        .unknownMember, "unknown list '\(unknown.name.shown)'; known: \(lists.joined(separator: ", "))",
        line: 1)
    }
    var records: [(Place, JSONValue)] = []
    for kind in PlannerKind.allCases {
      guard let list = members[named: kind.list], list != .null else { continue }
      guard let values = list.arrayValue else {
        throw Diagnostic(.wrongType, "'\(kind.list)' is not an array", line: 1)
      }
      for (index, value) in values.enumerated() { records.append((Place(kind: kind, index: index), value)) }
    }
    return (Int64(base), records)
  }

  // MARK: Storing

  /// The maximum size of a record in bytes, as a change line.
  private static let longestRecord = 64 << 10

  /// Runs a body in one transaction of a household with the planner's merge rules, and plans its turns.
  private func write(_ household: OpenHousehold, _ body: (inout LocalIntake) throws -> Void) throws {
    let store = household.store
    let isNewDay = household.planned?.day != day
    var isPlanned = true
    do {
      try store.write {
        try store.requireRevisions()
        try requireRules(store)
        if try store.rules() == nil { try store.setRules(.chores) }
        isPlanned = try plan(household, body)
      }
    } catch {
      // The records that were read in the transaction are not stored.
      household.known.forget()
      throw error
    }
    household.planned = (day, store.state)
    household.known.noteCommit(to: household)
    if !isPlanned, isNewDay {
      let place = rules.places.label(of: household.name)
      trouble(Diagnostic(.messageTooLarge, "too many members and chores; turns are not planned", file: place))
    }
  }

  /// Plans the turns after the changes of a body, inside a `write`; false if there are too many.
  ///
  /// Throws `TooLarge` if it is the body that causes this. If other programs have caused it, an app can still
  /// read and send records.
  private func plan(_ household: OpenHousehold, _ body: (inout LocalIntake) throws -> Void) throws -> Bool {
    let (store, turns) = (household.store, PlannedTurns(household, rules))
    let old = try turns.records().household
    var intake = try LocalIntake(store, .chores, now: rules.now())
    try body(&intake)
    if let planned = household.planned, planned == (day, store.state) { return true }
    guard try turns.canPlan(turns.records().household) else {
      if turns.canPlan(old) { throw TooLarge() }
      return false
    }
    try turns.plan(&intake)
    if intake.counts.stored > 0 { try turns.tell(old, actor: member) }
    return true
  }

  /// The error for a body after which the household has too many turns to plan.
  struct TooLarge: Error {}

  /// The error for a household that does not merge by the planner's rules.
  struct OtherRules: Error {}

  private func requireRules(_ store: ChangeStore) throws {
    if let present = try store.rules(), !present.hasSameRules(as: .chores) { throw OtherRules() }
  }

  private func store(
    _ records: [(place: Place, record: PlannerRecord)], _ store: ChangeStore, _ intake: inout LocalIntake,
    _ keys: inout [[UInt8]], _ refused: inout [Refusal]
  ) throws {
    for (place, record) in records {
      let (key, outcome): ([UInt8], LocalIntake.Outcome?)
      do {
        (key, outcome) = try self.store(record, store, &intake)
      } catch let error as MemberError {
        refused.append(Refusal(place: place, code: error.code, message: error.message))
        continue
      }
      keys.append(key)
      switch outcome {
      case .stored, .same, .conflict: break
      case .refused:
        refused.append(
          Refusal(
            place: place, code: .conflict,
            message: "it is older than the time of the last prune"))
      case .excess(let excess):
        refused.append(Refusal(place: place, code: excess.code, message: excess.message))
      case .ahead, nil:
        refused.append(
          Refusal(
            place: place, code: .clockAhead,
            message: "its clock is further ahead of now than the server allows"))
      }
    }
  }

  /// Stores a record; returns its key and the outcome, which is nil if its clock is too far ahead.
  private func store(
    _ record: PlannerRecord, _ store: ChangeStore, _ intake: inout LocalIntake
  ) throws -> (key: [UInt8], LocalIntake.Outcome?) {
    let now = rules.now()
    var (lines, key) = (LineReader(RecordShape.chores), [UInt8]())
    let first = PlannerRecord.line(record.kind, id: record.id, record.content, clock: record.clock ?? now)
    let change = try lines.read(first.span, key: &key)
    if let drift = rules.maximumDrift,
      !DriftGuard(now: now, maximum: drift).admits(change)
        || record.end.map({ $0 > now.advanced(by: drift) }) ?? false
    {
      return (key, nil)
    }
    let stored = try store.line(of: key.span).flatMap { PlannerLine($0.line.span) }
    let content = record.content(over: stored)
    if let stored, !stored.isDeleted, stored.content == content { return (key, .same) }
    // A record without a time counts as changed now.
    let clock = record.clock ?? max(now, stored?.clock?.afterwards ?? now)
    let line = PlannerRecord.line(record.kind, id: stored?.id ?? record.id, content, clock: clock)
    guard line.count <= Self.longestRecord else { return (key, .excess(.length(Self.longestRecord))) }
    try PlannedTurns.check(line, rules)
    return (key, try intake.apply(key.span, changeLine: line.span))
  }
}
