import JSONLines
import SyncCore

/// The counts of a difference, for programs that combine parts of a job.
struct DeltaSummary: Sendable {
  /// The number of lines of both snapshots, including those left out.
  var lines = 0
  var checkpoints = 0
  var upserts = 0
  /// The number of delete lines, and of tombstones of NEW that delete a record of OLD.
  var deletes = 0
  var same = 0
  var withheld = 0
  var leftOut = 0

  /// Counts a key with one more change.
  mutating func addChange(_ lines: KeyLines) {
    if let new = lines.last(of: 1), !lines[new].isTombstone { upserts += 1 } else { deletes += 1 }
  }

  mutating func add(_ other: DeltaSummary) {
    upserts += other.upserts
    deletes += other.deletes
  }

  var value: JSONValue {
    .object([
      JSONMember("lines", .integer(lines)), JSONMember("checkpoints", .integer(checkpoints)),
      JSONMember("upserts", .integer(upserts)), JSONMember("deletes", .integer(deletes)),
      JSONMember("same", .integer(same)), JSONMember("withheld", .integer(withheld)),
      JSONMember("leftOut", .integer(leftOut)),
    ])
  }
}
