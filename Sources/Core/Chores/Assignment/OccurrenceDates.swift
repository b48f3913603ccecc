import SyncCore

/// To which date each occurrence of a template belongs.
struct OccurrenceDates {
  private(set) var days: [Int] = []
  /// Whether it has the id that is made of that date.
  private(set) var bearsID: [Bool] = []

  init(_ occurrences: [Stored<Occurrence>], _ schedule: Schedule, planned: ClosedRange<Int>?) {
    var strangers: [UUIDValue: Int] = [:]
    for (place, occurrence) in occurrences.enumerated() {
      let day = schedule.zone.day(of: occurrence.record.due)
      let id = occurrence.record.id.uuid
      let bearsID = id != nil && schedule.names.id(of: day) == id
      days.append(day)
      self.bearsID.append(bearsID)
      if !bearsID, let id { strangers[id] = place }
    }
    if let planned, let recurrence = schedule.recurrence, !strangers.isEmpty {
      claim(&strangers, schedule.names, recurrence, planned)
    }
    for (id, place) in strangers { settle(id, place, schedule.names) }
  }

  /// Finds those that bear the id of a planned date, wherever their due date has gone.
  private mutating func claim(
    _ strangers: inout [UUIDValue: Int], _ names: OccurrenceNames, _ recurrence: Recurrence,
    _ planned: ClosedRange<Int>
  ) {
    var day = recurrence.first(from: planned.lowerBound)
    while day <= planned.upperBound, !strangers.isEmpty {
      if let place = strangers.removeValue(forKey: names.id(of: day)) {
        (days[place], bearsID[place]) = (day, true)
      }
      day = recurrence.next(after: day)
    }
  }

  /// Another zone makes another date of a moment, two days away at most.
  private mutating func settle(_ id: UUIDValue, _ place: Int, _ names: OccurrenceNames) {
    let own = days[place]
    guard let day = [own - 1, own + 1, own - 2, own + 2].first(where: { names.id(of: $0) == id }) else {
      return
    }
    (days[place], bearsID[place]) = (day, true)
  }
}
