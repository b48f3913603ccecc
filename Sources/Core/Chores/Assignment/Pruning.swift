import JSONLines
package import SyncCore

/// The part of a household's past that can be archived: its terminal occurrences, which summaries replace.
package struct Pruning {
  /// The line of a new summary, and its canonical key, which determines its place.
  package struct SummaryLine {
    package var key: [UInt8]
    package var text: [UInt8]
  }

  /// The new summaries, in the order of their keys.
  package private(set) var summaries: [SummaryLine] = []

  private struct CutOff {
    var day: Int
    /// The latest clock of the overrides that the summary replaces.
    ///
    /// Lines of any template get a clock at least as late as the latest override. So overrides unknown to a
    /// summary must stay in the state, or later lines would have earlier clocks than before.
    var overrides: Instant?

    func knows(_ clock: Instant?) -> Bool { .later(overrides, clock) == overrides }
  }

  /// The positions in the household's text at which the lines of archived occurrences begin.
  private var lines: Set<Int> = []
  /// The archived occurrences, with their templates.
  private var occurrences: [RecordID: RecordID] = [:]
  /// The newest summary of each template.
  private var newest: [RecordID: CutOff] = [:]
  private let household: Household

  /// Selects the past that is older than `now` by more than `age`.
  package init(_ household: Household, now: Instant, olderThan age: Duration) {
    self.household = household
    let moment = Instant(seconds: now.seconds - age.components.seconds)
    for template in household.templates { close(template, before: moment, now) }
    summaries.sort { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Whether a line, which begins at `start` in the household's text, is archived.
  package func takesAway(_ record: ChoreRecord?, at start: Int) -> Bool {
    switch record {
    case .occurrence: lines.contains(start)
    case .completion(let completion): occurrences[completion.occurrence] != nil
    case .override(let override):
      occurrences[override.occurrence].flatMap { newest[$0] }
        .map { $0.knows(household.clock(ofOverride: override.id)) } ?? false
    case .summary(let summary):
      newest[summary.template].map { summary.before < $0.day && $0.knows(summary.overridesClock) } ?? false
    default: false
    }
  }

  private mutating func close(_ template: Stored<Template>, before moment: Instant?, _ now: Instant) {
    let id = template.record.id
    let old = household.summary(of: id)?.record
    // Planned dates do not matter here, as they are never before today.
    var walk = TurnWalk(template, Horizon(now: now, until: .after(.zero)), in: household)
    var cutOff = old.map { CutOff(day: $0.before, overrides: $0.overridesClock) }
    if let moment {
      let end = walk.close(before: walk.schedule.zone.day(of: moment))
      // `end` itself would not be a safe cut-off.
      //
      // If a clock is years ahead, `end` is a future day, and dates before it would not be planned any more.
      // Records of dates in between may also arrive later.
      if let last = walk.ended.last(where: { $0.day < end })?.day, last >= old?.before ?? .min {
        let new = CutOff(day: last + 1, overrides: overrides(of: template, walk, before: last + 1))
        cutOff = new
        append(summary(walk, new))
      }
    }
    guard let cutOff else { return }
    newest[id] = cutOff
    let stored = household.occurrences[id] ?? []
    for (day, place) in walk.ended where day < cutOff.day {
      lines.insert(stored[place].line.lowerBound)
      occurrences[stored[place].record.id] = id
    }
  }

  /// The latest clock of the overrides of occurrences that ended before a date, including those archived
  /// earlier.
  private func overrides(of template: Stored<Template>, _ walk: TurnWalk, before day: Int) -> Instant? {
    let id = template.record.id
    let stored = household.occurrences[id] ?? []
    return walk.ended.lazy.filter { $0.day < day }
      .map { household.overridesClock(of: stored[$0.place].record.id) }
      .reduce(household.archivedOverrides(of: id)) { .later($0, $1) }
  }

  private mutating func append(_ line: JSONValue) {
    var key: [UInt8] = []
    JSONValue.array([.string(ChoreEntity.summary.rawValue), line["identity"] ?? .null]).append(to: &key)
    summaries.append(SummaryLine(key: key, text: Array(line.text.utf8)))
  }

  private func summary(_ walk: TurnWalk, _ cutOff: CutOff) -> JSONValue {
    let id = JSONValue.string(walk.schedule.names.summary(before: cutOff.day).text)
    var fields: [JSONMember] = [
      JSONMember("id", id), JSONMember("templateID", walk.template.record.spelledID),
      JSONMember("before", .string(CivilText.date(cutOff.day))),
    ]
    if let clock = cutOff.overrides { fields.append(JSONMember("overridesAt", .string("\(clock)"))) }
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
