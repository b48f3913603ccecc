import JSONLines
import SyncCore

/// Goes through the rows of a store in key order, with what the baseline has of them.
///
/// It reads through a connection of its own, which sees the store as it was before the transaction that the rows are
/// compared for: a statement that goes through a table while it changes may see a row twice.
final class BaselineCursor {
  private let database: Database
  private let rows: Statement
  private let baseline: Statement
  private var reader: ChangeReader
  private(set) var isValid = true

  /// `opening` is what the keys begin with.
  init(_ store: ChangeStore, _ shape: RecordShape, opening: [UInt8]) throws(StoreError) {
    database = try Database(store.path, readOnly: true, wait: store.wait)
    let isWhole = opening.isEmpty
    rows = try database.statement(
      "SELECT key, \(StoredRow.columns) FROM changes "
        + (isWhole ? "" : "WHERE key >= ?1 AND key < ?2 ") + "ORDER BY key")
    if !isWhole {
      rows.bind(1, opening).bind(2, Prunes.end(of: opening))
    }
    baseline = try database.statement("SELECT line, clock FROM baseline WHERE key = ?1")
    reader = ChangeReader(shape)
    try advance()
  }

  func advance() throws(StoreError) {
    if isValid { isValid = try rows.step() }
  }

  /// Negative, zero or positive as the row's key is before, the same as or after `key`; after all others at the end.
  func compare(to key: Span<UInt8>) -> Int {
    guard isValid else { return 1 }
    // A copy of the reference: what is borrowed from a property of a class is given back at once.
    let rows = rows
    let own = rows.span(0)
    let common = ByteSearch.commonPrefix(own, 0..<own.count, key, 0..<key.count)
    guard common < own.count, common < key.count else { return own.count - key.count }
    return Int(own[common]) - Int(key[common])
  }

  var key: [UInt8] { rows.bytes(0) }

  var row: StoredRow { StoredRow(rows, from: 1) }

  /// Whether the row is the baseline, live, and these very bytes.
  func isUnchanged(_ line: Span<UInt8>) -> Bool {
    guard rows.integer(5) == StoredRow.Base.same.rawValue, rows.integer(4) == 0 else { return false }
    let rows = rows
    let own = rows.span(1)
    return own.count == line.count && ByteSearch.isEqual(own, 0..<own.count, line, 0..<line.count)
  }

  /// What the baseline has of the row's key.
  func base() throws(StoreError) -> BaselineLine? {
    if rows.integer(5) == StoredRow.Base.same.rawValue {
      let line = rows.bytes(1)
      return BaselineLine(line: line, isTombstone: rows.integer(4) != 0, clock: reader.change(line.span).clock)
    }
    let rows = rows
    let found = try baseline.bind(1, rows.span(0)).first { ($0.bytes(0), $0.text(1)) }
    guard let (line, clock) = found else { return nil }
    let change = reader.change(line.span)
    return BaselineLine(
      line: line, isTombstone: change.isTombstone, clock: clock.isEmpty ? change.clock : Instant(clock))
  }
}

/// What the last snapshot had under a key.
struct BaselineLine {
  var line: [UInt8]
  var isTombstone: Bool
  /// That of the change which was stored for it.
  var clock: Instant?

  var clockBase: LocalClock.Base { LocalClock.Base(clock: clock) }
}

extension ChangeStore {
  /// The stored change is what the snapshot has too.
  func adopt(_ key: Span<UInt8>) throws(StoreError) {
    try setBase(key, .same)
    try forgetBaseline(key)
  }

  /// The snapshot has had its say and lost: the baseline is what it had, or nothing.
  func keepBaseline(_ key: Span<UInt8>, _ line: Span<UInt8>, clock: Instant?) throws(StoreError) {
    try setBase(key, .newer)
    try setBaseline(key, line, clock: clock)
  }

  func leaveBaseline(_ key: Span<UInt8>) throws(StoreError) {
    try setBase(key, .newer)
    try forgetBaseline(key)
  }

  func forgetBaseline(_ key: Span<UInt8>) throws(StoreError) {
    try database.statement("DELETE FROM baseline WHERE key = ?1").bind(1, key).run()
  }

  private func setBase(_ key: Span<UInt8>, _ base: StoredRow.Base) throws(StoreError) {
    try database.statement("UPDATE changes SET base = ?2 WHERE key = ?1").bind(1, key)
      .bind(2, base.rawValue).run()
  }

  /// The baseline becomes what is stored, for whoever has read all of it.
  func takeAsBaseline() throws(StoreError) {
    try database.run("UPDATE changes SET base = 1 WHERE base <> 1; DELETE FROM baseline")
  }
}
