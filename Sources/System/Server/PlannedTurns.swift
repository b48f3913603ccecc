import Chores
import JSONLines
import Store
import SyncCore

/// Plans the turns of a household anew where its records have changed, or the day.
struct PlannedTurns {
  private let store: ChangeStore
  private let now: Instant
  private let zones: @Sendable (String) -> Zone?

  /// So far ahead turns are planned, as `assign` does.
  private static let horizon = Duration.seconds(60 * 86_400)

  init(_ store: ChangeStore, now: Instant, zones: @escaping @Sendable (String) -> Zone?) {
    (self.store, self.now, self.zones) = (store, now, zones)
  }

  /// Stores the occurrences that are new or change, inside a `write`.
  ///
  /// Where a record of the household is damaged, nothing is taken away: it may be what plans it.
  func plan(_ intake: inout LocalIntake) throws {
    var (household, damaged) = (Household(), false)
    var (reader, records) = (ChangeReader(RecordShape.chores), ChoreReader())
    try store.forEachLine(after: 0) { key, line, _ in
      do throws(MemberError) {
        let (text, change, key) = reader.read(line)
        guard let record = try records.read(text.span, change, key: key, &reader) else { return }
        let place = household.append(text.span)
        try household.add(record, clock: change.clock, line: place, zones: zones)
      } catch {
        damaged = true
      }
    }
    household.arrange()
    let horizon = Horizon(now: now, until: .after(Self.horizon))
    let assignment = Assignment(household, horizon, withholdingDeletions: damaged)
    var lines = LineReader(RecordShape.chores)
    for part in assignment.parts {
      for line in assignment.lines(of: part, &reader).bytes.split(separator: 10) {
        let line = Array(line)
        var key: [UInt8] = []
        _ = try lines.read(line.span, key: &key)
        _ = try intake.take(key.span, changeLine: line.span)
      }
    }
  }
}
