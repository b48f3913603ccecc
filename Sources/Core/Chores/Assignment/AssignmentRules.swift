package import JSONLines
public import SyncCore

/// The rules of turns, applied to complete texts of records, for apps.
///
/// Texts are UTF-8 with one change line or plain record per line; docs/formats/chores.md describes them. The
/// same records, in any order, give the same bytes on every device.
public struct AssignmentRules: Sendable {
  private let shape = RecordShape.chores
  private let zones: @Sendable (String) -> Zone?

  /// `zones` finds a time zone by its name, such as `Europe/Paris`, or returns nil.
  public init(zones: @escaping @Sendable (String) -> Zone?) {
    self.zones = zones
  }

  /// The change lines of the new and changed occurrences; with `all`, those of every occurrence.
  public func assign(
    _ texts: [[UInt8]], _ horizon: Horizon, all: Bool = false
  ) throws(SyncError) -> [UInt8] {
    let assignment = Assignment(try household(texts), horizon, all: all)
    var reader = ChangeReader(shape)
    return assignment.parts.flatMap { assignment.lines(of: $0, &reader).bytes } + assignment.orphans
  }

  /// Why a member has a turn: the JSON object of `assign explain --json`, as a line.
  ///
  /// `occurrence` is an id, the first 4 or more characters of an id, or `TEMPLATE@DATE` with the id or title
  /// of a template. Returns nil if that is ambiguous, or is not an occurrence within the horizon.
  public func explain(
    _ occurrence: String, in texts: [[UInt8]], _ horizon: Horizon
  ) throws(SyncError) -> [UInt8]? {
    let household = try household(texts)
    return only(occurrence, in: household, horizon).map { found in
      Array(TurnExplanation(found, in: household).value.text.utf8) + [10]
    }
  }

  /// The change line that gives a turn to another member.
  ///
  /// Merge the line into the records. `member` is an id, a name, or the first 4 or more characters of an id;
  /// `occurrence` is as in ``explain(_:in:_:)``. Returns nil if either is unknown or ambiguous, or if the
  /// turn is done, skipped or not planned.
  public func reassign(
    _ occurrence: String, to member: String, in texts: [[UInt8]], _ horizon: Horizon
  ) throws(SyncError) -> [UInt8]? {
    let household = try household(texts)
    let members = household.members(named: member)
    guard let found = only(occurrence, in: household, horizon), members.count == 1,
      found.turn?.reason == .given || found.turn?.reason == .overridden
    else { return nil }
    let line = Override.line(of: found, for: household.members[members[0]], now: horizon.now, in: household)
    return Array(line.text.utf8) + [10]
  }

  /// The plan for the coming weeks and its fairness, if every member does their turns.
  ///
  /// The result consists of the lines of `assign simulate --json`.
  ///
  /// - Throws: also `invalidOptionValue` if `weeks` is not from 1 to 520.
  public func simulate(_ texts: [[UInt8]], from now: Instant, weeks: Int) throws(SyncError) -> [UInt8] {
    guard (1...520).contains(weeks) else {
      throw SyncError(Diagnostic(.invalidOptionValue, "\(weeks) weeks, not 1 to 520"))
    }
    return Rota(try household(texts), now: now, weeks: weeks).values.flatMap { Array($0.text.utf8) + [10] }
  }

  private func only(
    _ occurrence: String, in household: Household, _ horizon: Horizon
  ) -> OccurrenceFinder.Found? {
    let found = OccurrenceFinder(household, horizon).occurrences(occurrence)
    return found.count == 1 ? found[0] : nil
  }

  /// The merge of all texts; in errors, `first` is the number of the first text.
  package func household(
    _ texts: [[UInt8]], countingFrom first: Int = 0
  ) throws(SyncError) -> Household {
    let lines = try SortedLines(texts, of: shape, countingFrom: first)
    var household = Household()
    var records = ChoreReader()
    var failure: SyncError?
    lines.forEachKey { lines, reader in
      guard failure == nil else { return }
      let winner = Merge.winner(of: lines, &reader)
      do throws(MemberError) {
        let (text, change, key) = reader.read(lines.text(winner))
        guard let record = try records.read(text.span, change, key: key, &reader) else { return }
        let line = household.append(text.span)
        try household.add(record, clock: change.clock, line: line, zones: zones)
      } catch {
        failure = SyncError(error, text: first + lines.source(winner), line: lines.lineNumber(winner))
      }
    }
    if let failure { throw failure }
    household.arrange()
    return household
  }
}

extension AssignmentRules {
  /// Parses a single line; nil if its entity does not affect turns.
  package func record(_ line: String) throws(MemberError) -> ChoreRecord? {
    var (reader, records) = (ChangeReader(shape), ChoreReader())
    let (text, change, key) = reader.read(Array(line.utf8).span)
    return try records.read(text.span, change, key: key, &reader)
  }
}

/// The dates to generate, starting today.
public struct Horizon: Sendable {
  /// The end of the plan.
  public enum End: Sendable {
    /// This long after now, including that date.
    case after(Duration)
    /// This day, which is included; day 0 is 1970-01-01.
    case day(Int)
  }

  let now: Instant
  let end: End

  /// The last day on which every time can be written, in any zone.
  private static let lastDay = Civil.day(9999, 12, 30)

  /// Each template uses the dates in its own zone.
  public init(now: Instant, until end: End) { (self.now, self.end) = (now, end) }

  /// The first and the last date in a zone; nil if the last would be before the first.
  package func days(in zone: Zone) -> ClosedRange<Int>? {
    let first = zone.day(of: now)
    let last =
      switch end {
      case .after(let duration): zone.day(of: now.advanced(by: duration))
      case .day(let day): day
      }
    return first <= min(last, Self.lastDay) ? first...min(last, Self.lastDay) : nil
  }
}
