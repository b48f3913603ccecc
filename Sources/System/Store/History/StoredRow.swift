import SyncCore

/// What a store has under one key.
struct StoredRow {
  var line: [UInt8]
  var isTombstone: Bool
  var base: Base

  /// What the row is to the baseline of `record`.
  enum Base: Int64 {
    /// Newer than the baseline, which is in the table `baseline` where it has the key.
    case newer = 0
    /// The baseline itself.
    case same = 1
    /// The baseline's record with another clock; the baseline itself is in the table `baseline`.
    case respelled = 2
  }

  /// A row that has been read before.
  init(line: [UInt8], isTombstone: Bool, base: Base) {
    (self.line, self.isTombstone, self.base) = (line, isTombstone, base)
  }

  /// ``columns`` from a column on.
  init(_ row: Statement, from column: Int32 = 0) {
    line = row.bytes(column)
    isTombstone = row.integer(column + 1) != 0
    base = Base(rawValue: row.integer(column + 2)) ?? .newer
  }

  static let columns = "line, tombstone, base"
  static let columnCount: Int32 = 3
}

/// A change that is to be stored.
struct NewRow {
  var isTombstone: Bool
  var clock: Instant?
  /// The number of the peer that it came from; 0 for one that is to be sent to every peer.
  var origin: Int64 = 0
  var base = StoredRow.Base.newer
}
