internal import CSQLite

extension StoreError {
  /// What a result code of SQLite means; `message` is the connection's own.
  init(code: Int32, message: String) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    case SQLITE_CORRUPT: self = .corrupt(message)
    case SQLITE_NOTADB: self = .notAStore
    case SQLITE_CANTOPEN: self = .cannotOpen(message)
    case SQLITE_IOERR: self = .inputOutput(message)
    case SQLITE_TOOBIG: self = .tooLarge
    default: self = .other(code: Int(code), message: message)
    }
  }
}
