/// What each member has had of a template, as far as its dates have been gone through.
package struct TurnBook: Sendable {
  /// By the places of members in the household.
  package private(set) var turns: [Int]
  /// The turns as far as they count in comparing: raised for those who come back.
  package private(set) var levels: [Int]
  /// At the date before; nil before the first.
  package private(set) var wasPresent: [Bool]?
  /// Who had the last turn.
  package private(set) var last: Int?
  private let raises: Bool

  /// The book at the beginning, or at the cut-off of a summary.
  init(_ template: Template, in household: Household) {
    turns = Array(repeating: 0, count: household.members.count)
    levels = turns
    raises = template.rule != .leastDone
    guard let summary = household.summary(of: template.id)?.record else { return }
    var present = Array(repeating: false, count: turns.count)
    for entry in summary.entries {
      guard let index = household.index(of: entry.member) else { continue }
      (turns[index], levels[index], present[index]) = (entry.turns, entry.level, entry.isPresent)
    }
    wasPresent = present
    last = household.index(of: summary.last)
  }

  /// Goes on to a date at which these are present, and raises those who were not before.
  mutating func meet(_ present: [Bool]) {
    defer { wasPresent = present }
    guard raises, let before = wasPresent else { return }
    var lowest: Int?
    for index in present.indices where present[index] && before[index] {
      lowest = min(lowest ?? .max, levels[index])
    }
    guard let lowest else { return }
    for index in present.indices where present[index] && !before[index] {
      levels[index] = max(levels[index], lowest)
    }
  }

  @inline(__always)
  mutating func record(_ member: Int) {
    turns[member] &+= 1
    levels[member] &+= 1
    last = member
  }
}
