/// The occurrences of a template that are in the state, one a date, and what becomes of the others.
struct SlotTable: Sendable {
  /// A date that has an occurrence.
  struct Slot: Sendable {
    enum Kind: Sendable { case pending, done, skipped }

    var day: Int
    /// The place of the occurrence among those of the template.
    var index: Int
    var kind: Kind
    /// Whose turn it was, or who has it by an override.
    var holder: Int?
  }

  /// In the order of their dates.
  private(set) var slots: [Slot] = []
  /// Places of pending occurrences that are not planned.
  private(set) var unplanned: [Int] = []
  /// Places of what is done or skipped before the cut-off.
  private(set) var ignored: [Int] = []
  /// Those that are done or skipped, with their dates; places before the cut-off come first.
  private(set) var ended: [(day: Int, place: Int)] = []
  /// The latest clock of what turns were computed from.
  private(set) var clock: Instant?

  private let household: Household
  private let occurrences: [Stored<Occurrence>]
  private let schedule: Schedule

  /// `planned` are the dates that are generated, `cutOff` the first date that counts.
  init(
    _ template: Stored<Template>, _ schedule: Schedule, planned: ClosedRange<Int>?, cutOff: Int,
    in household: Household
  ) {
    self.household = household
    self.schedule = schedule
    occurrences = household.occurrences[template.record.id] ?? []
    clock = .later(household.commonClock, template.clock)
    clock = .later(clock, household.summary(of: template.record.id)?.clock)
    guard !occurrences.isEmpty else { return }
    let dates = OccurrenceDates(occurrences, schedule, planned: planned)
    let order = occurrences.indices.sorted { a, b in
      dates.days[a] != dates.days[b] ? dates.days[a] < dates.days[b] : isPreferred(a, to: b, dates)
    }
    var start = 0
    while start < order.count {
      let day = dates.days[order[start]]
      let end = order[start...].firstIndex { dates.days[$0] != day } ?? order.count
      for place in order[start..<end] where kind(place) != .pending { ended.append((day, place)) }
      if day < cutOff { putAside(order[start..<end]) } else { add(order[start..<end], day) }
      start = end
    }
  }

  /// What lies before the cut-off: what is pending there is not planned any more.
  private mutating func putAside(_ places: ArraySlice<Int>) {
    for place in places {
      if kind(place) == .pending { unplanned.append(place) } else { ignored.append(place) }
    }
  }

  /// Done before skipped before pending; the earlier; what bears the date's id; the smaller id.
  private func isPreferred(_ a: Int, to b: Int, _ dates: OccurrenceDates) -> Bool {
    let (kinds, x, y) = ((kind(a), kind(b)), occurrences[a], occurrences[b])
    if kinds.0 != kinds.1 { return kinds.0 == .done || kinds.1 == .pending }
    if kinds.0 == .done, let mine = household.done(x.record.id)?.first.time,
      let other = household.done(y.record.id)?.first.time, mine != other
    {
      return mine < other
    }
    if dates.bearsID[a] != dates.bearsID[b] { return dates.bearsID[a] }
    return x.record.id != y.record.id ? x.record.id < y.record.id : x.line.lowerBound < y.line.lowerBound
  }

  private func kind(_ index: Int) -> Slot.Kind {
    let occurrence = occurrences[index].record
    if occurrence.status == .completed || household.done(occurrence.id) != nil { return .done }
    return occurrence.status == .skipped ? .skipped : .pending
  }

  /// Takes the occurrences of a date, the preferred one first.
  private mutating func add(_ preferred: ArraySlice<Int>, _ day: Int) {
    let places = overriddenFirst(preferred, day)[...]
    guard let first = places.first else { return }
    let kind = kind(first)
    for place in places where self.kind(place) != .pending { addClock(of: place) }
    let isPlanned = kind != .pending || schedule.recurrence?.contains(day) == true
    let rest = isPlanned ? places.dropFirst() : places
    unplanned += rest.filter { self.kind($0) == .pending }
    guard isPlanned else { return }
    slots.append(Slot(day: day, index: first, kind: kind, holder: holder(first, kind, places, day)))
  }

  /// Of pending occurrences the one stays that the override names which counts: it would be lost with that.
  private func overriddenFirst(_ places: ArraySlice<Int>, _ day: Int) -> [Int] {
    guard household.hasOverrides, places.count > 1, let first = places.first, kind(first) == .pending,
      let named = household.latestOverride(ofAny: ids(places, day))?.occurrence,
      let place = places.first(where: { occurrences[$0].record.id == named })
    else { return Array(places) }
    return [place] + places.filter { $0 != place }
  }

  /// By which an override may name a date.
  private func ids(_ places: ArraySlice<Int>, _ day: Int) -> [RecordID] {
    places.map { occurrences[$0].record.id } + [RecordID(schedule.names.id(of: day).text)]
  }

  private mutating func addClock(of place: Int) {
    let occurrence = occurrences[place]
    if occurrence.record.status != .pending { clock = .later(clock, occurrence.clock) }
    clock = .later(clock, household.done(occurrence.record.id)?.clock)
  }

  private func holder(_ place: Int, _ kind: Slot.Kind, _ places: ArraySlice<Int>, _ day: Int) -> Int? {
    let occurrence = occurrences[place].record
    switch kind {
    case .done:
      guard let done = household.done(occurrence.id) else { return household.index(of: occurrence.assigned) }
      return household.index(of: done.first.member)
    case .skipped: return household.index(of: occurrence.assigned)
    case .pending:
      guard household.hasOverrides else { return nil }
      return household.override(ofAny: ids(places, day))
    }
  }
}
