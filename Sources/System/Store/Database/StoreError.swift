import CSQLite
import JSONLines
import SystemIO

/// The reason why a store cannot be used, or does not accept a request.
package enum StoreError: Error, Equatable, Sendable {
  /// The file does not exist.
  case missing
  /// The file cannot be opened for writing, or cannot be created.
  case cannotOpen(String)
  /// The file cannot be opened for reading, or the permissions hide whether it exists.
  case notReadable(String)
  /// Another process holds the lock, and did not release it in time.
  case busy
  /// A process has ended while it wrote to the file, and its changes cannot be undone without writing.
  case halfWritten
  /// The disk is full, or the file has reached its size limit.
  case full
  /// The household of a database would exceed its quota.
  case quotaReached
  case readOnly
  /// Everybody may write to the file.
  case isForAll
  /// The file is being moved and has a temporary name, which prevents writes by other processes.
  case beingMoved
  /// Another file already has the name.
  case nameTaken(String)
  /// The open file was moved or removed.
  case replaced
  /// The file is damaged.
  case corrupt(String)
  /// The file is not an SQLite database, or it belongs to another program.
  case notAStore
  /// The file has been written by a later version.
  case newerSchema(found: Int, known: Int)
  /// The file has been written by an earlier version, and is not converted.
  case olderSchema(found: Int)
  case inputOutput(String)
  /// The database server cannot be reached, or disconnected before it answered; a change may be stored.
  case unavailable(String)
  /// The database server refuses this role, or this operation by the role.
  case denied(String)
  case noDatabase(String)
  /// The encoding of the database differs from that of the lines.
  case encoding(String)
  /// The database server allows the role to read all households.
  case unguarded(role: String)
  /// A value is too long for an index of the database server; the text is a sentence about it.
  case tooLong(String)
  /// A line or a set of lines is too large for the store.
  case tooLarge
  /// Any other result code.
  case other(code: Int, message: String)

  /// The text is not a token of a store.
  case invalidToken
  /// The token belongs to another store, or to a history that this store no longer has.
  case foreignToken
  /// Some changes after the token have been compacted away.
  case expiredToken
  case tooManyDeletions(count: Int, live: Int)
  /// The quarantine does not have room for more changes of the peer.
  case quarantineFull(peer: String)
  /// An option contradicts the rules of the store: the option, its value, and the store's value.
  case rulesDiffer(option: String, given: String, stored: String?)
  /// The rules of the store have changed since its lines were read.
  case rulesChanged
  /// The requested rules would give the records of this entity other keys.
  case keysDiffer(entity: String)
  /// The requested rules would make a record of this entity invalid.
  case unfit(entity: String, reason: String)
  /// The key members of a new record differ from those of the stored records of its entity; `given` and `stored`
  /// are these members as readable text.
  case otherIdentity(entity: String, given: String, stored: String)
  /// The rules are too long for a message.
  case rulesTooLong
  /// The clock of a local write is further ahead of now than allowed; `key` is readable text.
  ///
  /// `source` is the stored change that the clock may come from.
  case clockRefused(key: String, source: Source?)
  /// The snapshot does not have lines, and does not name its entity although the store has several.
  case emptySnapshot
  /// The snapshot is empty, so the command that wrote it may have failed; the text is the name of the input.
  case emptyInput(String)
  /// The snapshot looks like a delta: it has delete lines for live records, and lacks other records.
  case delta(deletions: Int, missing: Int)
  /// The snapshot of one entity contains a record of another entity.
  case outOfScope
  case unknownPeer(String)
  case ambiguousPeer(String)
}

extension StoreError {
  /// Whether the error shows an outage of the database server, in which every request fails.
  package var isOutage: Bool {
    switch self {
    case .unavailable, .denied, .noDatabase, .encoding, .unguarded: true
    default: false
    }
  }

  /// The error message of the triggers in a database that has been moved.
  static let fenced = "the store has been moved"

  /// Converts the result code of a connection's last call.
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

  /// `message` is the message of SQLite; `cause` is the errno of the failed call, which is reported only for
  /// errors of input and output.
  ///
  /// SQLite reports a full disk correctly when it writes to the database or its log. For the index of the
  /// log, which is a file too, it reports only a failed write.
  init(code: Int32, message: String, cause: SystemError? = nil) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR where cause?.isFull == true, SQLITE_CANTOPEN where cause?.isFull == true: self = .full
    case SQLITE_CANTOPEN where cause?.isReadOnly == true: self = .readOnly
    // SQLITE_READONLY_ROLLBACK.
    case SQLITE_READONLY where code == 776: self = .halfWritten
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    case SQLITE_CORRUPT: self = .corrupt(message)
    // All statements are fixed, so the file lacks something that they name.
    case SQLITE_ERROR where message.hasPrefix("no such "): self = .corrupt(message)
    case SQLITE_NOTADB: self = .notAStore
    case SQLITE_CANTOPEN: self = .cannotOpen(Self.reason(message, cause))
    case SQLITE_IOERR: self = .inputOutput(Self.reason(message, cause))
    case SQLITE_TOOBIG: self = .tooLarge
    case SQLITE_CONSTRAINT where message == Self.fenced: self = .replaced
    default: self = .other(code: Int(code), message: message)
    }
  }

  /// The system's reason for a failed read that SQLite reports as damage.
  ///
  /// SQLite reports an I/O error of the device as a damaged file system.
  @unsafe
  private static func failedRead(on connection: OpaquePointer) -> SystemError? {
    // Check the database first, then its log.
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

/// The words for a kind of SQLite file in messages.
package struct StoreWords: Sendable {
  /// The name with an article, such as `a store`; `noun` is the name without it.
  package var one: String
  package var noun: String
  package var tool: String
  /// A hint with the commands that make a file of this kind.
  package var makers: String
  /// The hint for a file of another kind, which describes the right file.
  package var origin: String
  /// The command that helps if a file is damaged.
  package var cure: String?
  /// Whether other programs make the tables; then the tables may need parts that only those programs have.
  package var isOfApps = false

  package init(
    one: String, noun: String, tool: String, makers: String, origin: String? = nil, cure: String? = nil,
    isOfApps: Bool = false
  ) {
    self.isOfApps = isOfApps
    (self.one, self.noun, self.tool) = (one, noun, tool)
    self.origin = origin ?? "--store names a file that \(tool) has made"
    (self.makers, self.cure) = (makers, cure)
  }
}

extension Diagnostic {
  /// A diagnostic about a file of any kind.
  package init(_ error: StoreError, of words: StoreWords, file path: String) {
    if words.isOfApps, let part = error.lackedPart {
      self.init(
        .unknownTable, "the table needs the \(part.kind) '\(part.name.shown)', which only its app has",
        file: path,
        hint: "sync another table, or change this one in its app so that it does not need the \(part.kind)")
      return
    }
    let (code, message, hint) = Self.matter(of: error, words, path)
    self.init(code, message, file: path, hint: hint)
  }

  private static func matter(
    of error: StoreError, _ words: StoreWords, _ path: String
  ) -> (ErrorCode, String, String?) {
    switch error {
    case .missing: (.fileNotFound, "no such \(words.noun)", words.makers)
    case .cannotOpen(let reason): (.cannotCreate, "cannot be opened: \(reason)", nil)
    case .notReadable(let reason):
      (.notReadable, "cannot be opened: \(reason)", FileMode.denialHint(path))
    case .busy:
      (
        .storeBusy, "another process is writing to the \(words.noun)",
        "try again, or wait longer with --wait"
      )
    case .halfWritten:
      (
        .storeBusy,
        "a process ended while it was writing to the \(words.noun), and its changes must be undone first",
        "open it with a program that may write to the \(words.noun) and its folder; this undoes them"
      )
    case .full:
      (
        .storeFull, "the disk is full; the last changes were not stored",
        "free some space, then run the same command again"
      )
    case .quotaReached: (.storeFull, "the household has reached its quota", nil)
    case .readOnly:
      (
        .storeReadOnly, "the \(words.noun) cannot be written to",
        "check the permissions of the file and its folder; if the disk is read-only, copy the file first"
      )
    case .isForAll:
      (
        .looseSecretFile, "anyone can write to the \(words.noun)", "chmod 600 \(ShellWord.path(path))"
      )
    case .beingMoved:
      (
        .storeBusy, "the \(words.noun) is being moved",
        "run 'syncserve move' again to finish the move, or with --cancel to undo it"
      )
    case .nameTaken(let name): (.cannotCreate, "the name '\(name)' is taken", nil)
    case .tooLong(let reason): (.lineTooLarge, reason, nil)
    case .replaced:
      (
        .storeBusy, "the file of the \(words.noun) was moved or removed; the changes were not written",
        "run the same command again; it uses the current file"
      )
    case .corrupt(let reason): (.storeCorrupt, "the \(words.noun) is damaged: \(reason)", words.cure)
    case .notAStore: (.notAStore, "not \(words.one)", words.origin)
    case .newerSchema(let found, let known):
      (
        .newerStore, "the \(words.noun) has version \(found); this program reads versions up to \(known)",
        "use the version of \(words.tool) that wrote it, or a later one"
      )
    case .inputOutput(let reason): (.storeFailed, "reading or writing failed: \(reason)", nil)
    case .unavailable(let reason): (.connectionLost, "the database cannot be used: \(reason)", nil)
    case .denied(let reason): (.refusedByPeer, "the database refuses: \(reason)", nil)
    case .noDatabase(let reason):
      (.fileNotFound, reason, "make the database: createdb -E UTF8 -T template0 -O OWNER NAME")
    case .encoding(let found):
      (
        .refusedByPeer, "the database has the encoding \(found), but records need UTF8",
        "make another database: createdb -E UTF8 -T template0 -O OWNER NAME"
      )
    case .unguarded(let role):
      (
        .refusedByPeer, "row-level security does not apply to the role '\(role)'",
        "use a role that is not a superuser and does not have BYPASSRLS: CREATE ROLE peersync LOGIN"
      )
    case .other(let code, let message): (.storeFailed, "\(message) (\(code))", nil)
    default: (.storeFailed, "\(error)", nil)
    }
  }
}
