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
  private let given: Binding
  /// The path of the store, for the commands of hints.
  private let store: String
  private let table: Table
  private let database: Database
  private var rows: [UInt8] = []
  /// The `PRAGMA data_version`, which changes when another connection commits.
  private var version: Int64?
  private let clock: ClockColumn?
  private(set) var isExcerpt = false
  private(set) var mark: ReadMark?
  /// The bindings of tables of the same database.
  private let siblings: [Binding]
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
    siblings = others.filter { $0.source == binding.source && $0.table != nil }
    (database, table, clock) = try Self.naming(binding, store) {
      guard FileStamp(of: binding.source) != nil else { throw StoreError.missing }
      let database = try other?.database ?? Database(binding.source, belongsToOthers: true, wait: wait)
      // Without spilling, a transaction that is rolled back does not write to the file.
      if other == nil { try database.run("PRAGMA foreign_keys = ON; PRAGMA cache_spill = OFF") }
      var table = try Table(name, in: database)
      try table.setForm(.base64, of: binding.forms["base64"] ?? [])
      try table.setForm(.boolean, of: binding.forms["bool"] ?? [])
      try table.setForm(.nested, of: binding.forms["nested"] ?? [])
      if let columns = binding.forms["column"], !columns.isEmpty { try table.keep(columns) }
      if !binding.keys.isEmpty { try table.setKey(binding.keys.compactMap(\.tokens.last)) }
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

  var isView: Bool { table.isView }

  var columnsOfBytes: [String] { table.columns.filter(\.needsBase64).map(\.name) }

  func sharableKey() throws -> [String] { try naming { try table.sharableKey(in: database) } }

  /// The table's name in the spelling of the database.
  var name: String { table.name }

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

  private func read(since earlier: ReadMark?, _ now: Instant) throws {
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

  private func rowCount() throws(StoreError) -> Int64 {
    try database.integer("SELECT count(*) FROM \(table.quotedName)") ?? 0
  }

  private func add(_ row: Span<UInt8>) {
    rows.append(row)
    rows.append(10)
  }

  func forEachRecord(_ take: (Span<UInt8>, Int?) throws -> Void) throws {
    let text = rows
    var cursor = LineCursor()
    while let line = cursor.next(in: text.span) { try take(text.span.extracting(line.content), nil) }
  }

  func write(
    since mark: ReadMark?, now: Instant, in store: ChangeStore,
    _ course: (Loaded) throws -> [ChangeStore.Arrival], settling: (Delivery) throws -> Void
  ) throws -> Delivery {
    var failure: (any Error)?
    // An error of the store is rethrown unchanged, because it does not concern the database.
    func keepingError<Value>(_ body: () throws -> Value) throws -> Value {
      do { return try body() } catch {
        failure = error
        throw error
      }
    }
    do {
      return try naming {
        try delivering(from: store) {
          let isChanged = try database.integer("PRAGMA data_version") != version
          if isChanged { try read(since: mark, now) }
          return try keepingError { try arrivals(isChanged, course) }
        } ending: { delivery in
          if self.mark != nil { self.mark?.rows = try rowCount() }
          try keepingError { try commit(delivery, in: store, settling) }
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  /// Commits inside a transaction of the store: if the store is busy, the table stays as it was.
  ///
  /// Otherwise the next run would read the new rows as edits of the app. The price is that the other database
  /// is locked too while one of the two is busy. The table is committed only if a row has changed. Refused
  /// rows have changed pages too; committing those pages would look like an edit of the app.
  private func commit(
    _ delivery: Delivery, in store: ChangeStore, _ settling: (Delivery) throws -> Void
  ) throws {
    try store.write {
      try settling(delivery)
      if delivery.written > 0 { try naming { try database.commit() } }
    }
  }

  func refusals(of arrivals: [ChangeStore.Arrival], in store: ChangeStore) throws -> [Diagnostic] {
    try naming { try delivering(from: store) { arrivals }.refused.map(\.error) }
  }

  /// Writes changes in a transaction, which is rolled back unless `ending` commits it.
  private func delivering(
    from store: ChangeStore, _ arrivals: () throws -> [ChangeStore.Arrival],
    ending: (Delivery) throws -> Void = { _ in }
  ) throws -> Delivery {
    var attempt = RowDelivery(
      binding, madeAs: given, table, besides: siblings, in: database, from: store)
    while true {
      try database.begin(writing: true)
      // This is needed only if the transaction was not committed.
      defer { database.rollback() }
      guard let delivery = try attempt.write(arrivals()) else { continue }
      try ending(delivery)
      return delivery
    }
  }

  /// The changes to write.
  ///
  /// If only some rows were read, the rows of these changes are stored first: their edits may lack a newer
  /// clock.
  private func arrivals(
    _ isChanged: Bool, _ course: (Loaded) throws -> [ChangeStore.Arrival]
  ) throws -> [ChangeStore.Arrival] {
    var arrivals = try course(isChanged ? .records : .nothing)
    var compared: Set<[UInt8]> = []
    while isExcerpt {
      let others = arrivals.filter { compared.insert($0.key).inserted }
      if others.isEmpty { break }
      rows.removeAll(keepingCapacity: true)
      // Two changes may concern one row, if the table does not distinguish their keys.
      var added: Set<[UInt8]> = []
      for arrival in others {
        do {
          for row in try table.rows(of: arrival, in: database) where added.insert(row).inserted {
            add(row.span)
          }
        } catch is TableError {
          // Ignore the error here: when the change is written, only that change is refused.
        }
      }
      arrivals = try course(.rows)
    }
    return arrivals
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

  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    try Self.naming(given, store, body)
  }
}
