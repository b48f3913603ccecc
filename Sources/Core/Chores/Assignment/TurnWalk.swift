package import SyncCore

/// Visits the dates of a template in order and assigns a member to each.
package struct TurnWalk: Sendable {
  /// A date, and the member who has the turn.
  package struct Turn: Sendable {
    package enum Reason: Sendable { case done, skipped, overridden, given }

    package var day: Int
    /// The place of its occurrence among those of the template; nil if it does not exist yet.
    package var stored: Int?
    /// The place of the member; nil for a turn without a member.
    package var holder: Int?
    package var reason: Reason
  }

  package let template: Stored<Template>
  package let schedule: Schedule
  package let order: TurnOrder
  /// The state before the last turn returned by `next`.
  package private(set) var book: TurnBook
  package private(set) var attendance: Attendance
  private let household: Household
  private let table: SlotTable
  private var nextSlot = 0
  private var nextPlanned: Int?
  private let lastPlanned: Int
  /// The member who had the last turn.
  private var holder: Int?

  package init(_ template: Stored<Template>, _ horizon: Horizon, in household: Household) {
    (self.template, self.household) = (template, household)
    let record = template.record
    schedule = Schedule(record, in: household)
    order = TurnOrder(record, in: household)
    attendance = Attendance(order, record, in: household)
    book = TurnBook(record, in: household)
    let cutOff = household.summary(of: record.id)?.record.before ?? .min
    let days = horizon.days(in: schedule.zone)
    table = SlotTable(template, schedule, planned: days, cutOff: cutOff, in: household)
    lastPlanned = days?.upperBound ?? .min
    nextPlanned = days.flatMap { schedule.recurrence?.first(from: max($0.lowerBound, cutOff)) }
  }

  /// Places of pending occurrences that are not planned.
  package var unplanned: [Int] { table.unplanned }

  /// Places of done and skipped occurrences before the cut-off.
  package var ignored: [Int] { table.ignored }

  /// The latest clock of the records from which turns are computed.
  package var clock: Instant? { table.clock }

  /// Places of done and skipped occurrences, with their dates.
  package var ended: [(day: Int, place: Int)] { table.ended }

  /// Visits done and skipped dates before `limit`, up to the first pending date.
  ///
  /// - Returns: the date at which the visit stopped; the book has the turns before that date.
  package mutating func close(before limit: Int) -> Int {
    while nextSlot < table.slots.count, table.slots[nextSlot].day < limit {
      guard table.slots[nextSlot].status != .pending else {
        settle()
        return table.slots[nextSlot].day
      }
      _ = next()
    }
    settle()
    return limit
  }

  /// Adds the last turn to the book.
  private mutating func settle() {
    if let holder { book.record(holder) }
    holder = nil
  }

  /// The next date; nil at the end.
  package mutating func next() -> Turn? {
    settle()
    let planned = nextPlanned.flatMap { $0 <= lastPlanned ? $0 : nil }
    var slot: SlotTable.Slot?
    if nextSlot < table.slots.count, table.slots[nextSlot].day <= planned ?? .max {
      slot = table.slots[nextSlot]
    }
    guard let day = slot?.day ?? planned else { return nil }
    if slot != nil { nextSlot += 1 }
    if day == planned { nextPlanned = schedule.recurrence?.next(after: day) }
    if attendance.advance(to: day) { book.meet(attendance.isPresent) }
    let turn = turn(on: day, slot)
    if turn.reason != .skipped || template.record.skip == .pass { holder = turn.holder }
    return turn
  }

  private func turn(on day: Int, _ slot: SlotTable.Slot?) -> Turn {
    switch slot?.status {
    case .completed: return Turn(day: day, stored: slot?.index, holder: slot?.holder, reason: .done)
    case .skipped: return Turn(day: day, stored: slot?.index, holder: slot?.holder, reason: .skipped)
    case .pending, nil: break
    }
    let override = slot == nil ? overrideOfNew(day) : slot?.holder
    if let override { return Turn(day: day, stored: slot?.index, holder: override, reason: .overridden) }
    let holder = template.record.rule.choice(book, order, attendance)
    return Turn(day: day, stored: slot?.index, holder: holder, reason: .given)
  }

  private func overrideOfNew(_ day: Int) -> Int? {
    guard household.hasOverrides else { return nil }
    return household.override(ofAny: [RecordID(schedule.names.id(of: day).text)])
  }
}
