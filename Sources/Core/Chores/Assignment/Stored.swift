package import SyncCore

/// A record in the state, with the necessary parts of its line.
package struct Stored<Record: Sendable>: Sendable {
  package var record: Record
  package var clock: Instant?
  /// The record's line in the text of the household.
  package var line: Range<Int>
}

/// The latest line of each id, including deletions.
///
/// The merge leaves one line for each key. A UUID in capitals and the same UUID in lower case are two keys
/// but one id.
struct Latest<Record: Sendable>: Sendable {
  private struct Line: Sendable {
    /// The stored record; nil for a deletion.
    var stored: Stored<Record>?
    var clock: Instant?
  }

  private var lines: [RecordID: Line] = [:]

  /// Adds a line, or a deletion if `stored` is nil; call it in key order.
  ///
  /// Of two lines with the same clock, a deletion wins, otherwise the first line.
  mutating func add(_ stored: Stored<Record>?, as id: RecordID, _ clock: Instant?) {
    if let old = lines[id], .later(old.clock, clock) == old.clock, old.clock != clock || stored != nil {
      return
    }
    lines[id] = Line(stored: stored, clock: clock)
  }

  /// The records that are not deleted, in the order of their ids.
  var live: [Stored<Record>] {
    lines.sorted { $0.key < $1.key }.compactMap(\.value.stored)
  }

  subscript(id: RecordID) -> Stored<Record>? { lines[id]?.stored }

  /// The clock of the winning line, even if it is a deletion.
  func clock(of id: RecordID) -> Instant? { lines[id]?.clock }
}

/// Rules for choosing the valid occurrence, for turns and notifications.
extension Household {
  /// The effective status of an occurrence: a pending one with a completion is done.
  func status(of occurrence: Occurrence) -> Occurrence.Status {
    done(occurrence.id) == nil ? occurrence.status : .completed
  }

  /// Whether `a` wins over `b`: done before skipped before pending, then the earlier completion.
  ///
  /// Nil if both are equal by these rules.
  func prefers(_ a: Occurrence, to b: Occurrence) -> Bool? {
    let (status, other) = (status(of: a), status(of: b))
    if status != other { return status == .completed || other == .pending }
    guard status == .completed, let time = done(a.id)?.first.time, let otherTime = done(b.id)?.first.time,
      time != otherTime
    else { return nil }
    return time < otherTime
  }

  /// The occurrences of all templates, one for each id.
  ///
  /// A UUID in capitals and the same UUID in lower case are one id here. They are two keys to a merge if the
  /// profile does not declare them as `uuid`. Of such lines, the preferred occurrence wins, otherwise the
  /// first in key order.
  package var distinctOccurrences: [Stored<Occurrence>] {
    var places: [RecordID: Int] = [:]
    var distinct: [Stored<Occurrence>] = []
    for occurrence in occurrences.values.joined() {
      guard let place = places[occurrence.record.id] else {
        places[occurrence.record.id] = distinct.count
        distinct.append(occurrence)
        continue
      }
      let other = distinct[place]
      let isFirst = occurrence.line.lowerBound < other.line.lowerBound
      if prefers(occurrence.record, to: other.record) ?? isFirst { distinct[place] = occurrence }
    }
    return distinct
  }
}
