internal import CSQLite
import SystemIO

extension StoreError {
  /// What a result code of a connection's last call means.
  @unsafe
  init(code: Int32, on connection: OpaquePointer) {
    if code & 0xFF == SQLITE_CORRUPT, let cause = unsafe Self.failedRead(on: connection) {
      self = .inputOutput(cause.reason)
      return
    }
    unsafe self.init(
      code: code, message: String(cString: sqlite3_errmsg(connection)),
      cause: SystemError(.write, "", code: sqlite3_system_errno(connection)))
  }

  /// `message` is SQLite's; `cause` is the errno of the call that failed, which is told beside input and output only.
  ///
  /// SQLite calls a full disk by that name where it writes to the database or its log. The index of the log is a file
  /// too, of which it says no more than that it could not be written.
  init(code: Int32, message: String, cause: SystemError? = nil) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR where cause?.isFull == true, SQLITE_CANTOPEN where cause?.isFull == true: self = .full
    case SQLITE_CANTOPEN where cause?.isReadOnly == true: self = .readOnly
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    case SQLITE_CORRUPT: self = .corrupt(message)
    // The statements are all fixed: it is the file that lacks what they name.
    case SQLITE_ERROR where message.hasPrefix("no such "): self = .corrupt(message)
    case SQLITE_NOTADB: self = .notAStore
    case SQLITE_CANTOPEN: self = .cannotOpen(Self.reason(message, cause))
    case SQLITE_IOERR: self = .inputOutput(Self.reason(message, cause))
    case SQLITE_TOOBIG: self = .tooLarge
    default: self = .other(code: Int(code), message: message)
    }
  }

  /// Why a file could not be read, where SQLite says damage: it takes an error of the device for a damaged file system.
  @unsafe
  private static func failedRead(on connection: OpaquePointer) -> SystemError? {
    // The database, then its log.
    for operation in [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      var number: CInt = 0
      guard unsafe sqlite3_file_control(connection, "main", operation, &file) == SQLITE_OK,
        let file = unsafe file, let methods = unsafe file.pointee.pMethods,
        unsafe methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
      else { continue }
      let error = SystemError(.read, "", code: number)
      if error.isOfDevice { return error }
    }
    return nil
  }

  private static func reason(_ message: String, _ cause: SystemError?) -> String {
    cause.map { $0.code == 0 ? message : $0.reason } ?? message
  }
}
