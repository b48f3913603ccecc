import SystemIO

// The files of a database: how they are made, and how SQLite opens them.
extension Database {
  /// Opens an existing file for reading, even if the disk is full.
  ///
  /// On a full disk SQLite cannot create the index of the log, which it needs unless it is alone.
  package static func forReading(_ path: String, wait: Duration) throws(StoreError) -> Database {
    let end = SystemClock.monotonic() + wait
    do throws(StoreError) {
      return try openingLog(path, wait: wait)
    } catch {
      guard error == .full else { throw error }
    }
    while true {
      do throws(StoreError) {
        let database = try openingLog(path, isAlone: true, wait: .zero)
        database.limitWait(to: wait)
        return database
      } catch {
        // The connection is closed now. Otherwise it would keep its shared lock, and two readers would block
        // each other.
        guard error == .busy, SystemClock.monotonic() < end else { throw error }
      }
      SystemClock.sleep(.milliseconds(Int.random(in: 5...50)))
    }
  }

  /// Opens an existing file and its log.
  private static func openingLog(
    _ path: String, isAlone: Bool = false, wait: Duration
  ) throws(StoreError) -> Database {
    let database = try Database(path, isAlone: isAlone, wait: wait)
    // The first query opens the log.
    _ = try database.integer("PRAGMA user_version")
    return database
  }

  /// Throws if a file does not exist, or if the permissions hide it.
  package static func require(_ path: String) throws(StoreError) {
    if let denial = FileMode.denial(of: path) { throw .notReadable(denial.reason) }
    guard FileMode.exists(path) else { throw .missing }
  }

  /// Whether SQLite cannot create the files that it needs beside the database to write to it.
  static func isUnwritable(_ file: String) -> Bool {
    let cannotCreate = FileMode.isOnReadOnlySystem(file) || !FileMode.isWritable(FileMode.folder(of: file))
    return cannotCreate && !(FileMode.exists(file + "-wal") && FileMode.exists(file + "-shm"))
  }

  /// Whether changes go to a log, and none must be undone; without a log and its index, such a file is not
  /// open in a process that writes.
  ///
  /// Any other database must be read with locks: a process that writes to it changes the file itself. This
  /// opens and closes the file, so another connection of this process would lose its locks.
  static func usesLog(_ file: String) -> Bool {
    // Both versions in the header of the file are 2 (sqlite.org/fileformat2.html).
    guard (try? ByteInput.bytes(of: file, in: 18..<20)) == [2, 2] else { return false }
    let journal = file + "-journal"
    // SQLite must undo the changes of a journal unless it begins with zero.
    return FileMode.size(of: journal) == 0 || (try? ByteInput.bytes(of: journal, in: 0..<1)) == [0]
  }

  /// The name by which SQLite opens a file; it would not read `:memory:` or `file:NAME` as a file name.
  static func name(of path: String) -> String {
    [":", "file:"].contains { path.utf8.starts(with: $0.utf8) } ? "./" + path : path
  }

  /// The name by which SQLite opens an unchanging file without locks, log and index.
  static func locator(ofFixed path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    let name = Self.name(of: path)
    let escaped = name.utf8.flatMap { byte in
      plain.contains(byte) ? [byte] : [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    // Otherwise the first folder of a path that begins with two slashes would be the authority of the URI.
    let scheme = name.utf8.first == UInt8(ascii: "/") ? "file://" : "file:"
    return scheme + String(decoding: escaped, as: UTF8.self) + "?immutable=1"
  }

  /// Makes an empty file if it does not exist.
  ///
  /// From the beginning only the owner has access; SQLite gives the log and its index the same permissions.
  package static func create(_ path: String) throws {
    try creating { () throws(SystemError) in try FileMode.createPrivate(path) }
  }

  /// Makes an empty file; false if the file exists already.
  package static func createNew(_ path: String) throws(StoreError) -> Bool {
    try creating { () throws(SystemError) in try FileMode.createNew(path) }
  }

  private static func creating<Value>(_ body: () throws(SystemError) -> Value) throws(StoreError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw error.isReadOnly ? StoreError.readOnly : error.isFull ? .full : .cannotOpen(error.reason)
    }
  }
}
