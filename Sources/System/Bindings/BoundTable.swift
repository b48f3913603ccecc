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
    siblings = others.filter { $0.table != nil && $0.hasSameFile(as: binding) }
    (database, table, clock) = try Self.naming(binding, store) {
      guard FileStamp(of: binding.source) != nil else { throw StoreError.missing }
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
    let deliveries = try Self.write([self], since: [mark], now: now, in: store) { _, loaded in
      try course(loaded)
    } settling: { deliveries in
      try settling(deliveries[0])
    }
    return deliveries[0]
  }

  /// The same as ``write(since:now:in:_:settling:)`` in one transaction, for tables that share a connection.
  ///
  /// Rows of several tables may refer to each other in a circle. If no rows of several tables can be written
  /// together, nothing changes, and the result is empty. `course` also receives the place of a table in
  /// `tables`.
  static func write(
    _ tables: [BoundTable], since marks: [ReadMark?], now: Instant, in store: ChangeStore,
    _ course: (_ place: Int, _ loaded: Loaded) throws -> [ChangeStore.Arrival],
    settling: ([Delivery]) throws -> Void
  ) throws -> [Delivery] {
    var failure: (any Error)?
    // An error of the store is rethrown unchanged, because it does not concern the database.
    func keepingError<Value>(_ body: () throws -> Value) throws -> Value {
      do { return try body() } catch {
        failure = error
        throw error
      }
    }
    do {
      return try tables[0].naming {
        try delivering(tables, from: store) { place in
          let table = tables[place]
          let isChanged = try table.database.integer("PRAGMA data_version") != table.version
          if isChanged { try table.naming { try table.read(since: marks[place], now) } }
          return try keepingError { try table.arrivals(isChanged) { try course(place, $0) } }
        } ending: { deliveries in
          for table in tables where table.mark != nil { table.mark?.rows = try table.rowCount() }
          try keepingError { try tables[0].commit(deliveries, in: store, settling) }
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
    _ deliveries: [Delivery], in store: ChangeStore, _ settling: ([Delivery]) throws -> Void
  ) throws {
    try store.write {
      try settling(deliveries)
      if deliveries.contains(where: { $0.written > 0 }) { try naming { try database.commit() } }
    }
  }

  func refusals(of arrivals: [ChangeStore.Arrival], in store: ChangeStore) throws -> [Diagnostic] {
    try naming {
      try Self.delivering([self], from: store) { _ in arrivals }.flatMap { $0.refused.map(\.error) }
    }
  }

  /// The maximum number of times that rows of several tables are written together; each time, those that lack
  /// a row are left out.
  ///
  /// Each try leaves out the next link of a chain of rows across the tables. So if the last row of a chain
  /// lacks its row, the chain may have at most this many links; otherwise no rows are written together.
  private static var mostTries: Int { 64 }
  /// After this many tries, a signal ends the delivery.
  private static var fewTries: Int { 8 }

  /// Writes changes in a transaction, which is rolled back unless `ending` commits it.
  ///
  /// The result is empty, without a call of `ending`, if no rows of several tables can be written together.
  private static func delivering(
    _ tables: [BoundTable], from store: ChangeStore,
    _ arrivals: (_ place: Int) throws -> [ChangeStore.Arrival],
    ending: ([Delivery]) throws -> Void = { _ in }
  ) throws -> [Delivery] {
    let (database, isTogether) = (tables[0].database, tables.count > 1)
    var attempts = tables.map { table in
      RowDelivery(
        table.binding, madeAs: table.given, table.table, besides: table.siblings, in: database, from: store,
        isTogether: isTogether)
    }
    let end = SystemClock.monotonic() + .seconds(30)
    var tries = 0
    while true {
      tries += 1
      if isTogether, tries > mostTries || tries > 1 && SystemClock.monotonic() > end { return [] }
      if tries > fewTries, Interruption.pending != nil { throw SystemError.interrupted }
      try database.begin(writing: true)
      // This is needed only if the transaction was not committed.
      defer { database.rollback() }
      if isTogether { try database.deferForeignKeys(true) }
      let changes = try tables.indices.map { try arrivals($0) }
      if isTogether, changes.map(\.count).reduce(0, +) > TableWriter.mostInCircles { return [] }
      var deliveries: [Delivery] = []
      for (place, table) in tables.enumerated() {
        guard let delivery = try table.naming({ try attempts[place].write(changes[place]) }) else { break }
        deliveries.append(delivery)
      }
      if deliveries.count < tables.count { continue }
      if isTogether {
        if database.lacksReferredRows {
          var isAnyLeftOut = false
          for place in tables.indices {
            if try attempts[place].leaveOutLacking() { isAnyLeftOut = true }
          }
          // If no such change is found, some row refers to a deleted row, or to a value that has changed.
          for place in isAnyLeftOut ? 0..<0 : tables.indices {
            if attempts[place].leaveOutChanged() { isAnyLeftOut = true }
          }
          if isAnyLeftOut { continue }
          return []
        }
        if !deliveries.contains(where: { $0.written > 0 }) { return [] }
      }
      try ending(deliveries)
      return deliveries
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
