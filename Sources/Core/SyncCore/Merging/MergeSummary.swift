import JSONLines

/// Counts of one merge.
package struct MergeSummary: Equatable, Sendable {
  package var lines = 0
  package var checkpoints = 0
  package var keys = 0
  package var tombstones = 0
  /// Keys with lines that differ.
  package var contested = 0
  /// Append-only keys with different records.
  package var conflicts = 0
  /// Lines that are not in the output: bad ones, and those with a clock too far ahead.
  package var leftOut = 0

  package init() {}

  /// Counts what another part of the merge has counted.
  package mutating func add(_ other: MergeSummary) {
    lines += other.lines
    checkpoints += other.checkpoints
    keys += other.keys
    tombstones += other.tombstones
    contested += other.contested
    conflicts += other.conflicts
    leftOut += other.leftOut
  }

  /// One object.
  package var text: String {
    JSONValue.object([
      JSONMember("lines", .integer(lines)), JSONMember("checkpoints", .integer(checkpoints)),
      JSONMember("keys", .integer(keys)), JSONMember("tombstones", .integer(tombstones)),
      JSONMember("contested", .integer(contested)), JSONMember("conflicts", .integer(conflicts)),
      JSONMember("leftOut", .integer(leftOut)),
    ]).text
  }
}
