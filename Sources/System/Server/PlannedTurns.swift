import Chores
import JSONLines
import Store
import SyncCore

/// Plans the turns of a household again after a change of its records or a new day.
struct PlannedTurns {
  private let open: OpenHousehold
  private let store: ChangeStore
  private let name: String
  private let now: Instant
  private let zones: @Sendable (String) -> Zone?

  /// The time ahead for which turns are planned, as in `assign`.
  private static let horizon = Duration.seconds(60 * 86_400)

  init(_ household: OpenHousehold, _ rules: HouseholdRules) {
    (open, store, name) = (household, household.store, household.name)
    (now, zones) = (rules.now(), rules.zones)
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
      tellingLosers: try store.tellsLosers(), rules: HoldingRules(), now: now)
    let list = PushList(of: store, in: name)
    try list.add(plan.withdrawals)
    try list.add(plan.notifications(upTo: ChangeStore.mostPushes))
  }

  /// Queues the due reminders, each once; returns the time of the next reminder.
  func remind() throws -> Instant? {
    let now = try store.read { try reminders() }
    if !now.notifications.isEmpty || !now.withdrawals.isEmpty {
      try store.write {
        let reminders = try reminders()
        let list = PushList(of: store, in: name)
        try list.add(reminders.withdrawals)
        try list.add(reminders.notifications)
      }
    }
    return now.next
  }

  private func reminders() throws -> DueReminders {
    DueReminders(try records().household, rules: HoldingRules(), now: now)
  }
}
