package import JSONLines
public import SyncCore

/// The rules of turns on whole texts of records: what an app calls.
///
/// Texts are UTF-8, one change line or plain record a line, as docs/formats/chores.md describes them. The same records
/// give the same bytes on every device, in whatever order they are.
public struct AssignmentRules: Sendable {
  private let shape = RecordShape.chores
  private let zones: @Sendable (String) -> Zone?

  /// `zones` finds a time zone by its name, such as `Europe/Paris`; nil if there is none.
  public init(zones: @escaping @Sendable (String) -> Zone?) {
    self.zones = zones
  }

  /// The change lines of the occurrences that are new or change; with `all`, every one.
  public func assign(
    _ texts: [[UInt8]], _ horizon: Horizon, all: Bool = false
  ) throws(SyncError) -> [UInt8] {
    let assignment = Assignment(try household(texts), horizon, all: all)
    var reader = ChangeReader(shape)
    return assignment.parts.flatMap { assignment.lines(of: $0, &reader).bytes } + assignment.orphans
  }

  /// The merge of all texts.
  package func household(_ texts: [[UInt8]]) throws(SyncError) -> Household {
    let lines = try SortedLines(texts, shape) { error, source, line throws(SyncError) in
      throw SyncError(error, text: source, line: line)
    }
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
        failure = SyncError(error, text: lines.source(winner), line: lines.lineNumber(winner))
      }
    }
    if let failure { throw failure }
    household.arrange()
    return household
  }
}

extension AssignmentRules {
  /// Parses a single line; nil if its entity plays no role in turns.
  package func record(_ line: String) throws(MemberError) -> ChoreRecord? {
    var (reader, records) = (ChangeReader(shape), ChoreReader())
    let (text, change, key) = reader.read(Array(line.utf8).span)
    return try records.read(text.span, change, key: key, &reader)
  }
}

/// The dates that are to be generated: from that of now on.
public struct Horizon: Sendable {
  /// The end of the plan.
  public enum End: Sendable {
    /// With the date so long after now.
    case after(Duration)
    /// With a date, as a day number; day 0 is 1970-01-01.
    case day(Int)
  }

  let now: Instant
  let end: End

  /// No due date is so late that its time could not be written.
  private static let lastDay = Civil.day(9999, 12, 30)

  /// Dates are those of each template's zone.
  public init(now: Instant, until end: End) { (self.now, self.end) = (now, end) }

  /// The first and the last date in a zone; nil if there is none.
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
