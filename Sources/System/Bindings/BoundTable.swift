import JSONLines
import Store
import SyncCore
import SystemIO
import Tables

/// A table of an SQLite database.
final class BoundTable: BoundSource {
  /// The binding; if it does not name a key, the table's own key is added.
  let binding: Binding
  /// The binding as it was made.
  let given: Binding
  /// The path of the store, for the commands of hints.
  private let store: String
  let table: Table
  let database: Database
  var rows: [UInt8] = []
  /// The `PRAGMA data_version`, which changes when another connection commits.
  var version: Int64?
  private let clock: ClockColumn?
  private(set) var isExcerpt = false
  var mark: ReadMark?
  /// The bindings of tables of the same database.
  let siblings: [Binding]
  let isUnread: Bool
  let newColumns: Set<String>
  private lazy var defaults = (try? table.defaults()) ?? [:]
  var countsKeys: Bool? { table.countsKeys }
  var columns: [String]? { table.columns.map(\.name) }
  var computedColumns: Set<String> { table.leftOut }

  init(
    _ binding: Binding, table name: String, besides others: [Binding], sharing other: BoundTable?,
    in store: String, wait: Duration
  ) throws {
    (given, self.store) = (binding, store)
    siblings = others.filter { $0.table != nil && $0.hasSameFile(as: binding) }
    (database, table, clock) = try Self.naming(binding, store) {
      guard FileStamp(of: binding.source) != nil else { throw StoreError.missing }
      // SQLite would wait for the other end of a pipe.
      guard FileMode.isFile(binding.source) else { throw StoreError.notReadable("not a regular file") }
      let database = try other?.database ?? Database(binding.source, belongsToOthers: true, wait: wait)
      // Without spilling, a transaction that is rolled back does not write to the file.
      if other == nil { try database.run("PRAGMA foreign_keys = ON; PRAGMA cache_spill = OFF") }
      var table = try Table(name, in: database)
      try table.setForm(.base64, of: binding.forms["base64"] ?? [])
      try table.setForm(.boolean, of: binding.forms["bool"] ?? [])
      try table.setForm(.nested, of: binding.forms["nested"] ?? [])
      // A change line adds two levels around a value.
      table.deepest = JSONDepth.limit - 2
      if !binding.keys.isEmpty { try table.setKey(binding.keys.compactMap(\.tokens.last)) }
      if let columns = binding.forms["column"], !columns.isEmpty {
        try table.keep(columns)
        try Self.requireKey(of: table, binding, store)
      }
      table.leaveOutGenerated(except: binding.clockNames)
      return (database, table, try table.clockColumn(binding, in: database))
    }
    var binding = binding
    if binding.keys.isEmpty { binding.keys = table.key.map { JSONPointer(tokens: [$0]) } }
    let columns = table.columns.map(\.name)
    isUnread = binding.columns.isEmpty
    newColumns = isUnread ? [] : Set(columns).subtracting(binding.columns)
    binding.hidden = Set(binding.hidden + binding.columns).subtracting(columns).sorted()
    binding.columns = columns
    self.binding = binding
  }

  /// Throws if the columns that `--column` names lack a column of the key.
  private static func requireKey(of table: Table, _ binding: Binding, _ store: String) throws {
    let lacked = table.key.filter { name in
      !table.columns.contains { $0.name.utf8.elementsEqual(name.utf8) }
    }
    guard !lacked.isEmpty else { return }
    throw Diagnostic(
      .noKey,
      "table '\(table.name)': --column must also name the columns of its key: "
        + lacked.map(\.shown).joined(separator: ", "),
      file: binding.source, hint: binding.bindHint(with: "column", of: lacked, store: store))
  }

  var isView: Bool { table.isView }

  var columnsOfBytes: [String] { table.columns.filter(\.needsBase64).map(\.name) }

  func sharableKey() throws -> [String] {
    try naming {
      if table.key.isEmpty, !table.isView { throw TableError.noKey(table: table.name) }
      return try table.sharableKey(in: database)
    }
  }

  /// The table's name in the spelling of the database.
  var name: String { table.name }

  /// The names of the tables to which foreign keys of this table refer, as the keys spell them.
  func parents() throws -> [String] {
    try naming { try table.parents(in: database) }
  }

  func triggerWrites() throws -> [TriggerWrite] {
    try naming { try TriggerWrite.all(in: database) }
  }

  func isBlank(_ member: JSONMember) -> Bool {
    member.value == .null || defaults[member.name] == member.value
  }

  var isWrittenAsAWhole: Bool { false }
  var digest: Int64 { 0 }

  var remedy: String? {
    if clock != nil || table.isView { return nil }
    guard let name = table.clockName(binding), table.has(name) else {
      return
        "use a column with the time of the last edit (--clock) and an index on it to read only new rows"
    }
    return "to read only new rows: CREATE INDEX \("\(table.name)_\(name)".quotedName) ON \(table.quotedName) "
      + "(\(name.quotedName))"
  }

  var isPartial: Bool { binding.isSelective || !binding.hidden.isEmpty || !newColumns.isEmpty }

  func load(since mark: ReadMark?, now: Instant) throws {
    try naming {
      guard database.isInTransaction else {
        return try database.transaction(writing: false) { try read(since: mark, now) }
      }
      try read(since: mark, now)
      try database.checkUnchanged()
    }
  }

  /// Begins a transaction that only reads, for this table and all that share its connection.
  func holdState() throws {
    try naming { try database.begin(writing: false) }
  }

  func read(since earlier: ReadMark?, _ now: Instant) throws {
    version = try database.integer("PRAGMA data_version")
    let schema = try database.integer("PRAGMA schema_version") ?? 0
    let usable = earlier.flatMap { $0.isUsable(schema, now) ? $0 : nil }
    mark = try clock?.last(before: now, in: database).map {
      ReadMark(clock: $0, rows: try rowCount(), schema: schema, wholeAt: usable?.wholeAt ?? now.seconds)
    }
    rows.removeAll(keepingCapacity: true)
    if let usable, let clock, mark != nil {
      isExcerpt = true
      let start = try clock.start(at: usable.clock, in: database)
      try TableReader(table, since: start, of: clock, in: database).forEachRow { add($0) }
    } else {
      isExcerpt = false
      try TableReader(table, in: database).forEachRow { add($0) }
    }
  }

  func rowCount() throws(StoreError) -> Int64 {
    try database.integer("SELECT count(*) FROM \(table.quotedName)") ?? 0
  }

  func add(_ row: Span<UInt8>) {
    rows.append(row)
    rows.append(10)
  }

  func forEachRecord(_ take: (Span<UInt8>, Int?) throws -> Void) throws {
    let text = rows
    var cursor = LineCursor()
    while let line = cursor.next(in: text.span) { try take(text.span.extracting(line.content), nil) }
  }

  /// Rethrows an error of the database as a diagnostic about its file.
  private static func naming<Value>(
    _ binding: Binding, _ store: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw Diagnostic(error, of: .database, file: binding.source)
    } catch let error as TableError {
      throw Diagnostic(error, of: binding, store: store)
    }
  }

  func naming<Value>(_ body: () throws -> Value) throws -> Value {
    try Self.naming(given, store, body)
  }
}
