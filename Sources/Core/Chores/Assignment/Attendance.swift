import SyncCore

/// The members of a template who are present on a date; dates must be requested in ascending order.
package struct Attendance: Sendable {
  /// When one member is away.
  private struct Away: Sendable {
    /// The days away, as disjoint and ascending ranges.
    var ranges: [ClosedRange<Int>]
    var joined: Int
    var current = 0
  }

  private let members: [Int]
  private var away: [Away]
  private var validUntil = Int.min
  private var hasBegun = false
  /// Whether each member is present, by the members' places in the household.
  package private(set) var isPresent: [Bool]
  package private(set) var count = 0

  init(_ order: TurnOrder, _ template: Template, in household: Household) {
    members = order.members
    let zone = household.zone(of: template)
    away = members.map { index in
      let member = household.members[index]
      return Away(
        ranges: Self.merged(household.absences(of: member.id, from: template.id)),
        joined: member.joined.map { zone.day(of: $0) } ?? .min)
    }
    isPresent = Array(repeating: false, count: household.members.count)
  }

  /// Advances to a date; true for the first date, and if the members who are present have changed.
  @inline(__always)
  mutating func advance(to day: Int) -> Bool { day > validUntil && change(to: day) }

  private mutating func change(to day: Int) -> Bool {
    validUntil = .max
    var (present, waiting) = ([Int](), [Int]())
    for place in members.indices {
      if isAway(place, day) { continue }
      if away[place].joined > day {
        waiting.append(members[place])
        validUntil = min(validUntil, away[place].joined - 1)
      } else {
        present.append(members[place])
      }
    }
    if present.isEmpty { present = waiting }
    let before = isPresent
    for member in members { isPresent[member] = false }
    for member in present { isPresent[member] = true }
    count = present.count
    defer { hasBegun = true }
    return isPresent != before || !hasBegun
  }

  private mutating func isAway(_ place: Int, _ day: Int) -> Bool {
    let ranges = away[place].ranges
    while away[place].current < ranges.count, ranges[away[place].current].upperBound < day {
      away[place].current += 1
    }
    guard away[place].current < ranges.count else { return false }
    let next = ranges[away[place].current]
    let isAway = next.lowerBound <= day
    validUntil = min(validUntil, isAway ? next.upperBound : next.lowerBound - 1)
    return isAway
  }

  private static func merged(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var merged: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = merged.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
