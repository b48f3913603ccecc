import SyncCore

/// The turns that each member has had of a template, up to the dates processed so far.
package struct TurnBook: Sendable {
  /// The turns of each member, by the members' places in the household.
  package private(set) var turns: [Int]
  /// The turns for comparison; they are raised for members who return.
  package private(set) var levels: [Int]
  /// Presence at the previous date; nil before the first.
  package private(set) var wasPresent: [Bool]?
  /// The member who had the last turn.
  package private(set) var last: Int?
  private let raises: Bool

  /// The state at the beginning, or at the cut-off of a summary.
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

  /// Continues to a date with these members present, and raises the levels of those who were absent before.
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

/// The participants of a template, in the order for breaking ties and for rotation.
package struct TurnOrder: Sendable {
  /// Places among the household's members.
  package let members: [Int]
  /// The members in the template's list, in its order; if a list is missing, all members.
  package let listed: [Int]

  init(_ template: Template, in household: Household) {
    let all = template.participants.map { ids in ids.compactMap { household.index(of: $0) } }
    var seen: Set<Int> = []
    let listed = (all ?? Array(household.members.indices)).filter { seen.insert($0).inserted }
    let sorted = listed.sorted()
    let start = sorted.isEmpty ? 0 : Int(Self.number(of: template.id) % UInt64(sorted.count))
    members = Array(sorted[start...] + sorted[..<start])
    self.listed = template.participants == nil ? members : listed
  }

  /// The first eight bytes of the digest of the id.
  private static func number(of id: RecordID) -> UInt64 {
    SHA1.digest(id.lowerCase).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
