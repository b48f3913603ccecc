package import JSONLines
package import SyncCore

/// Finds one occurrence, or one member, from a person's input.
package struct OccurrenceFinder {
  /// An occurrence of a template, either in the state or planned.
  package struct Found {
    package var template: Stored<Template>
    package var day: Int
    /// The due time: the stored one, if the occurrence is in the state.
    package var due: Instant?
    /// The id as it will be written.
    package var id: String
    /// The turn; nil if the occurrence is not planned, or is before the cut-off.
    package var turn: TurnWalk.Turn?
    /// The state of the computation at that turn.
    package var walk: TurnWalk
  }

  private let household: Household
  private let horizon: Horizon

  package init(_ household: Household, _ horizon: Horizon) {
    (self.household, self.horizon) = (household, horizon)
  }

  /// Finds by an id, by the beginning of an id, or by `TEMPLATE@DATE`; TEMPLATE is an id or a title.
  ///
  /// - Returns: all matches; a complete id matches only itself.
  package func occurrences(_ text: String) -> [Found] {
    let date = Self.date(text)
    let wanted = RecordID(text)
    var (exact, others): ([Found], [Found]) = ([], [])
    for template in household.templates {
      let day = date.flatMap { template.record.isNamed($0.template) ? $0.day : nil }
      forEach(of: template) { found in
        let id = RecordID(found.id)
        if id == wanted || found.day == day {
          exact.append(found)
        } else if id.isMeant(by: wanted) {
          others.append(found)
        }
      }
    }
    return exact.isEmpty ? others : exact
  }

  /// Up to three dates of the template in `TEMPLATE@DATE`: the next ones after DATE, otherwise the last ones.
  ///
  /// - Returns: nil if `text` has another form, or the template has no dates.
  package func dates(near text: String) -> (days: [Int], areLater: Bool)? {
    guard let date = Self.date(text) else { return nil }
    var days: Set<Int> = []
    for template in household.templates where template.record.isNamed(date.template) {
      forEach(of: template) { days.insert($0.day) }
    }
    let sorted = days.sorted()
    let later = sorted.filter { $0 > date.day }
    if !later.isEmpty { return (Array(later.prefix(3)), true) }
    return sorted.isEmpty ? nil : (Array(sorted.suffix(3)), false)
  }

  /// The parts of `TEMPLATE@DATE`; nil for another form.
  private static func date(_ text: String) -> (template: String, day: Int)? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count > 1, let day = CivilText.day(String(parts.last ?? "")) else { return nil }
    return (String(text.dropLast(11)), day)
  }

  private func forEach(of template: Stored<Template>, _ body: (Found) -> Void) {
    var walk = TurnWalk(template, horizon, in: household)
    let stored = household.occurrences[template.record.id] ?? []
    for place in walk.unplanned + walk.ignored {
      let occurrence = stored[place].record
      body(
        Found(
          template: template, day: walk.schedule.zone.day(of: occurrence.due), due: occurrence.due,
          id: occurrence.id.text, turn: nil, walk: walk))
    }
    while let turn = walk.next() {
      let record = turn.stored.map { stored[$0].record }
      let id = record?.id.text ?? walk.schedule.names.id(of: turn.day).text
      let due = record?.due ?? Instant(seconds: Int64(walk.schedule.due(on: turn.day)))
      body(Found(template: template, day: turn.day, due: due, id: id, turn: turn, walk: walk))
    }
  }

  /// The places of members with this id, otherwise this name, otherwise an id with this beginning.
  package func members(_ text: String) -> [Int] { household.members(named: text) }
}

extension Template {
  /// Whether a person's input is the id or the title.
  fileprivate func isNamed(_ text: String) -> Bool { id == RecordID(text) || title == text }
}

extension Household {
  /// The places of members with this id, otherwise this name, otherwise an id with this beginning.
  package func members(named text: String) -> [Int] {
    let id = RecordID(text)
    if let index = index(of: id) { return [index] }
    let named = members.indices.filter { members[$0].name == text }
    if !named.isEmpty { return named }
    return members.indices.filter { members[$0].id.isMeant(by: id) }
  }
}

extension Override {
  /// The change line that gives an occurrence to a member.
  ///
  /// The line has the occurrence's id, so the later of two such lines wins. Its clock is later than that of
  /// an existing or deleted override with this id, and than those of all overrides of the occurrence.
  package static func line(
    of found: OccurrenceFinder.Found, for member: Member, now: Instant, in household: Household
  ) -> JSONValue {
    // An override may have another id, and may name the occurrence by the id that is made for its date.
    let ids = [RecordID(found.id), RecordID(found.walk.schedule.names.id(of: found.day).text)]
    let clocks = [household.clock(ofOverride: ids[0])] + ids.map { household.overridesClock(of: $0) }
    let clock = clocks.compactMap(\.self).max().map { max(now, $0.afterwards) } ?? now
    let id = JSONValue.string(found.id)
    return .object([
      JSONMember("entityName", .string(ChoreEntity.override.rawValue)),
      JSONMember("identity", .object([JSONMember("id", id)])), JSONMember("modifiedAt", .string("\(clock)")),
      JSONMember(
        "fields",
        .object([
          JSONMember("id", id), JSONMember("occurrenceID", id),
          JSONMember("templateID", found.template.record.spelledID), JSONMember("memberID", member.spelledID),
        ])),
    ])
  }
}
