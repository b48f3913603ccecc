internal import CSQLite
import JSONLines

/// A prepared statement: bind, step, read columns, reset.
///
/// Safe because the handle is valid until `deinit`, and what a column shows is borrowed from the statement, which has
/// to be stepped or reset to let it go.
@safe
package final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  @unsafe
  init(_ sql: String, on connection: OpaquePointer) throws(StoreError) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      throw unsafe StoreError(code: code, on: connection)
    }
    unsafe (self.handle, self.connection) = (handle, connection)
  }

  deinit { unsafe sqlite3_finalize(handle) }

  // MARK: Values, from 1

  @discardableResult
  package func bind(_ place: Int32, _ number: Int64?) -> Statement {
    if let number {
      _ = unsafe sqlite3_bind_int64(handle, place, number)
    } else {
      _ = unsafe sqlite3_bind_null(handle, place)
    }
    return self
  }

  @discardableResult
  package func bind(_ place: Int32, _ number: Double) -> Statement {
    _ = unsafe sqlite3_bind_double(handle, place, number)
    return self
  }

  @discardableResult
  package func bind(_ place: Int32, _ text: String) -> Statement {
    var text = text
    text.withUTF8 { utf8 in
      _ = unsafe peersync_bind_text(handle, place, utf8.baseAddress, UInt64(utf8.count))
    }
    return self
  }

  /// A copy of the bytes.
  @discardableResult
  package func bind(_ place: Int32, _ bytes: Span<UInt8>) -> Statement {
    guard !bytes.isEmpty else {
      _ = unsafe sqlite3_bind_zeroblob(handle, place, 0)
      return self
    }
    unsafe bytes.withUnsafeBufferPointer { buffer in
      _ = unsafe peersync_bind_blob(handle, place, buffer.baseAddress, UInt64(buffer.count))
    }
    return self
  }

  @discardableResult
  package func bind(_ place: Int32, _ bytes: [UInt8]) -> Statement { bind(place, bytes.span) }

  // MARK: Steps

  /// Whether there is a row; after the last the statement can be used again.
  package func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    unsafe sqlite3_reset(handle)
    guard code == SQLITE_DONE else {
      throw unsafe StoreError(code: code, on: connection)
    }
    return false
  }

  /// Runs it where no row is wanted.
  package func run() throws(StoreError) {
    while try step() {}
  }

  /// Lets go of the row before the last has been seen.
  package func reset() { unsafe sqlite3_reset(handle) }

  /// Hands over each row.
  package func forEachRow(_ body: (Statement) throws -> Void) throws {
    defer { reset() }
    while try step() { try body(self) }
  }

  /// The value that `body` makes of the first row; nil if there is no row.
  package func first<Value>(_ body: (Statement) -> Value) throws(StoreError) -> Value? {
    guard try step() else { return nil }
    defer { reset() }
    return body(self)
  }

  // MARK: Columns, from 0

  /// The kinds of values that SQLite has.
  package enum Kind: Int32 {
    case integer = 1
    case real, text, blob, null
  }

  package func kind(_ column: Int32) -> Kind {
    Kind(rawValue: unsafe sqlite3_column_type(handle, column)) ?? .null
  }

  package func isNull(_ column: Int32) -> Bool { kind(column) == .null }

  package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  package func bytes(_ column: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(span(column))
    return bytes
  }

  /// The bytes in the place where SQLite keeps them: good until the next step or reset.
  @_lifetime(borrow self)
  package func span(_ column: Int32) -> Span<UInt8> {
    // In this order: the blob's size is that of the value as sqlite3_column_blob has it.
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
    return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
  }
}
