import JSONLines
import SyncCore

/// The time zones that an iCalendar file names: those it defines, otherwise those of the system.
struct CalendarZones {
  private var own: [String: Zone] = [:]
  private let system: (String) -> Zone?
  /// The zone of floating times and of dates.
  let floating: Zone

  init(floating: Zone, system: @escaping (String) -> Zone?) {
    (self.floating, self.system) = (floating, system)
  }

  func zone(of time: CalendarTime, _ name: String?) throws(CalendarError) -> Zone {
    if time.isUTC { return .utc }
    guard let name, !time.isDate else { return floating }
    if let zone = own[name] ?? system(name) { return zone }
    throw CalendarError("unknown time zone '\(name.shown)', which the file does not define")
  }

  /// Adds a `VTIMEZONE`, with its rules expanded up to `end`; before each rule, `check` checks the time
  /// limit.
  mutating func add(
    _ component: CalendarComponent, until end: Instant, _ library: some CalendarReading,
    _ check: () throws(CalendarError) -> Void
  ) throws(CalendarError) {
    let properties = try CalendarProperties(component, library)
    guard let name = try properties.value("TZID") else { throw CalendarError("'TZID' is missing") }
    var changes: [(moment: Int, offset: Int)] = []
    var first: (moment: Int, offset: Int)?
    for part in component.parts {
      let properties = try CalendarProperties(part, library)
      guard let start = try properties.time("DTSTART"), let before = try properties.offset("TZOFFSETFROM"),
        let offset = try properties.offset("TZOFFSETTO")
      else {
        throw CalendarError("\(part.name.shown) needs 'DTSTART', 'TZOFFSETFROM' and 'TZOFFSETTO'")
      }
      // The file states each change in local time, with the offset that applies before the change.
      let zone = Zone { _ in before }
      var walls = [start.wall]
      for rule in try properties.rules("RRULE") {
        try check()
        walls += try rule.walls(from: start.wall, to: zone.wall(Int(end.seconds)), in: zone, library)
      }
      for time in try properties.times("RDATE") { walls.append(time.wall) }
      changes += walls.map { ($0 - before, offset) }
      if first.map({ start.wall - before < $0.moment }) ?? true { first = (start.wall - before, before) }
    }
    guard let first else { throw CalendarError("a time zone without STANDARD and DAYLIGHT") }
    changes.sort { $0.moment < $1.moment }
    let (moments, offsets) = (changes.map(\.moment), changes.map(\.offset))
    let zone = Zone { moment in
      // A binary search for the number of changes up to that time.
      var (low, high) = (0, moments.count)
      while low < high {
        let middle = (low + high) / 2
        if moments[middle] <= moment { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? first.offset : offsets[low - 1]
    }
    own[Self.unescaped(name)] = zone
    // Some programs write escapes in the parameters too, so the zone is also stored under the name with
    // escapes.
    if own[name] == nil { own[name] = zone }
  }
}

extension CalendarZones {
  /// The value of the property `TZID`, a TEXT (RFC 5545, 3.3.11), in the spelling of the parameter `TZID`.
  private static func unescaped(_ text: String) -> String {
    var (result, isEscaped) = ("", false)
    for scalar in text.unicodeScalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    return result
  }
}

/// The properties of one component.
struct CalendarProperties {
  private let all: [CalendarProperty]

  init(_ component: CalendarComponent, _ library: some CalendarReading) throws(CalendarError) {
    guard let all = library.properties(of: String(decoding: component.text, as: UTF8.self)) else {
      throw CalendarError("\(component.name.shown) cannot be read")
    }
    if let fault = all.first(where: { $0.name == CalendarProperty.unreadable }) {
      let id = all.first { $0.name == "UID" }?.value ?? ""
      throw CalendarError("invalid: \(fault.value.shown(upTo: 160))").of(event: id)
    }
    self.all = all
  }

  func all(_ name: String) -> [CalendarProperty] { all.filter { $0.name == name } }

  func property(_ name: String) throws(CalendarError) -> CalendarProperty? {
    let found = all(name)
    guard found.count < 2 else { throw CalendarError("more than one '\(name)'") }
    return found.first
  }

  func value(_ name: String) throws(CalendarError) -> String? { try property(name)?.value }

  func time(_ name: String) throws(CalendarError) -> CalendarTime? {
    guard let property = try property(name) else { return nil }
    return try Self.time(property)
  }

  func times(_ name: String) throws(CalendarError) -> [CalendarTime] {
    var times: [CalendarTime] = []
    for property in all(name) { times.append(try Self.time(property)) }
    return times
  }

  static func time(_ property: CalendarProperty) throws(CalendarError) -> CalendarTime {
    guard let time = CalendarTime(property.value) else {
      throw CalendarError("'\(property.name)' is not a date: '\(property.value.shown)'")
    }
    return time
  }

  func offset(_ name: String) throws(CalendarError) -> Int? {
    guard let text = try value(name) else { return nil }
    guard let offset = CalendarTime.offset(text) else {
      throw CalendarError("'\(name)' is not an offset: '\(text.shown)'")
    }
    return offset
  }

  func rules(_ name: String) throws(CalendarError) -> [CalendarRule] {
    var rules: [CalendarRule] = []
    for property in all(name) { rules.append(try CalendarRule(property.value)) }
    return rules
  }
}
