package import JSONLines
package import SyncCore

/// The plan for some weeks: the due turns and their members, if every member does their turns.
package struct Rota {
  /// A date of a template.
  package struct Entry {
    package var day: Int
    package var secondOfDay: Int
    /// The place of the template in the household.
    package var template: Int
    /// The place of the member; nil for a turn without a member.
    package var member: Int?
    package var reason: TurnWalk.Turn.Reason
  }

  /// How evenly the turns of a template are shared.
  package struct Fairness {
    package var template: Int
    package var dates = 0
    /// The largest difference between members who were present on the same dates.
    package var spread = 0
  }

  package let household: Household
  package let days: ClosedRange<Int>
  /// The due turns, sorted by date, time and template.
  package private(set) var entries: [Entry] = []
  /// For each member's place: the number of turns, and of dates on which the member could have had a turn.
  package private(set) var turns: [Int]
  package private(set) var chances: [Int]
  package private(set) var fairness: [Fairness] = []

  /// A plan for this many weeks from today; if templates have several zones, from the earliest date.
  package init(_ household: Household, now: Instant, weeks: Int) {
    self.household = household
    let zones = household.templates.filter(\.record.isActive).map { household.zone(of: $0.record) }
    let first = zones.map { $0.day(of: now) }.min() ?? Zone.utc.day(of: now)
    days = first...first + weeks * 7 - 1
    turns = Array(repeating: 0, count: household.members.count)
    chances = turns
    let horizon = Horizon(now: now, until: .day(days.upperBound))
    for index in household.templates.indices { add(index, horizon) }
    entries.sort {
      ($0.day, $0.secondOfDay, $0.template) < ($1.day, $1.secondOfDay, $1.template)
    }
  }

  private mutating func add(_ index: Int, _ horizon: Horizon) {
    var walk = TurnWalk(household.templates[index], horizon, in: household)
    var fairness = Fairness(template: index)
    var own = [(turns: Int, presence: UInt64)](repeating: (0, 0), count: household.members.count)
    while let turn = walk.next() {
      guard days.contains(turn.day) else { continue }
      fairness.dates += 1
      entries.append(
        Entry(
          day: turn.day, secondOfDay: walk.schedule.secondOfDay, template: index, member: turn.holder,
          reason: turn.reason))
      if let holder = turn.holder {
        turns[holder] += 1
        own[holder].turns += 1
      }
      for member in walk.order.members where walk.attendance.isPresent[member] {
        chances[member] += 1
        // A hash of the dates at which the member was present: equal for members with the same dates.
        own[member].presence =
          (own[member].presence ^ UInt64(bitPattern: Int64(turn.day))) &* 0x9E37_79B9_7F4A_7C15
      }
    }
    guard fairness.dates > 0 else { return }
    let groups = Dictionary(grouping: walk.order.members.map { own[$0] }) { $0.presence }
    fairness.spread =
      groups.values.map { ($0.map(\.turns).max() ?? 0) - ($0.map(\.turns).min() ?? 0) }.max() ?? 0
    self.fairness.append(fairness)
  }

  package func title(_ entry: Entry) -> String { household.templates[entry.template].record.label }

  package func name(_ entry: Entry) -> String? { entry.member.map { household.members[$0].label } }
}

extension Rota {
  /// The plan as text, one line for each turn, with the fairness.
  package var text: String {
    let rows = entries.map { entry in
      [
        "\(CivilText.weekday(entry.day)) \(CivilText.date(entry.day)) \(CivilText.time(entry.secondOfDay))",
        (name(entry) ?? "nobody").escapingControls, title(entry).escapingControls, entry.reason.note,
      ]
    }
    let people = household.members.indices.map { index in
      [household.members[index].label.escapingControls, "\(turns[index])", "\(chances[index])"]
    }
    let chores = fairness.map { fairness in
      [
        household.templates[fairness.template].record.label.escapingControls, "\(fairness.dates)",
        "\(fairness.spread)",
      ]
    }
    return TextTable(rows, numbers: []).text
      + "\nturns of each member, and dates on which a turn was possible\n"
      + TextTable(people, numbers: [1, 2]).text
      + "\ndates of each chore, and the largest difference in turns of members present on the same dates\n"
      + TextTable(chores, numbers: [1, 2]).text
  }

  /// One object for each date, then for each member, then for each template.
  package var values: [JSONValue] {
    entries.map { entry in
      JSONValue.object([
        JSONMember("date", .string(CivilText.date(entry.day))),
        JSONMember("time", .string(CivilText.time(entry.secondOfDay))),
        JSONMember("templateID", household.templates[entry.template].record.spelledID),
        JSONMember("memberID", entry.member.map { household.members[$0].spelledID } ?? .null),
        JSONMember("reason", .string("\(entry.reason)")),
      ])
    }
      + household.members.indices.map { index in
        JSONValue.object([
          JSONMember("memberID", household.members[index].spelledID),
          JSONMember("turns", .integer(turns[index])),
          JSONMember("chances", .integer(chances[index])),
        ])
      }
      + fairness.map { fairness in
        JSONValue.object([
          JSONMember("templateID", household.templates[fairness.template].record.spelledID),
          JSONMember("dates", .integer(fairness.dates)), JSONMember("spread", .integer(fairness.spread)),
        ])
      }
  }
}

extension TurnWalk.Turn.Reason {
  fileprivate var note: String {
    switch self {
    case .done: "done"
    case .skipped: "skipped"
    case .overridden: "overridden"
    case .given: ""
    }
  }
}
