import JSONLines

/// Copies of rows, keys and lines one behind the other in one piece of memory.
struct StoredRows {
  struct Entry {
    var key: Range<Int>
    var line: Range<Int>
    var isTombstone: Bool
    var base: StoredRow.Base
    var checksum: Int64
  }

  private(set) var bytes: [UInt8] = []
  private var entries: [Entry] = []

  var count: Int { entries.count }

  subscript(index: Int) -> Entry { entries[index] }

  /// Throws `corrupt` of a row that does not match its checksum.
  func row(_ index: Int) throws(StoreError) -> StoredRow {
    let entry = entries[index]
    let text = bytes.span
    try RowChecksum.require(entry.checksum, text.extracting(entry.key), text.extracting(entry.line))
    return StoredRow(
      line: Array(bytes[entry.line]), isTombstone: entry.isTombstone, base: entry.base)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// Of a row with the key, `StoredRow.columns` and the checksum.
  mutating func append(_ row: Statement) {
    let start = bytes.count
    bytes.append(row.span(0))
    let end = bytes.count
    bytes.append(row.span(1))
    entries.append(
      Entry(
        key: start..<end, line: end..<bytes.count, isTombstone: row.integer(2) != 0,
        base: StoredRow.Base(rawValue: row.integer(3)) ?? .newer, checksum: row.integer(4)))
  }
}
