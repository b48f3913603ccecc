/// How often things of one kind are written down: what strangers cause must not fill a disk.
///
/// What is held back is counted, so that it can be said afterwards.
package struct RepetitionLimit: Sendable {
  private struct Record {
    var kind: String
    var written = 0
    var held = 0
    var start: Duration
  }

  /// In the order in which they came first.
  ///
  /// There are as many kinds as codes of diagnostics.
  private var records: [Record] = []
  /// How many of a kind are written within a period.
  package static let limit = 20
  package static let period = Duration.seconds(60)

  package init() {}

  /// Whether one more of a kind is written; else it is counted.
  ///
  /// `now` is on a clock that never goes back.
  package mutating func allows(_ kind: String, at now: Duration) -> Bool {
    guard let place = records.firstIndex(where: { $0.kind == kind }) else {
      records.append(Record(kind: kind, written: 1, start: now))
      return true
    }
    if now - records[place].start >= Self.period { (records[place].written, records[place].start) = (0, now) }
    let isAllowed = records[place].written < Self.limit
    if isAllowed { records[place].written += 1 } else { records[place].held += 1 }
    return isAllowed
  }

  /// How many of which kinds have been held back since the last call.
  package mutating func takeHeld() -> [(kind: String, count: Int)] {
    let held = records.filter { $0.held > 0 }.map { (kind: $0.kind, count: $0.held) }
    for place in records.indices { records[place].held = 0 }
    return held
  }
}
