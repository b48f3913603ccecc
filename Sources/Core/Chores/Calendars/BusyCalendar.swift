package import SyncCore

/// The busy times of an iCalendar file (RFC 5545).
///
/// TRANSPARENT and CANCELLED events and the free periods of a VFREEBUSY do not count.
package struct BusyCalendar {
  /// The largest number of intervals in one file.
  package static let mostIntervals = 100_000
  /// The time limit for expanding the rules of one file.
  package static let longestReading = Duration.seconds(10)

  private let window: Range<Int>
  private let now: Instant
  private let end: Instant
  private var zones: CalendarZones
  private var events: [(CalendarEvent, CalendarComponent)] = []
  private var intervals: [Range<Int>] = []

  /// `floating` is the zone of dates and of times without a zone.
  ///
  /// Events that end before `now` or begin more than a year after `now` are ignored.
  package init(now: Instant, floating: Zone, zones: @escaping (String) -> Zone?) {
    self.now = now
    end = now.advanced(by: HoldingRules.farthestPause)
    window = Int(now.seconds)..<Int(end.seconds)
    self.zones = CalendarZones(floating: floating, system: zones)
  }

  /// The busy times of `components`, in order and without overlaps; `leaveOut` receives unusable ones.
  ///
  /// `elapsed` is how long the reading has taken so far.
  package mutating func read(
    _ components: [CalendarComponent], _ library: some CalendarReading, elapsed: () -> Duration,
    leaveOut: (CalendarComponent, CalendarError) throws -> Void
  ) throws -> [Range<Instant>] {
    func check() throws(CalendarError) {
      guard elapsed() < Self.longestReading else {
        throw CalendarError(
          "the earlier rules in the file took longer than \(Self.longestReading.components.seconds) s")
      }
    }
    for component in components where component.name == "VTIMEZONE" {
      do throws(CalendarError) {
        try check()
        try zones.add(component, until: end, library, check)
      } catch { try leaveOut(component, error) }
    }
    for component in components where component.name != "VTIMEZONE" {
      var id = ""
      do throws(CalendarError) {
        try check()
        let properties = try CalendarProperties(component, library)
        id = properties.all("UID").first?.value ?? ""
        if component.name == "VEVENT" {
          events.append((try CalendarEvent(properties, zones), component))
        } else {
          try add(freeBusy: properties)
        }
      } catch { try leaveOut(component, error.of(event: id)) }
    }
    var replaced: [String: Set<Int>] = [:]
    for (event, _) in events {
      if let moment = event.replaced, event.id != "" { replaced[event.id, default: []].insert(moment) }
    }
    for (event, component) in events {
      do throws(CalendarError) {
        try check()
        try add(event.intervals(in: window, without: replaced[event.id] ?? [], library, check))
      } catch { try leaveOut(component, error.of(event: event.id)) }
    }
    return joined
  }

  private mutating func add(freeBusy properties: CalendarProperties) throws(CalendarError) {
    var periods: [Range<Int>] = []
    for property in properties.all("FREEBUSY") where property.freeBusyType?.uppercased() != "FREE" {
      periods.append(try CalendarEvent.period(property, zones))
    }
    try add(periods.filter { !$0.isEmpty && $0.overlaps(window) })
  }

  private mutating func add(_ more: [Range<Int>]) throws(CalendarError) {
    guard intervals.count + more.count <= Self.mostIntervals else {
      throw CalendarError("more than \(Self.mostIntervals) busy times in the file")
    }
    intervals += more
  }

  /// The intervals; adjacent ones are joined.
  private var joined: [Range<Instant>] {
    var joined: [Range<Int>] = []
    for interval in intervals.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, interval.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, interval.upperBound)
      } else {
        joined.append(interval)
      }
    }
    // Times outside the years of an instant are clipped to the edges of the window.
    return joined.map { interval in
      let start = Instant(seconds: Int64(interval.lowerBound)) ?? now
      return start..<(Instant(seconds: Int64(interval.upperBound)) ?? end)
    }
  }
}
