package import JSONLines
package import SystemIO

/// Copies a whole store into the tables of another database: its id, its sequences and marks, and every row.
///
/// So the tokens of one store are valid for the other. The same statements read and write both. A new column
/// of the schema must be added to a table here.
package enum StoreCopy {
  /// A table with its text columns and its other columns.
  struct Table {
    var name: String
    var columns: [String]
    var text: Set<String> = []
  }

  /// All tables except `store`, which has one row in a file, and one for each household on a server.
  static let tables = [
    Table(
      name: "changes", columns: ["sequence", "origin", "tombstone", "base", "checksum", "key", "line"]),
    Table(name: "commits", columns: ["sequence", "mark", "latest", "at"]),
    Table(name: "baseline", columns: ["key", "clock", "line", "own"], text: ["clock", "own"]),
    Table(name: "peers", columns: ["number", "id", "seenAt", "liveBefore"], text: ["id", "seenAt"]),
    Table(
      name: "checkpoints", columns: ["peer", "direction", "token", "updatedAt"],
      text: ["direction", "token", "updatedAt"]),
    Table(
      name: "quarantine",
      columns: [
        "number", "peer", "reason", "since", "key", "checksum", "line", "clock", "rules", "size", "cut",
        "sequence",
      ], text: ["reason", "since"]),
    Table(name: "prunes", columns: ["entity", "before"], text: ["entity", "before"]),
    Table(name: "floors", columns: ["entity", "after", "clock"], text: ["entity", "after", "clock"]),
    Table(name: "seen", columns: ["peer", "key"]),
    Table(name: "held", columns: ["peer", "key", "line", "origin", "checksum"]),
    Table(
      name: "chains", columns: ["peer", "mark", "number", "digest", "previous", "stamp"],
      text: ["mark", "digest", "previous", "stamp"]),
    Table(name: "pushes", columns: ["number", "id", "line"], text: ["id", "line"]),
    Table(
      name: "devices", columns: ["token", "member", "addedAt"], text: ["token", "member", "addedAt"]),
    Table(
      name: "bindings", columns: ["entity", "source", "shape", "written", "digest", "mark"],
      text: ["entity", "source", "shape", "mark"]),
    Table(name: "given", columns: ["entity", "key", "batch", "before", "again"], text: ["entity"]),
    Table(name: "conflicts", columns: ["number", "at", "peer", "checksum", "key", "line"]),
    Table(name: "hooks", columns: ["command", "told"], text: ["command"]),
    Table(
      name: "documents", columns: ["peer", "id", "key", "updated", "clock", "noted", "problem"],
      text: ["id", "updated", "clock", "noted", "problem"]),
    Table(
      name: "removedDocuments", columns: ["peer", "id", "key", "updated", "gone"],
      text: ["id", "updated", "gone"]),
    Table(name: "unsent", columns: ["peer", "key", "problem"], text: ["problem"]),
  ]

  private static let facts = Table(
    name: "store",
    columns: [
      "id", "sequence", "compacted", "live", "tombstones", "rules", "quarantined", "tellsLosers",
    ])

  /// Copies all rows into an empty store, inside transactions of both.
  package static func copy(from source: any SQLDatabase, to target: any SQLDatabase) throws {
    let set = facts.columns.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
    try move(facts, from: source, to: target.statement("UPDATE store SET \(set)"))
    // Copy the peers first, because other rows refer to them.
    for table in tables.sorted(by: { $0.name == "peers" && $1.name != "peers" }) {
      let places = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
      let columns = table.columns.joined(separator: ", ")
      try move(
        table, from: source, to: target.statement("INSERT INTO \(table.name) (\(columns)) VALUES (\(places))")
      )
    }
  }

  /// Removes all rows except that of `store`, inside a transaction.
  static func clear(_ target: any SQLDatabase) throws(StoreError) {
    // Delete the peers last, because other rows refer to them.
    for table in tables.sorted(by: { $0.name != "peers" && $1.name == "peers" }) {
      try target.statement("DELETE FROM \(table.name)").run()
    }
  }

  private static func move(_ table: Table, from source: any SQLDatabase, to writing: Statement) throws {
    let columns = table.columns.joined(separator: ", ")
    var isReading = true
    do {
      try source.statement("SELECT \(columns) FROM \(table.name)", isLong: true).forEachRow { row in
        for (index, column) in table.columns.enumerated() {
          let (from, to) = (Int32(index), Int32(index + 1))
          switch row.kind(from) {
          case .null: writing.bind(to, Int64?.none)
          case .integer: writing.bind(to, row.integer(from))
          case .real: writing.bind(to, row.real(from))
          case .text, .blob:
            if table.text.contains(column) {
              writing.bind(to, row.text(from))
            } else {
              writing.bind(to, row.span(from))
            }
          }
        }
        isReading = false
        try writing.run()
        isReading = true
      }
    } catch let error as StoreError where isReading {
      throw ReadingError(error: error)
    }
  }

  /// An error in reading the source; all other errors concern the target.
  struct ReadingError: Error {
    var error: StoreError
  }
}

extension ChangeStore {
  /// Copies a consistent state of the store into another store, which is empty.
  package func copy(to other: ChangeStore) throws { try copy(to: other.database) }

  /// Replaces the content of this store by that of another, in one transaction.
  package func replace(with other: ChangeStore) throws {
    try other.read {
      try database.transaction {
        try StoreCopy.clear(database)
        try other.handOver(to: database)
      }
    }
  }

  func copy(to target: any SQLDatabase) throws { try target.transaction { try copy(into: target) } }

  /// Copies the store into the empty tables of another database, inside a transaction there.
  package func copy(into target: any SQLDatabase) throws {
    try read { try handOver(to: target) }
  }

  private func handOver(to target: any SQLDatabase) throws {
    do {
      try StoreCopy.copy(from: database, to: target)
    } catch let failed as StoreCopy.ReadingError {
      throw Diagnostic(failed.error, store: path)
    }
  }

  /// Whether a file begins as a store does.
  ///
  /// The file is not opened as a database, because SQLite could then change the files beside it.
  package static func isStore(_ path: String) throws(SystemError) -> Bool {
    // The application_id is the last number in these bytes; source: "Database File Format" of SQLite.
    let head = try ByteInput.beginning(of: path, limit: 72)
    let mark = head.dropFirst(68).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return head.starts(with: "SQLite format 3\0".utf8) && mark == Schema.applicationID
  }

  /// Throws if a file is a database or its log, because the old log would be applied to the new file.
  ///
  /// Links are followed first, because their target would be replaced.
  package static func refuseDatabase(_ target: String) throws(Diagnostic) {
    let place = FileMode.resolved(target)
    for ending in ["-wal", "-shm", "-journal"] {
      let database = String(Substring(place.utf8.dropLast(ending.utf8.count)))
      if place.endsInBytes(of: ending), FileMode.exists(database) {
        throw Diagnostic(
          .cannotCreate, "not replaced: this is the '\(ending)' file of a database", file: target,
          hint: "give another name")
      }
      guard FileMode.exists(place + ending) else { continue }
      throw Diagnostic(
        .cannotCreate, "not replaced: it may be an open database, because its '\(ending)' file exists",
        file: target, hint: "give another name")
    }
  }

  /// Copies a consistent state of the store into an existing file, which must be empty or a store.
  ///
  /// `wait` is the longest wait for another process that has locked the target.
  package func backup(to path: String, wait: Duration = .zero) throws {
    if let file = database as? Database {
      try file.copy(to: path, wait: wait)
      // A moved store does not accept writes, but its copy does.
      return try file.isFenced ? Database(path, wait: .zero).unfence() : ()
    }
    try copy(to: ChangeStore(path, creating: true, wait: .zero).database)
  }

  /// Returns a consistent state of the store as the bytes of a file; see `init(restoring:)`.
  package func bytes() throws -> [UInt8] {
    var bytes = try file().bytes()
    // The header's versions of the format: 2 would require a write-ahead log, which memory does not have.
    for place in 18...19 where bytes.count > place { bytes[place] = 1 }
    return bytes
  }

  /// The store as an SQLite database: its own, or a copy in memory.
  private func file() throws -> Database {
    if let file = database as? Database { return file }
    let copy = try ChangeStore(inMemory: SystemRandomNumberGenerator())
    try self.copy(to: copy.database)
    guard let file = copy.database as? Database else { throw StoreError.notAStore }
    return file
  }
}
