internal import CSQLite
import JSONLines

/// A prepared statement: bind, step, read columns, reset.
///
/// This is safe because the handle is valid until `deinit`. Column values are borrowed from the statement, so
/// they are valid only until it is stepped or reset.
@safe
package final class Statement {
  private let handle: OpaquePointer?
  private let connection: OpaquePointer?
  /// The driver of another database; nil for a statement of SQLite.
  private let driver: (any StatementDriver)?

  /// A statement of another database.
  package init(_ driver: any StatementDriver) {
    unsafe (self.handle, self.connection) = (nil, nil)
    self.driver = driver
  }

  @unsafe
  init(_ sql: String, on connection: OpaquePointer) throws(StoreError) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      throw unsafe StoreError(code: code, on: connection)
    }
    unsafe (self.handle, self.connection) = (handle, connection)
    driver = nil
  }

  deinit { unsafe sqlite3_finalize(handle) }

  // MARK: Values, from 1

  /// The number of parameters; 0 for a statement of another database.
  package var parameterCount: Int {
    driver == nil ? Int(unsafe sqlite3_bind_parameter_count(handle)) : 0
  }

  @discardableResult
  package func bind(_ place: Int32, _ number: Int64?) -> Statement {
    if let driver {
      driver.bind(place, number)
    } else if let number {
      _ = unsafe sqlite3_bind_int64(handle, place, number)
    } else {
      _ = unsafe sqlite3_bind_null(handle, place)
    }
    return self
  }

  @discardableResult
  package func bind(_ place: Int32, _ number: Double) -> Statement {
    if let driver {
      driver.bind(place, number)
    } else {
      _ = unsafe sqlite3_bind_double(handle, place, number)
    }
    return self
  }

  @discardableResult
  package func bind(_ place: Int32, _ text: String) -> Statement {
    var text = text
    text.withUTF8 { utf8 in
      if let driver { return unsafe driver.bind(place, text: Span(_unsafeElements: utf8)) }
      _ = unsafe peersync_bind_text(handle, place, utf8.baseAddress, UInt64(utf8.count))
    }
    return self
  }

  /// Binds a copy of the bytes.
  @discardableResult
  package func bind(_ place: Int32, _ bytes: Span<UInt8>) -> Statement {
    if let driver {
      driver.bind(place, bytes: bytes)
      return self
    }
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

  /// Moves to the next row; false after the last one, when the statement can be used again.
  package func step() throws(StoreError) -> Bool {
    if let driver { return try driver.step() }
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    unsafe sqlite3_reset(handle)
    if code != SQLITE_DONE, let connection = unsafe connection {
      throw unsafe StoreError(code: code, on: connection)
    }
    return false
  }

  /// Runs the statement and ignores its rows.
  package func run() throws(StoreError) {
    if let driver { return try driver.run() }
    while try step() {}
  }

  /// Ends a statement whose last row has not been read.
  package func reset() {
    if let driver { driver.reset() } else { unsafe sqlite3_reset(handle) }
  }

  /// Passes each row to `body`.
  package func forEachRow(_ body: (Statement) throws -> Void) throws {
    defer { reset() }
    while try step() { try body(self) }
  }

  /// The result of `body` for the first row; nil without a row.
  package func first<Value>(_ body: (Statement) -> Value) throws(StoreError) -> Value? {
    guard try step() else { return nil }
    defer { reset() }
    return body(self)
  }

  // MARK: Columns, from 0

  /// The number of columns of a row; 0 for a statement of another database.
  package var columnCount: Int32 { driver == nil ? (unsafe sqlite3_column_count(handle)) : 0 }

  /// The kinds of values in SQLite.
  package enum Kind: Int32 {
    case integer = 1
    case real, text, blob, null
  }

  package func kind(_ column: Int32) -> Kind {
    if let driver { return driver.kind(column) }
    return Kind(rawValue: unsafe sqlite3_column_type(handle, column)) ?? .null
  }

  package func isNull(_ column: Int32) -> Bool { kind(column) == .null }

  package func real(_ column: Int32) -> Double {
    driver?.real(column) ?? (unsafe sqlite3_column_double(handle, column))
  }

  package func integer(_ column: Int32) -> Int64 {
    driver?.integer(column) ?? (unsafe sqlite3_column_int64(handle, column))
  }

  package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  package func bytes(_ column: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(span(column))
    return bytes
  }

  /// The bytes in the driver's memory, valid until the next step or reset.
  @_lifetime(borrow self)
  package func span(_ column: Int32) -> Span<UInt8> {
    if let driver {
      let buffer = unsafe driver.buffer(column).bindMemory(to: UInt8.self)
      return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
    }
    // Keep this order: the first call may convert the value, and sqlite3_column_bytes returns its new size.
    // For a text in UTF-16, only sqlite3_column_text returns the bytes that sqlite3_column_bytes counts.
    let start: UnsafeRawPointer? =
      unsafe kind(column) == .text
      ? UnsafeRawPointer(sqlite3_column_text(handle, column)) : sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
    return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
  }
}
