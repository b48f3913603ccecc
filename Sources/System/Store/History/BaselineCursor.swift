import JSONLines
import SyncCore

/// Iterates over the rows of a store in key order, together with their baselines.
///
/// It copies the rows in batches, because a statement that reads a table while it changes may return a row
/// twice. While the cursor is used, only its row and rows before it may be changed.
struct BaselineCursor {
  private static let size = 512
  private let rows: Statement
  private let baseline: Statement
  private var reader: ChangeReader
  private var batch = StoredRows()
  private var index = 0
  /// A key that is after all others.
  private let end: [UInt8]
  private(set) var isValid = true

  init(_ store: ChangeStore, _ shape: RecordShape, _ keys: KeyRange) throws(StoreError) {
    rows = try store.database.statement(
      "SELECT key, \(StoredRow.columns), checksum FROM changes WHERE key > ?1 AND key < ?2 ORDER BY key "
        + "LIMIT \(Self.size)"
    )
    baseline = try store.database.statement("SELECT line, clock FROM baseline WHERE key = ?1")
    end = keys.end
    reader = ChangeReader(shape)
    try readOn(after: keys.opening)
  }

  /// Moves to the row of a key; the cursor becomes invalid if that row does not exist.
  mutating func seek(_ key: Span<UInt8>, _ store: ChangeStore) throws(StoreError) {
    index = 0
    batch.removeAll()
    let row = try store.database.statement(
      "SELECT key, \(StoredRow.columns), checksum FROM changes WHERE key = ?1"
    ).bind(1, key)
    while try row.step() { batch.append(row) }
    isValid = batch.count > 0
  }

  mutating func advance() throws(StoreError) {
    index += 1
    if index == batch.count { try readOn(after: key(index - 1)) }
  }

  private mutating func readOn(after key: [UInt8]) throws(StoreError) {
    index = 0
    batch.removeAll()
    rows.bind(1, key).bind(2, end)
    while try rows.step() { batch.append(rows) }
    isValid = batch.count > 0
  }

  /// Negative, zero or positive if the row's key is before, equal to or after `key`; positive at the end.
  func compare(to key: Span<UInt8>) -> Int {
    guard isValid else { return 1 }
    let (rows, own) = (batch.bytes.span, batch[index].key)
    let common = ByteSearch.commonPrefix(rows, own, key, 0..<key.count)
    guard common < own.count, common < key.count else { return own.count - key.count }
    return Int(rows[own.lowerBound + common]) - Int(key[common])
  }

  var key: [UInt8] { key(index) }

  private func key(_ index: Int) -> [UInt8] { Array(batch.bytes[batch[index].key]) }

  /// Throws `corrupt` for a row that does not match its checksum.
  func row() throws(StoreError) -> StoredRow { try batch.row(index) }

  /// Whether the row is live, is the baseline, and has exactly these bytes.
  ///
  /// A record is compared with the row's fields, a change line with its line.
  func isUnchanged(_ line: Span<UInt8>, _ kind: ChangeLine.Kind) -> Bool {
    let entry = batch[index]
    guard entry.base == .same, !entry.isTombstone else { return false }
    guard kind == .record else {
      return ByteSearch.isEqual(batch.bytes.span, entry.line, line, 0..<line.count)
    }
    return SnapshotContent.isWrapped(line, in: batch.bytes.span.extracting(entry.line))
  }

  /// The baseline's record of the row's key; nil without one.
  mutating func base() throws(StoreError) -> BaselineLine? {
    let entry = batch[index]
    if entry.base == .same {
      let line = try row().line
      return BaselineLine(line: line, isTombstone: entry.isTombstone, clock: reader.change(line.span).clock)
    }
    let found = try baseline.bind(1, key).first { ($0.bytes(0), $0.text(1)) }
    guard let (line, clock) = found else { return nil }
    let change = reader.change(line.span)
    return BaselineLine(
      line: line, isTombstone: change.isTombstone, clock: clock.isEmpty ? change.clock : Instant(clock))
  }
}

/// The record that the last snapshot had under a key.
struct BaselineLine {
  var line: [UInt8]
  var isTombstone: Bool
  /// The clock of the change that was stored for the record.
  var clock: Instant?
}

extension SnapshotContent {
  /// The members of the record in a change line.
  static func members(of line: Span<UInt8>) -> [JSONMember] {
    guard let fields = fields(of: line), let record = try? JSONValue(parsing: line.extracting(fields)) else {
      return []
    }
    return record.objectValue ?? []
  }
}

extension SnapshotContent {
  /// A change line with the stored values of members that its app has not changed; nil if the line already
  /// has these values.
  ///
  /// A column of numbers has 712 for a stored "00712", and null for a member that the record lacks. If the
  /// app edits another column, the stored values must stay. `base` is the stored record as its source has it.
  static func keepingValues(
    of stored: Span<UInt8>, in line: [UInt8], unchangedSince base: Span<UInt8>
  ) -> [UInt8]? {
    guard let place = fields(of: line.span) else { return nil }
    let (before, known) = (members(of: base), members(of: stored))
    let own = members(of: line.span)
    let kept = own.compactMap { member -> JSONMember? in
      guard before[named: member.name] == member.value else { return member }
      guard let value = known[named: member.name] else { return member.value == .null ? nil : member }
      return JSONMember(member.name, value)
    }
    // A member that the source has never had cannot have been removed by its app.
    let whole = kept + known.filter { own[named: $0.name] == nil && before[named: $0.name] == nil }
    guard whole != own else { return nil }
    return line[..<place.lowerBound] + Array(JSONValue.object(whole).text.utf8) + line[place.upperBound...]
  }
}

extension ChangeStore {
  /// A change line with the baseline's numbers in place of the texts to which a column has converted them;
  /// nil without such texts.
  ///
  /// If an app changes a column of numbers to a column of texts, SQLite converts 49 to "49". This does not
  /// count as an edit of a stored "0049", because the column of numbers could not contain that text.
  func undoingConversions(
    in line: Span<UInt8>, since base: Span<UInt8>, of stored: Span<UInt8>
  ) throws(StoreError) -> [UInt8]? {
    guard let place = SnapshotContent.fields(of: line) else { return nil }
    let (before, known) = (SnapshotContent.members(of: base), SnapshotContent.members(of: stored))
    let own = SnapshotContent.members(of: line)
    var undone = own
    for (index, member) in own.enumerated() {
      guard let number = before[named: member.name], let value = known[named: member.name],
        value != number, value != member.value, try isText(member.value, of: number)
      else { continue }
      undone[index].value = number
    }
    guard undone != own else { return nil }
    return Array(copying: line.extracting(..<place.lowerBound))
      + Array(JSONValue.object(undone).text.utf8) + Array(copying: line.extracting(place.upperBound...))
  }

  /// Whether a value is the text to which SQLite converts a number.
  private func isText(_ value: JSONValue, of number: JSONValue) throws(StoreError) -> Bool {
    guard case .string(let text) = value, case .number(let digits) = number else { return false }
    if Int64(digits) != nil { return text == digits }
    guard let real = Double(digits) else { return false }
    let converted = try database.statement("SELECT CAST(?1 AS TEXT)").bind(1, real).first { $0.text(0) }
    return converted == text
  }

  /// Makes the stored change the baseline, because the snapshot has the same change.
  func adopt(_ key: Span<UInt8>) throws(StoreError) {
    try setBase(key, .same)
    try forgetBaseline(key)
  }

  /// Keeps this line as the baseline, because the snapshot's change has lost.
  func keepBaseline(_ key: Span<UInt8>, _ line: Span<UInt8>, clock: Instant?) throws(StoreError) {
    try setBase(key, .newer)
    var own = try database.statement("SELECT coalesce(own, '') FROM baseline WHERE key = ?1").bind(1, key)
      .first { $0.text(0) }
    if own == nil { own = try membersOfItsOwn(key, line) }
    try setBaseline(key, line, clock: clock, own: own)
  }

  /// Makes the snapshot's spelling of the stored change the baseline, with the clock of the change.
  func respell(_ key: Span<UInt8>, _ line: Span<UInt8>, clock: Instant?) throws(StoreError) {
    try setBase(key, .respelled)
    try setBaseline(key, line, clock: clock, own: membersOfItsOwn(key, line))
  }

  /// Notes the baseline's members that the stored change lacks.
  ///
  /// The author of the change had not seen the baseline, so the change does not remove these members.
  func keepMembersOfItsOwn(_ key: Span<UInt8>) throws(StoreError) {
    let line = try database.statement("SELECT line FROM baseline WHERE key = ?1").bind(1, key).first {
      $0.bytes(0)
    }
    guard let line, let own = try membersOfItsOwn(key, line.span) else { return }
    try database.statement("UPDATE baseline SET own = ?2 WHERE key = ?1").bind(1, key).bind(2, own).run()
  }

  /// The members of a line that the stored record lacks, as a JSON array; nil if it has all of them.
  private func membersOfItsOwn(_ key: Span<UInt8>, _ line: Span<UInt8>) throws(StoreError) -> String? {
    guard let row = try row(of: key), !row.isTombstone else { return nil }
    let stored = SnapshotContent.members(of: row.line.span)
    let own = SnapshotContent.members(of: line).filter { $0.value != .null && stored[named: $0.name] == nil }
    return own.isEmpty ? nil : JSONValue.array(own.map { .string($0.name) }).text
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

  /// Makes the stored records the baseline, for an app that has read all of them.
  func recordBaseline(_ keys: KeyRange) throws(StoreError) {
    for sql in [
      "UPDATE changes SET base = 1 WHERE base <> 1 AND key > ?1 AND key < ?2",
      "DELETE FROM baseline WHERE key > ?1 AND key < ?2",
    ] {
      try database.statement(sql).bind(1, keys.opening).bind(2, keys.end).run()
    }
  }
}
