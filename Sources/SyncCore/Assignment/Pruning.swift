import JSONLines

/// What of a household's past can be put away: its terminal occurrences, for which summaries stand from then on.
package struct Pruning {
  /// The line of a new summary, and the canonical key by which it finds its place.
  package struct SummaryLine {
    package var key: [UInt8]
    package var text: [UInt8]
  }

  /// In the order of their keys.
  package private(set) var summaries: [SummaryLine] = []
  /// Where the lines begin, in the household's text, of occurrences that are put away.
  private var lines: Set<Int> = []
  private var occurrences: Set<RecordID> = []
  /// The newest cut-off of each template.
  private var cutOffs: [RecordID: Int] = [:]
  private let household: Household

  /// What lies before `now` by more than `age`.
  package init(_ household: Household, now: Instant, olderThan age: Duration) {
    self.household = household
    let moment = Instant(seconds: now.seconds - age.components.seconds)
    for template in household.templates { close(template, before: moment, now) }
    summaries.sort { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Whether a line, which begins at `start` in the household's text, is put away.
  package func takesAway(_ record: ChoreRecord?, at start: Int) -> Bool {
    switch record {
    case .occurrence: lines.contains(start)
    case .completion(let completion): occurrences.contains(completion.occurrence)
    case .override(let override): occurrences.contains(override.occurrence)
    case .summary(let summary): cutOffs[summary.template].map { summary.before < $0 } ?? false
    default: false
    }
  }

  private mutating func close(_ template: Stored<Template>, before moment: Instant?, _ now: Instant) {
    let id = template.record.id
    let old = household.summary(of: id)?.record.before
    // Nothing that is planned matters here: it is not before today.
    var walk = TurnWalk(template, Horizon(now: now, until: .after(.zero)), in: household)
    var cutOff = old
    if let moment {
      let end = walk.close(before: walk.schedule.zone.day(of: moment))
      // Not `end` itself: with a clock that is years ahead that would be a day to come, up to which nothing would be
      // planned any more; and what is still to become known of the dates in between is not lost.
      if let last = walk.ended.last(where: { $0.day < end })?.day, last >= old ?? .min {
        cutOff = last + 1
        append(summary(walk, before: last + 1))
      }
    }
    guard let cutOff else { return }
    cutOffs[id] = cutOff
    let stored = household.occurrences[id] ?? []
    for (day, place) in walk.ended where day < cutOff {
      lines.insert(stored[place].line.lowerBound)
      occurrences.insert(stored[place].record.id)
    }
  }

  private mutating func append(_ line: JSONValue) {
    var key: [UInt8] = []
    JSONValue.array([.string(ChoreEntity.summary.rawValue), line["identity"] ?? .null]).append(to: &key)
    summaries.append(SummaryLine(key: key, text: Array(line.text.utf8)))
  }

  private func summary(_ walk: TurnWalk, before day: Int) -> JSONValue {
    let id = JSONValue.string(walk.schedule.names.summary(before: day).text)
    var fields: [JSONMember] = [
      JSONMember("id", id), JSONMember("templateID", walk.template.record.spelledID),
      JSONMember("before", .string(CivilText.date(day))),
    ]
    if let last = walk.book.last {
      fields.append(JSONMember("lastMemberID", household.members[last].spelledID))
    }
    let present = walk.book.wasPresent ?? []
    let entries = household.members.indices.filter {
      walk.book.levels[$0] > 0 || present.indices.contains($0) && present[$0]
    }
    fields.append(JSONMember("turns", .array(entries.map { entry($0, walk.book) })))
    return .object([
      JSONMember("entityName", .string(ChoreEntity.summary.rawValue)),
      JSONMember("identity", .object([JSONMember("id", id)])),
      JSONMember("modifiedAt", .string("\(walk.clock ?? .epoch)")), JSONMember("fields", .object(fields)),
    ])
  }

  private func entry(_ member: Int, _ book: TurnBook) -> JSONValue {
    .object([
      JSONMember("memberID", household.members[member].spelledID),
      JSONMember("turns", .integer(book.turns[member])), JSONMember("level", .integer(book.levels[member])),
      JSONMember("present", .bool(book.wasPresent?[member] ?? false)),
    ])
  }
}
