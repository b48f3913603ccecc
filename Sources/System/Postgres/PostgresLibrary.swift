internal import CPQOnDemand
import JSONLines
import Store
import SystemIO

/// libpq, loaded when the first store in PostgreSQL is opened.
enum PostgresLibrary {
  static func load() throws -> peersync_libpq {
    var library = peersync_libpq()
    guard unsafe peersync_libpq_load(&library) != 0 else {
      throw Diagnostic.missing("libpq", package: "libpq5")
    }
    return library
  }
}

/// The answer to one statement.
///
/// This is safe because the handle is valid until `deinit`.
@safe
final class PostgresResult {
  private let handle: OpaquePointer
  private let library: peersync_libpq
  let count: Int
  private let columns: Int32

  @unsafe
  init(_ handle: OpaquePointer, _ library: peersync_libpq) {
    unsafe (self.handle, self.library) = (handle, library)
    count = unsafe Int(withUnsafePointer(to: library) { unsafe peersync_pq_rows($0, handle) })
    columns = unsafe withUnsafePointer(to: library) { unsafe peersync_pq_columns($0, handle) }
  }

  deinit { unsafe withUnsafePointer(to: library) { unsafe peersync_pq_clear($0, handle) } }

  /// The number of rows that the statement has changed.
  var changes: Int {
    unsafe withUnsafePointer(to: library) { library in
      unsafe Int(String(cString: peersync_pq_changed(library, handle))) ?? 0
    }
  }

  func isNull(_ row: Int, _ column: Int32) -> Bool {
    unsafe withUnsafePointer(to: library) {
      unsafe peersync_pq_is_null($0, handle, Int32(row), column) != 0
    }
  }

  /// The server's number for the type of a column.
  func type(_ column: Int32) -> UInt32 {
    unsafe withUnsafePointer(to: library) { unsafe peersync_pq_type($0, handle, column) }
  }

  /// The bytes of a value, valid as long as the result exists.
  @unsafe
  func buffer(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
    unsafe withUnsafePointer(to: library) { library in
      unsafe UnsafeRawBufferPointer(
        start: peersync_pq_value(library, handle, Int32(row), column),
        count: Int(peersync_pq_length(library, handle, Int32(row), column)))
    }
  }

  func text(_ row: Int, _ column: Int32) -> String {
    unsafe String(decoding: buffer(row, column), as: UTF8.self)
  }

  func size(ofRow row: Int) -> Int {
    (0..<columns).reduce(0) { unsafe $0 + buffer(row, $1).count }
  }

  /// A number of two, four or eight bytes, the most significant first, or a Boolean of one byte.
  func integer(_ row: Int, _ column: Int32) -> Int64 {
    let bytes = unsafe buffer(row, column)
    guard bytes.count <= 8, let first = unsafe bytes.first else { return 0 }
    var value: Int64 = bytes.count > 1 && first > 127 ? -1 : 0
    for index in 0..<bytes.count { value = value << 8 | Int64(unsafe bytes[index]) }
    return value
  }
}
