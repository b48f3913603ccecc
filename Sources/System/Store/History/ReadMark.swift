package import JSONLines

/// The point up to which a table has been read; rows from there on may have been edited since then.
package struct ReadMark: Equatable, Sendable {
  /// A value of the table's clock column; rows with an earlier value have been read.
  package var clock: JSONValue
  /// The number of rows in the table.
  package var rows: Int64
  /// The database's `PRAGMA schema_version`.
  package var schema: Int64
  /// The time when all rows were last read, in seconds since 1970.
  package var wholeAt: Int64

  package init(clock: JSONValue, rows: Int64, schema: Int64, wholeAt: Int64) {
    (self.clock, self.rows, self.schema, self.wholeAt) = (clock, rows, schema, wholeAt)
  }

  /// Reads the form in which the store keeps a mark; nil for an invalid text.
  fileprivate init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let parts = (try? JSONValue(parsing: bytes.span))?.arrayValue, parts.count == 4,
      let rows = parts[1].intValue, let schema = parts[2].intValue, let at = parts[3].intValue
    else { return nil }
    self.init(clock: parts[0], rows: Int64(rows), schema: Int64(schema), wholeAt: Int64(at))
  }

  fileprivate var text: String {
    JSONValue.array([clock, .integer(rows), .integer(schema), .integer(wholeAt)]).text
  }
}

extension ChangeStore {
  /// The mark of a binding; nil if the source must be read from the beginning.
  package func readMark(of binding: Binding) throws(StoreError) -> ReadMark? {
    try database.statement("SELECT mark FROM bindings WHERE entity = ?1 AND mark IS NOT NULL")
      .bind(1, binding.entity).first { $0.text(0) }.flatMap { ReadMark($0) }
  }

  /// Notes a mark; call it inside a `write`.
  package func noteRead(_ binding: Binding, _ mark: ReadMark?) throws(StoreError) {
    let statement = try database.statement("UPDATE bindings SET mark = ?2 WHERE entity = ?1")
      .bind(1, binding.entity)
    if let mark { statement.bind(2, mark.text) } else { statement.bind(2, Int64?.none) }
    try statement.run()
  }

  /// The store's content for a key of a source; later cases take precedence if a record has two keys.
  package enum Standing: Int, Sendable {
    case nothing, deletion, record
    /// The source had a record of this key when it was last read or written.
    case inSource
  }

  package func standing(of key: Span<UInt8>) throws(StoreError) -> Standing {
    guard let row = try row(of: key) else { return .nothing }
    let other = row.isTombstone ? Standing.deletion : .record
    if row.base == .same { return row.isTombstone ? other : .inSource }
    let baseline = try database.statement("SELECT 1 FROM baseline WHERE key = ?1").bind(1, key)
      .first { _ in Standing.inSource }
    return baseline ?? other
  }

  /// Whether the source had a record of this key when it was last read or written.
  package func isInSource(_ key: Span<UInt8>) throws(StoreError) -> Bool {
    try standing(of: key) == .inSource
  }
}
