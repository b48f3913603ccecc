import SyncCore

/// The latest line of each id, deletions too.
///
/// The merge leaves one line a key, but a UUID in capitals and the same in small letters are two keys and one id.
struct Latest<Record: Sendable>: Sendable {
  private struct Line: Sendable {
    /// Nil for a deletion.
    var stored: Stored<Record>?
    var clock: Instant?
  }

  private var lines: [RecordID: Line] = [:]

  /// To be called in key order; of two with one clock a deletion counts, else the first.
  mutating func add(_ stored: Stored<Record>?, as id: RecordID, _ clock: Instant?) {
    if let old = lines[id], .later(old.clock, clock) == old.clock, old.clock != clock || stored != nil {
      return
    }
    lines[id] = Line(stored: stored, clock: clock)
  }

  /// Those that are not deleted, in the order of their ids.
  var live: [Stored<Record>] {
    lines.sorted { $0.key < $1.key }.compactMap(\.value.stored)
  }

  subscript(id: RecordID) -> Stored<Record>? { lines[id]?.stored }

  /// The clock of the line that counts, be it a deletion.
  func clock(of id: RecordID) -> Instant? { lines[id]?.clock }
}
