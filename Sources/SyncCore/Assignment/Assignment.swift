import JSONLines

/// Writes the occurrences of a household that are new or change.
package struct Assignment {
  private let household: Household
  private let horizon: Horizon
  /// Writes those too that stay as they are.
  private let writesAll: Bool
  /// Writes no tombstones, as what is missing may plan what seems not to be planned.
  private let withholds: Bool
  private var reader: ChangeReader
  package private(set) var withheld = 0

  package init(
    _ household: Household, _ horizon: Horizon, all: Bool = false, withholdingDeletions: Bool = false,
    _ shape: RecordShape
  ) {
    (self.household, self.horizon, writesAll, withholds) = (household, horizon, all, withholdingDeletions)
    reader = ChangeReader(shape)
  }

  /// Appends lines in the order of template ids and dates; `take` is called after every few of them.
  package mutating func write<Failure: Error>(
    to take: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var bytes: [UInt8] = []
    for template in household.templates {
      try write(template, to: &bytes, take)
      try take(&bytes)
    }
    guard writesAll else { return }
    for id in household.orphans.sorted() {
      for occurrence in household.occurrences[id] ?? [] { append(occurrence.line, to: &bytes) }
      try take(&bytes)
    }
  }

  private mutating func write<Failure: Error>(
    _ template: Stored<Template>, to bytes: inout [UInt8], _ take: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var walk = TurnWalk(template, horizon, in: household)
    let occurrences = household.occurrences[template.record.id] ?? []
    let clock = walk.clock ?? .epoch
    if writesAll { for place in walk.ignored { append(occurrences[place].line, to: &bytes) } }
    for place in walk.unplanned { appendTombstone(of: occurrences[place], clock, to: &bytes) }
    let mold = OccurrenceMold(template.record, clock: clock, in: household)
    var written = 0
    while let turn = walk.next() {
      if let place = turn.stored {
        append(turn, occurrences[place], walk.schedule, clock, to: &bytes)
      } else {
        appendNew(turn, walk.schedule, mold, template.record, clock, to: &bytes)
      }
      written += 1
      if written % 64 == 0 { try take(&bytes) }
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

  private mutating func append(
    _ turn: TurnWalk.Turn, _ stored: Stored<Occurrence>, _ schedule: Schedule, _ clock: Instant,
    to bytes: inout [UInt8]
  ) {
    if turn.reason == .done || turn.reason == .skipped {
      if writesAll { append(stored.line, to: &bytes) }
      return
    }
    let due = schedule.due(on: turn.day)
    let member = turn.holder.map { household.members[$0] }
    let isSameDue = Instant(seconds: Int64(due)) == stored.record.due
    guard !isSameDue || member?.id != stored.record.assigned else {
      if writesAll { append(stored.line, to: &bytes) }
      return
    }
    let changed = ChangedOccurrence(
      due: isSameDue ? nil : due, member: member?.spelling, clock: Self.clock(clock, over: stored.clock))
    // The array itself, since its span is borrowed while self is changed.
    let lines = household.text
    let (text, change) = reader.copy(lines.span.extracting(stored.line))
    changed.append(text.span, change.kind, &reader, to: &bytes)
  }

  private mutating func appendTombstone(
    of stored: Stored<Occurrence>, _ clock: Instant, to bytes: inout [UInt8]
  ) {
    if withholds {
      withheld += 1
      return
    }
    let lines = household.text
    bytes.append(UInt8(ascii: "{"))
    reader.appendKeyMembers(of: lines.span.extracting(stored.line), to: &bytes)
    bytes.append(contentsOf: ",\"deletedAt\":\"\(Self.clock(clock, over: stored.clock))\"}\n".utf8)
  }

  private func append(_ line: Range<Int>, to bytes: inout [UInt8]) {
    bytes.append(household.text.span.extracting(line))
    bytes.append(10)
  }

  /// Wins over a stored line, whatever its clock.
  private static func clock(_ clock: Instant, over stored: Instant?) -> Instant {
    stored.map { max(clock, $0.afterwards) } ?? clock
  }
}

extension Instant {
  /// The next moment of a clock that counts milliseconds.
  package var afterwards: Instant { advanced(by: .milliseconds(1)) }
}
