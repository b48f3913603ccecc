import SyncCore

/// The occurrences of a template in the state: one for each date, and lists of the other occurrences.
struct SlotTable: Sendable {
  /// A date that has an occurrence.
  struct Slot: Sendable {
    var day: Int
    /// The place of the occurrence among those of the template; nil if the state has only its completion.
    var index: Int?
    var status: Occurrence.Status
    /// The member who had the turn, or who has it by an override.
    var holder: Int?
  }

  /// The dates with an occurrence, sorted.
  private(set) var slots: [Slot] = []
  /// Places of pending occurrences that are not planned.
  private(set) var unplanned: [Int] = []
  /// Places of done and skipped occurrences before the cut-off.
  private(set) var ignored: [Int] = []
  /// Done and skipped occurrences with their dates; those before the cut-off come first.
  private(set) var ended: [(day: Int, place: Int)] = []
  /// The latest clock of the records from which turns were computed.
  private(set) var clock: Instant?

  private let household: Household
  private let occurrences: [Stored<Occurrence>]
  private let schedule: Schedule

  /// `planned` are the generated dates; `cutOff` is the first date that counts.
  init(
    _ template: Stored<Template>, _ schedule: Schedule, planned: ClosedRange<Int>?, cutOff: Int,
    in household: Household
  ) {
    self.household = household
    self.schedule = schedule
    occurrences = household.occurrences[template.record.id] ?? []
    clock = .later(household.commonClock, template.clock)
    clock = .later(clock, household.summary(of: template.record.id)?.clock)
    if !occurrences.isEmpty { addOccurrences(planned, cutOff) }
    if let planned, household.hasCompletions {
      addCompletions(from: max(planned.lowerBound, cutOff), through: planned.upperBound)
    }
  }

  private mutating func addOccurrences(_ planned: ClosedRange<Int>?, _ cutOff: Int) {
    let dates = OccurrenceDates(occurrences, schedule, planned: planned)
    let order = occurrences.indices.sorted { a, b in
      dates.days[a] != dates.days[b] ? dates.days[a] < dates.days[b] : isPreferred(a, to: b, dates)
    }
    var start = 0
    while start < order.count {
      let day = dates.days[order[start]]
      let end = order[start...].firstIndex { dates.days[$0] != day } ?? order.count
      for place in order[start..<end] where status(place) != .pending { ended.append((day, place)) }
      if day < cutOff { putAside(order[start..<end]) } else { add(order[start..<end], day) }
      start = end
    }
  }

  /// Counts a planned date as done if the state has its completion but not its occurrence.
  ///
  /// The occurrences of these dates are created now and later count as done. This must not change the
  /// next turns.
  private mutating func addCompletions(from first: Int, through last: Int) {
    guard let recurrence = schedule.recurrence else { return }
    let stored = slots.count
    var place = 0
    var day = recurrence.first(from: first)
    while day <= last {
      while place < stored, slots[place].day < day { place += 1 }
      let isStored = place < stored && slots[place].day == day
      if !isStored, let done = household.done(RecordID(schedule.names.id(of: day).text)) {
        clock = .later(clock, done.clock)
        let holder = household.index(of: done.first.member)
        slots.append(Slot(day: day, index: nil, status: .completed, holder: holder))
      }
      day = recurrence.next(after: day)
    }
    if slots.count > stored { slots.sort { $0.day < $1.day } }
  }

  /// Records occurrences before the cut-off: pending ones as no longer planned, the others as ignored.
  private mutating func putAside(_ places: ArraySlice<Int>) {
    for place in places {
      if status(place) == .pending { unplanned.append(place) } else { ignored.append(place) }
    }
  }

  /// Orders by the household's preference, then by the id's date, then by the smaller id.
  private func isPreferred(_ a: Int, to b: Int, _ dates: OccurrenceDates) -> Bool {
    let (x, y) = (occurrences[a], occurrences[b])
    if let isPreferred = household.prefers(x.record, to: y.record) { return isPreferred }
    if dates.bearsID[a] != dates.bearsID[b] { return dates.bearsID[a] }
    return x.record.id != y.record.id ? x.record.id < y.record.id : x.line.lowerBound < y.line.lowerBound
  }

  private func status(_ index: Int) -> Occurrence.Status { household.status(of: occurrences[index].record) }

  /// Adds the occurrences of a date, the preferred one first.
  private mutating func add(_ preferred: ArraySlice<Int>, _ day: Int) {
    let places = overriddenFirst(preferred, day)[...]
    guard let first = places.first else { return }
    let status = status(first)
    for place in places where self.status(place) != .pending { addClock(of: place) }
    let isPlanned = status != .pending || schedule.recurrence?.contains(day) == true
    let rest = isPlanned ? places.dropFirst() : places
    unplanned += rest.filter { self.status($0) == .pending }
    guard isPlanned else { return }
    slots.append(Slot(day: day, index: first, status: status, holder: holder(first, status, places, day)))
  }

  /// Moves the pending occurrence of the valid override to the front; otherwise the override would be lost.
  private func overriddenFirst(_ places: ArraySlice<Int>, _ day: Int) -> [Int] {
    guard household.hasOverrides, places.count > 1, let first = places.first, status(first) == .pending,
      let named = household.latestOverride(ofAny: ids(places, day))?.occurrence,
      let place = places.first(where: { occurrences[$0].record.id == named })
    else { return Array(places) }
    return [place] + places.filter { $0 != place }
  }

  /// The ids by which an override may name a date.
  private func ids(_ places: ArraySlice<Int>, _ day: Int) -> [RecordID] {
    places.map { occurrences[$0].record.id } + [RecordID(schedule.names.id(of: day).text)]
  }

  private mutating func addClock(of place: Int) {
    let occurrence = occurrences[place]
    if occurrence.record.status != .pending { clock = .later(clock, occurrence.clock) }
    clock = .later(clock, household.done(occurrence.record.id)?.clock)
  }

  private func holder(
    _ place: Int, _ status: Occurrence.Status, _ places: ArraySlice<Int>, _ day: Int
  ) -> Int? {
    let occurrence = occurrences[place].record
    switch status {
    case .completed:
      guard let done = household.done(occurrence.id) else { return household.index(of: occurrence.assigned) }
      return household.index(of: done.first.member)
    case .skipped: return household.index(of: occurrence.assigned)
    case .pending:
      guard household.hasOverrides else { return nil }
      return household.override(ofAny: ids(places, day))
    }
  }
}
