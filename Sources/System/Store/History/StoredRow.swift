import JSONLines
import SyncCore

/// The stored record of one key.
struct StoredRow {
  var line: [UInt8]
  var isTombstone: Bool
  var base: Base
  /// The place of the row, if the row was read alone.
  var place = Place()

  /// The sequence and the origin of a row.
  ///
  /// The origin is the number of the peer that the row came from, and 0 for a row of this store. It is negative for a
  /// row that came from a peer but is sent to every peer, including that one.
  struct Place {
    var sequence: Int64 = 0
    var origin: Int64 = 0

    /// The origin of a row that came from a peer whose number may belong to another peer now.
    ///
    /// No peer has this number, so the row is sent to every peer.
    static let forgotten: Int64 = -(1 << 53)

    /// The origin of the row if it is sent to every peer.
    var disowned: Int64 { -abs(origin) }
  }

  /// The relation of a row to the baseline of `record`.
  enum Base: Int64 {
    /// The row is newer than the baseline; the baseline, if any, is in the table `baseline`.
    case newer = 0
    /// The row is the baseline.
    case same = 1
    /// The row has another clock or spelling than the baseline, which is in the table `baseline`.
    case respelled = 2
  }

  /// Makes a row from values that were read before.
  init(line: [UInt8], isTombstone: Bool, base: Base) {
    (self.line, self.isTombstone, self.base) = (line, isTombstone, base)
  }

  /// Reads ``columns``, starting at this column.
  init(_ row: Statement, from column: Int32 = 0) {
    line = row.bytes(column)
    isTombstone = row.integer(column + 1) != 0
    base = Base(rawValue: row.integer(column + 2)) ?? .newer
  }

  static let columns = "line, tombstone, base"
  static let columnCount: Int32 = 3
}

/// A change that will be stored.
struct NewRow {
  var isTombstone: Bool
  var clock: Instant?
  /// The number of the peer that it came from, or 0; negative if it is sent to that peer too.
  var origin: Int64 = 0
  var base = StoredRow.Base.newer
}

/// Copies of rows, with keys and lines one after the other in one array.
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

  /// Throws `corrupt` for a row that does not match its checksum.
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

  /// Adds a row with the key, `StoredRow.columns` and the checksum.
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

/// The table of changes; every write of a row uses these functions, which update the counts.
extension ChangeStore {
  /// Throws `corrupt` for a row that does not match its checksum.
  func row(of key: Span<UInt8>) throws(StoreError) -> StoredRow? {
    let found = try database.statement(
      "SELECT \(StoredRow.columns), checksum, sequence, origin FROM changes WHERE key = ?1"
    ).bind(1, key).first { row in
      var stored = StoredRow(row)
      let next = StoredRow.columnCount
      stored.place = StoredRow.Place(sequence: row.integer(next + 1), origin: row.integer(next + 2))
      return (stored, row.integer(next))
    }
    guard let (row, checksum) = found else { return nil }
    let line = row.line
    try RowChecksum.require(checksum, key, line.span)
    return row
  }

  /// Stores a change under a new key; false if the key exists.
  func insert(_ key: Span<UInt8>, _ line: Span<UInt8>, _ row: NewRow) throws(StoreError) -> Bool {
    if let most = database.longestKey, key.count > most { throw .tooLong(Self.excess(of: key, most)) }
    try database.statement(
      "INSERT INTO changes (key, sequence, origin, tombstone, base, checksum, line) "
        + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO NOTHING"
    ).bind(key, line, row, sequence: state.sequence + 1).run()
    guard try database.changes == 1 else { return false }
    state.sequence += 1
    count(row.isTombstone, 1)
    note(row.clock)
    return true
  }

  /// Replaces an older change.
  func replace(
    _ old: StoredRow, _ key: Span<UInt8>, _ line: Span<UInt8>, _ row: NewRow
  ) throws(StoreError) {
    if old.base == .same, !old.isTombstone, row.base == .newer {
      try setBaseline(key, old.line.span, clock: nil)
    }
    try database.statement(
      "UPDATE changes SET sequence = ?2, origin = ?3, tombstone = ?4, base = ?5, checksum = ?6, line = ?7 "
        + "WHERE key = ?1"
    ).bind(key, line, row, sequence: nextSequence()).run()
    count(old.isTombstone, -1)
    count(row.isTombstone, 1)
    note(row.clock)
  }

  /// Stores a change under a new or an existing key.
  func put(
    _ old: StoredRow?, _ key: Span<UInt8>, _ line: Span<UInt8>, _ row: NewRow
  ) throws(StoreError) {
    if let old { return try replace(old, key, line, row) }
    guard try insert(key, line, row) else { throw .corrupt("a key was not found, but cannot be inserted") }
  }

  private func note(_ clock: Instant?) {
    if let clock { latestClock = max(latestClock, clock.seconds) }
  }

  /// The time of this device's clock when the change of a key was stored, in seconds since 1970.
  func commitTime(of key: Span<UInt8>) throws(StoreError) -> Int64? {
    try commit(of: key) { $0.isNull(1) ? nil : $0.integer(1) } ?? nil
  }

  /// The latest clock and the time of the commit of a key.
  private func commit<Value>(
    of key: Span<UInt8>, _ read: (Statement) -> Value
  ) throws(StoreError) -> Value? {
    try database.statement(
      "SELECT latest, at FROM commits WHERE sequence >= (SELECT sequence FROM changes WHERE key = ?1) "
        + "ORDER BY sequence LIMIT 1"
    ).bind(1, key).first(read)
  }

  /// Sends a change to every peer again, including its sender and peers that have had it.
  package func resend(_ key: Span<UInt8>) throws(StoreError) {
    let latest = try commit(of: key) { $0.integer(0) }
    latestClock = max(latestClock, latest ?? .min)
    try database.statement("UPDATE changes SET origin = -abs(origin), sequence = ?2 WHERE key = ?1")
      .bind(1, key).bind(2, nextSequence()).run()
  }

  /// The sequence of the last live record that is unchanged since its baseline, except keys in `others`; 0
  /// without one.
  func lastUnchanged(
    in keys: KeyRange, besides others: Set<[UInt8]>, upTo sequence: Int64
  ) throws(StoreError) -> Int64 {
    let rows = try database.statement(
      "SELECT key, sequence FROM changes WHERE key > ?1 AND key < ?2 AND sequence <= ?3 AND tombstone = 0 "
        + "AND base <> \(StoredRow.Base.newer.rawValue) ORDER BY sequence DESC", isLong: true
    ).bind(1, keys.opening).bind(2, keys.end).bind(3, sequence)
    defer { rows.reset() }
    while try rows.step() {
      if !others.contains(rows.bytes(0)) { return rows.integer(1) }
    }
    return 0
  }

  /// Removes a row without leaving a tombstone.
  func drop(_ key: Span<UInt8>, isTombstone: Bool) throws(StoreError) {
    try database.statement("DELETE FROM changes WHERE key = ?1").bind(1, key).run()
    count(isTombstone, -1)
  }

  private func count(_ isTombstone: Bool, _ difference: Int) {
    if isTombstone { state.tombstones += difference } else { state.live += difference }
  }

  /// Keeps a line as the baseline after its row has changed; with `clock` nil the line's own clock applies.
  ///
  /// `own` is a JSON array of the members of the line that the store has never had.
  func setBaseline(
    _ key: Span<UInt8>, _ line: Span<UInt8>, clock: Instant?, own: String? = nil
  ) throws(StoreError) {
    try database.statement(
      "INSERT INTO baseline (key, clock, line, own) VALUES (?1, ?2, ?3, nullif(?4, '')) "
        + "ON CONFLICT (key) DO UPDATE SET clock = excluded.clock, line = excluded.line, own = excluded.own"
    ).bind(1, key).bind(2, clock?.description ?? "").bind(3, line).bind(4, own ?? "").run()
  }
}

extension Statement {
  fileprivate func bind(
    _ key: Span<UInt8>, _ line: Span<UInt8>, _ row: NewRow, sequence: Int64
  ) -> Statement {
    bind(1, key).bind(2, sequence).bind(3, row.origin).bind(4, row.isTombstone ? 1 : 0)
      .bind(5, row.base.rawValue).bind(6, RowChecksum.of(key, line)).bind(7, line)
  }
}
