package import SyncCore

/// When a template is due, and the ids of its occurrences.
package struct Schedule: Sendable {
  package let zone: Zone
  /// How the dates recur; nil if dates are not planned.
  package let recurrence: Recurrence?
  package let names: OccurrenceNames
  package let secondOfDay: Int

  init(_ template: Template, in household: Household) {
    zone = household.zone(of: template)
    names = OccurrenceNames(template.id)
    guard template.isActive, let anchor = template.anchor else {
      (recurrence, secondOfDay) = (nil, 0)
      return
    }
    let local = zone.local(anchor)
    recurrence = Recurrence(anchor: local.day, unit: template.unit, value: template.value)
    secondOfDay = local.second
  }

  /// The due time on a date, in seconds since 1970.
  @inline(__always)
  func due(on day: Int) -> Int { zone.seconds(day: day, second: secondOfDay) }
}

/// The due dates of a template, as day numbers.
///
/// Each date is counted from the anchor, so months do not drift. The 31st becomes the last day of a shorter
/// month, and the next month uses the 31st again.
package struct Recurrence: Equatable, Sendable {
  package enum Unit: Equatable, Sendable { case days, months }

  package let anchor: Int
  /// The number of units between two dates; above 0.
  package let step: Int
  package let unit: Unit
  private let firstMonth: Int
  private let dayOfMonth: Int

  /// A recurrence every `value` units; nil if `value` is not above 0, because dates then do not recur.
  package init?(anchor: Int, unit: String, value: Int) {
    guard value > 0 else { return nil }
    self.anchor = anchor
    let (year, month, day) = Civil.date(of: anchor)
    (firstMonth, dayOfMonth) = (year * 12 + month - 1, day)
    // With a larger step, a second date would be outside the range of years.
    let value = min(value, 10_000_000)
    (self.unit, step) =
      switch unit {
      case "days": (.days, value)
      case "months": (.months, value)
      default: (.days, value * 7)
      }
  }

  /// The first date that is not before `day`.
  package func first(from day: Int) -> Int {
    guard day > anchor else { return anchor }
    switch unit {
    case .days: return anchor + (day - anchor + step - 1) / step * step
    case .months:
      let (year, month, _) = Civil.date(of: day)
      let index = (year * 12 + month - 1 - firstMonth) / step
      let date = date(inMonth: firstMonth + index * step)
      return date >= day ? date : self.date(inMonth: firstMonth + (index + 1) * step)
    }
  }

  @inline(__always)
  package func next(after day: Int) -> Int { unit == .days ? day &+ step : first(from: day + 1) }

  package func contains(_ day: Int) -> Bool { day >= anchor && first(from: day) == day }

  private func date(inMonth number: Int) -> Int {
    let year = Civil.floorDivide(number, 12)
    let month = number - year * 12 + 1
    return Civil.day(year, month, min(dayOfMonth, Civil.days(inMonth: month, of: year)))
  }
}

extension Civil {
  /// Whether the date of a day number can be written: its year has four digits.
  static func isWritable(_ day: Int) -> Bool { (0...9999).contains(date(of: day).year) }
}

/// The date of each occurrence of a template.
struct OccurrenceDates {
  private(set) var days: [Int] = []
  /// Whether each occurrence has the id derived from its date.
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

  /// Finds occurrences with the id of a planned date, even if their due date has changed.
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

  /// Finds the date of an occurrence by its id.
  ///
  /// In another zone, the date of an instant can differ by two days.
  private mutating func settle(_ id: UUIDValue, _ place: Int, _ names: OccurrenceNames) {
    let own = days[place]
    guard let day = [own - 1, own + 1, own - 2, own + 2].first(where: { names.id(of: $0) == id }) else {
      return
    }
    (days[place], bearsID[place]) = (day, true)
  }
}

/// The ids of a template's records, derived from its id and a date, so they are the same on all devices.
package struct OccurrenceNames: Sendable {
  /// UUIDv5 of `peersync` in the namespace of domain names.
  package static let namespace = UUIDValue(high: 0x814F_847C_3D94_5BED, low: 0xACB8_D07A_BC1B_0968)

  private let names: UUIDNames
  private let template: RecordID

  package init(_ template: RecordID) {
    self.template = template
    // The case is kept: ids that are not UUIDs can differ only by case, and their occurrences must differ
    // too.
    names = UUIDNames(in: Self.namespace, beginning: template.bytes + Array("|".utf8))
  }

  /// The id of the occurrence of a date.
  @inline(__always)
  package func id(of day: Int) -> UUIDValue { names.id(ofDate: day) }

  /// The id of the summary with this cut-off.
  package func summary(before day: Int) -> UUIDValue { names.id(of: "before|\(CivilText.date(day))") }
}
