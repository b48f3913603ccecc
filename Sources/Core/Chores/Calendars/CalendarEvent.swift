import JSONLines
import SyncCore

/// An event, or one occurrence of an event that differs from its other occurrences.
struct CalendarEvent {
  /// How long each occurrence is.
  private enum Length {
    /// This many seconds.
    case exact(Int)
    /// Days on local clocks, then seconds.
    case nominal(days: Int, seconds: Int)
  }

  let id: String
  /// The occurrence that this one replaces, in seconds since 1970.
  let replaced: Int?
  private let isBusy: Bool
  private let (start, zone): (CalendarTime, Zone)
  private let length: Length
  private let (rules, exceptions): ([CalendarRule], [CalendarRule])
  /// The beginnings and intervals that a list adds or removes, in seconds since 1970.
  private var (added, periods, removed): (Set<Int>, [Range<Int>], Set<Int>) = ([], [], [])

  init(_ properties: CalendarProperties, _ zones: CalendarZones) throws(CalendarError) {
    id = try properties.value("UID") ?? ""
    let isCancelled = try properties.value("STATUS")?.uppercased() == "CANCELLED"
    let isTransparent = try properties.value("TRANSP")?.uppercased() == "TRANSPARENT"
    isBusy = !isCancelled && !isTransparent
    guard let property = try properties.property("DTSTART") else {
      throw CalendarError("'DTSTART' is missing")
    }
    start = try CalendarProperties.time(property)
    zone = try zones.zone(of: start, property.zone)
    length = try Self.length(properties, zones, start, zone)
    (rules, exceptions) = (try properties.rules("RRULE"), try properties.rules("EXRULE"))
    replaced = try Self.replaced(properties, zones)
    for property in properties.all("RDATE") {
      if property.value.contains("/") {
        periods.append(try Self.period(property, zones))
      } else {
        added.insert(try Self.moment(property, zones))
      }
    }
    for property in properties.all("EXDATE") { removed.insert(try Self.moment(property, zones)) }
  }

  private static func moment(
    _ property: CalendarProperty, _ zones: CalendarZones
  ) throws(CalendarError) -> Int {
    let time = try CalendarProperties.time(property)
    return try zones.zone(of: time, property.zone).seconds(wall: time.wall)
  }

  private static func replaced(
    _ properties: CalendarProperties, _ zones: CalendarZones
  ) throws(CalendarError) -> Int? {
    guard let property = try properties.property("RECURRENCE-ID") else { return nil }
    guard property.range == nil else {
      throw CalendarError("'RECURRENCE-ID' with RANGE is not supported")
    }
    return try moment(property, zones)
  }

  private static func length(
    _ properties: CalendarProperties, _ zones: CalendarZones, _ start: CalendarTime, _ zone: Zone
  ) throws(CalendarError) -> Length {
    if let text = try properties.value("DURATION") {
      guard let length = CalendarTime.duration(text) else {
        throw CalendarError("'DURATION' is not a length of time: '\(text.shown)'")
      }
      return .nominal(days: length.days, seconds: length.seconds)
    }
    guard let property = try properties.property("DTEND") else {
      return .nominal(days: start.isDate ? 1 : 0, seconds: 0)
    }
    let end = try CalendarProperties.time(property)
    guard end.isDate == start.isDate else {
      throw CalendarError("'DTEND' and 'DTSTART' are of different kinds")
    }
    let seconds: Int
    if start.isDate {
      seconds = end.wall - start.wall
    } else {
      seconds = try moment(property, zones) - zone.seconds(wall: start.wall)
    }
    guard seconds >= 0 else { throw CalendarError("'DTEND' is before 'DTSTART'") }
    return start.isDate ? .nominal(days: seconds / 86_400, seconds: 0) : .exact(seconds)
  }

  /// `START/END` or `START/DURATION`.
  static func period(
    _ property: CalendarProperty, _ zones: CalendarZones
  ) throws(CalendarError) -> Range<Int> {
    let parts = property.value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let start = CalendarTime(parts[0]), !start.isDate else {
      throw CalendarError("'\(property.name)' is not a period: '\(property.value.shown)'")
    }
    let zone = try zones.zone(of: start, property.zone)
    let first = zone.seconds(wall: start.wall)
    var last: Int?
    if let length = CalendarTime.duration(parts[1]) {
      last = zone.seconds(wall: start.wall + length.days * 86_400) + length.seconds
    } else if let end = CalendarTime(parts[1]), !end.isDate {
      last = try zones.zone(of: end, property.zone).seconds(wall: end.wall)
    }
    guard let last, last >= first else {
      throw CalendarError("'\(property.name)' is not a period: '\(property.value.shown)'")
    }
    return first..<last
  }

  /// The times of the event within `window`, in seconds since 1970, except the occurrences `others`, which
  /// have their own events.
  ///
  /// Before each rule is expanded, `check` checks the time limit.
  func intervals(
    in window: Range<Int>, without others: Set<Int>, _ library: some CalendarReading,
    _ check: () throws(CalendarError) -> Void
  ) throws(CalendarError) -> [Range<Int>] {
    guard isBusy else { return [] }
    let end = zone.wall(window.upperBound)
    // A clock change moves the local time by less than a day.
    let first = zone.wall(window.lowerBound) - longest - 86_400
    var walls: Set = [start.wall]
    for rule in rules {
      try check()
      walls.formUnion(try rule.walls(from: start.wall, after: first, to: end, in: zone, library))
    }
    for rule in exceptions {
      try check()
      walls.subtract(try rule.walls(from: start.wall, after: first, to: end, in: zone, library))
    }
    let listed = added.map { zone.wall($0) }
    let all = walls.union(listed).map { interval(at: $0) } + periods
    let gone = replaced == nil ? removed.union(others) : []
    return all.filter { interval in
      !gone.contains(interval.lowerBound) && !interval.isEmpty && interval.overlaps(window)
    }
  }

  private var longest: Int {
    switch length {
    case .exact(let seconds): seconds
    case .nominal(let days, let seconds): days * 86_400 + seconds
    }
  }

  private func interval(at wall: Int) -> Range<Int> {
    let first = zone.seconds(wall: wall)
    switch length {
    case .exact(let seconds): return first..<first + seconds
    case .nominal(let days, let seconds):
      return first..<max(first, zone.seconds(wall: wall + days * 86_400) + seconds)
    }
  }
}
