import Chores
import JSONLines
import Store
import SyncCore

/// Plans the turns of a household again after a change of its records or a new day.
struct PlannedTurns {
  private let open: OpenHousehold
  private let store: ChangeStore
  private let now: Instant
  private let zones: @Sendable (String) -> Zone?
  private let list: PushList

  /// The time ahead for which turns are planned, as in `assign`.
  private static let horizon = Duration.seconds(60 * 86_400)
  /// The rules of notifications.
  ///
  /// Each lists only the nights of a month, because the server keeps many of them.
  private static let holding: HoldingRules = {
    var rules = HoldingRules()
    rules.reach = .seconds(30 * 86_400)
    return rules
  }()

  init(_ household: OpenHousehold, _ rules: HouseholdRules) {
    (open, store) = (household, household.store)
    (now, zones) = (rules.now(), rules.zones)
    list = PushList(of: household.store, in: household.name, quota: rules.quota, now: now)
  }

  /// The present records, inside `read` or `write`; `isDamaged` if one of them could not be read.
  func records() throws -> KnownRecords.Value { try open.known.records(of: open) { try read() } }

  private func read() throws -> KnownRecords.Value {
    var (household, isDamaged) = (Household(), false)
    var (reader, records) = (ChangeReader(RecordShape.chores), ChoreReader())
    try store.forEachLine(after: 0) { _, line, _ in
      do throws(MemberError) {
        let (text, change, key) = reader.read(line)
        guard let record = try records.read(text.span, change, key: key, &reader) else { return }
        let place = household.append(text.span)
        try household.add(record, clock: change.clock, line: place, zones: zones)
      } catch {
        isDamaged = true
      }
    }
    household.arrange()
    return (household, isDamaged)
  }

  /// Throws if a change line is invalid by the rules of chores; a household with such a record cannot be
  /// planned completely.
  static func check(_ line: [UInt8], _ rules: HouseholdRules) throws(MemberError) {
    var (reader, records, household) = (ChangeReader(RecordShape.chores), ChoreReader(), Household())
    let (text, change, key) = reader.read(line.span)
    guard let record = try records.read(text.span, change, key: key, &reader) else { return }
    try household.add(record, clock: change.clock, line: 0..<0, zones: rules.zones)
  }

  /// The maximum number of steps of a plan: more steps would occupy a thread for too many seconds.
  private static let mostSteps = 1 << 26

  private func assignment(_ household: Household, withholdingDeletions: Bool = false) -> Assignment {
    let horizon = Horizon(now: now, until: .after(Self.horizon))
    return Assignment(household, horizon, withholdingDeletions: withholdingDeletions)
  }

  /// Whether the turns of a household can be planned in a short time.
  func canPlan(_ household: Household) -> Bool { assignment(household).takes(atMost: Self.mostSteps) }

  /// Stores the new and changed occurrences, inside a `write`.
  ///
  /// If a record of the household is damaged, turns are not removed, because they may depend on that record.
  func plan(_ intake: inout LocalIntake) throws {
    let (household, isDamaged) = try records()
    let assignment = assignment(household, withholdingDeletions: isDamaged)
    var (reader, lines) = (ChangeReader(RecordShape.chores), LineReader(RecordShape.chores))
    for part in assignment.parts {
      for line in assignment.lines(of: part, &reader).bytes.split(separator: 10) {
        let line = Array(line)
        var key: [UInt8] = []
        _ = try lines.read(line.span, key: &key)
        _ = try intake.apply(key.span, changeLine: line.span)
      }
    }
  }

  /// Queues the notifications of all changes since `old`, inside the same `write`; `actor` made the changes.
  func tell(_ old: Household, actor: String?) throws {
    let plan = ChangeNotifications(
      old: old, new: try records().household, actor: actor.map { RecordID(Array($0.utf8)) },
      tellingLosers: try store.tellsLosers(), rules: Self.holding, now: now)
    try list.add(plan.withdrawals)
    try list.add(plan.notifications(upTo: ChangeStore.mostPushes))
  }

  /// Queues the due reminders, each once; returns the time of the next reminder or of the next check.
  ///
  /// If not all reminders have room, those of the turns that are due first are queued, and the others are
  /// made again later. They get half of the list, so that they do not displace all other notifications.
  func remind() throws -> Instant? {
    let (due, kept) = try store.read { (try reminders(), try store.keptPushes()) }
    var next = [due.next]
    var isKept = !kept.isEmpty
    let hasReminder = due.lazyNotifications.first { _ in true } != nil
    if hasReminder || !due.withdrawals.isEmpty || list.hasExcess(kept) {
      let hasAll = try store.write {
        let due = try reminders()
        try list.add(due.withdrawals)
        return try list.add(due.lazyNotifications, parts: 2)
      }
      isKept = true
      if !hasAll { next.append(now.advanced(by: .seconds(3_600))) }
    }
    // Expired lines count for the quota, so remove them even if nothing else happens.
    if isKept { next.append(now.advanced(by: .seconds(86_400))) }
    return next.compactMap(\.self).min()
  }

  private func reminders() throws -> DueReminders {
    DueReminders(try records().household, rules: Self.holding, now: now)
  }
}
