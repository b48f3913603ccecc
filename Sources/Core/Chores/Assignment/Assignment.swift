import JSONLines
package import SyncCore

/// Writes the new and changed occurrences of a household.
///
/// Lines are in the order of template ids. The parts of a household can be written separately.
package struct Assignment: Sendable {
  /// The output of one part.
  package struct Lines: Sendable {
    package fileprivate(set) var bytes: [UInt8] = []
    /// The number of tombstones that were not written.
    package fileprivate(set) var withheld = 0
  }

  private let household: Household
  private let horizon: Horizon
  /// Whether unchanged occurrences are written too.
  private let writesAll: Bool
  /// Whether to withhold tombstones: an occurrence may look unplanned only because a line is missing.
  private let withholds: Bool

  package init(
    _ household: Household, _ horizon: Horizon, all: Bool = false, withholdingDeletions: Bool = false
  ) {
    (self.household, self.horizon, writesAll, withholds) = (household, horizon, all, withholdingDeletions)
  }

  /// Ranges of consecutive templates, each with enough work for a thread.
  package var parts: [Range<Int>] {
    var parts: [Range<Int>] = []
    var (start, dates) = (0, 0)
    for index in household.templates.indices {
      dates += mostDates(of: household.templates[index].record)
      guard dates >= Self.datesOfPart else { continue }
      parts.append(start..<index + 1)
      (start, dates) = (index + 1, 0)
    }
    if start < household.templates.count { parts.append(start..<household.templates.count) }
    return parts
  }

  /// This many dates take a few milliseconds, and at most a few megabytes of lines.
  private static let datesOfPart = 4_096

  private func mostDates(of template: Template) -> Int {
    (household.occurrences[template.id]?.count ?? 0) + plannedDates(of: template)
  }

  private func plannedDates(of template: Template) -> Int {
    let schedule = Schedule(template, in: household)
    guard let recurrence = schedule.recurrence, let days = horizon.days(in: schedule.zone) else { return 0 }
    return days.count / recurrence.step
  }

  /// Whether the lines take at most about this many steps: members are compared for each date, and their
  /// absences are read for each template.
  package func takes(atMost limit: Int) -> Bool {
    let (members, absences) = (household.members.count, household.absenceCount)
    var steps = 0
    for template in household.templates where steps <= limit {
      let planned = plannedDates(of: template.record)
      let dates = mostDates(of: template.record) + 1
      steps += dates * members + planned * Self.stepsOfLine + absences
    }
    return steps <= limit
  }

  /// Storing a line takes about as long as comparing this many members.
  private static let stepsOfLine = 256

  /// The lines of a part.
  package func lines(of part: Range<Int>, _ reader: inout ChangeReader) -> Lines {
    var lines = Lines()
    for template in household.templates[part] { write(template, &reader, to: &lines) }
    return lines
  }

  /// The last lines: occurrences of missing templates, if unchanged occurrences are written too.
  package var orphans: [UInt8] {
    guard writesAll else { return [] }
    var bytes: [UInt8] = []
    for id in household.orphans.sorted() {
      for occurrence in household.occurrences[id] ?? [] { append(occurrence.line, to: &bytes) }
    }
    return bytes
  }

  private func write(_ template: Stored<Template>, _ reader: inout ChangeReader, to lines: inout Lines) {
    var walk = TurnWalk(template, horizon, in: household)
    let schedule = walk.schedule
    let occurrences = household.occurrences[template.record.id] ?? []
    let clock = walk.clock ?? .epoch
    if writesAll { for place in walk.ignored { append(occurrences[place].line, to: &lines.bytes) } }
    for place in walk.unplanned { writeTombstone(of: occurrences[place], clock, &reader, to: &lines) }
    let mold = OccurrenceMold(template.record, clock: clock, in: household)
    while let turn = walk.next() {
      if let place = turn.stored {
        append(turn, occurrences[place], schedule, clock, &reader, to: &lines.bytes)
      } else {
        appendNew(turn, schedule, mold, template.record, clock, to: &lines.bytes)
      }
    }
  }

  private func appendNew(
    _ turn: TurnWalk.Turn, _ schedule: Schedule, _ mold: OccurrenceMold, _ template: Template,
    _ clock: Instant, to bytes: inout [UInt8]
  ) {
    let id = schedule.names.id(of: turn.day)
    let due = schedule.due(on: turn.day)
    if !household.deletedOccurrences.isEmpty, let deleted = household.deletedOccurrences[RecordID(id.text)],
      deleted >= clock
    {
      let later = OccurrenceMold(template, clock: deleted.afterwards, in: household)
      return later.append(id, due: due, member: turn.holder, to: &bytes)
    }
    mold.append(id, due: due, member: turn.holder, to: &bytes)
  }

  private func append(
    _ turn: TurnWalk.Turn, _ stored: Stored<Occurrence>, _ schedule: Schedule, _ clock: Instant,
    _ reader: inout ChangeReader, to bytes: inout [UInt8]
  ) {
    if turn.reason == .done || turn.reason == .skipped {
      if writesAll { append(stored.line, to: &bytes) }
      return
    }
    let due = schedule.due(on: turn.day)
    let member = turn.holder.map { household.members[$0] }
    // A due time after the year 9999 cannot be written, so the stored one is kept.
    let isSameDue = Instant(seconds: Int64(due)).map { $0 == stored.record.due } ?? true
    guard !isSameDue || member?.id != stored.record.assigned else {
      if writesAll { append(stored.line, to: &bytes) }
      return
    }
    let changed = ChangedOccurrence(
      due: isSameDue ? nil : due, member: member?.spelling, clock: Self.clock(clock, over: stored.clock))
    let (text, change) = reader.copy(household.text.span.extracting(stored.line))
    changed.append(text.span, change.kind, &reader, to: &bytes)
  }

  private func writeTombstone(
    of stored: Stored<Occurrence>, _ clock: Instant, _ reader: inout ChangeReader, to lines: inout Lines
  ) {
    guard !withholds else {
      lines.withheld += 1
      if writesAll { append(stored.line, to: &lines.bytes) }
      return
    }
    lines.bytes.append(UInt8(ascii: "{"))
    reader.appendKeyMembers(of: household.text.span.extracting(stored.line), to: &lines.bytes)
    let clock = Self.clock(clock, over: stored.clock)
    lines.bytes.append(contentsOf: ",\"deletedAt\":\"\(clock)\"}\n".utf8)
  }

  private func append(_ line: Range<Int>, to bytes: inout [UInt8]) {
    bytes.append(household.text.span.extracting(line))
    bytes.append(10)
  }

  /// A clock that wins over the clock of a stored line.
  private static func clock(_ clock: Instant, over stored: Instant?) -> Instant {
    stored.map { max(clock, $0.afterwards) } ?? clock
  }
}

extension Instant {
  /// The instant one millisecond later.
  package var afterwards: Instant { advanced(by: .milliseconds(1)) }
}
