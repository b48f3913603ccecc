import JSONLines
import Store
import SyncCore
import SystemIO
import Tables

/// A table of an SQLite database.
final class BoundTable: BoundSource {
  /// The binding, with the table's own key unless it names another key.
  let binding: Binding
  private let table: Table
  private let database: Database
  private var wrapping: RecordWrapping
  private var rows: [UInt8] = []
  /// The `PRAGMA data_version`, which changes when another connection commits.
  private var version: Int64?
  private let clock: ClockColumn?
  private(set) var isExcerpt = false
  private(set) var mark: ReadMark?
  private var isWriting = false
  /// The bound tables of the same database.
  private let siblings: [String]
  let isUnread: Bool
  let newColumns: Set<String>
  private lazy var defaults = (try? table.defaults()) ?? [:]
  var countsKeys: Bool? { table.countsKeys }
  var columns: [String]? { table.columns.map(\.name) }

  init(_ binding: Binding, table name: String, besides others: [Binding], wait: Duration) throws {
    siblings = others.filter { $0.source == binding.source }.compactMap(\.table)
    (database, table, clock) = try Self.naming(binding) {
      guard FileStamp(of: binding.source) != nil else { throw StoreError.missing }
      let database = try Database(binding.source, belongsToOthers: true, wait: wait)
      try database.run("PRAGMA foreign_keys = ON")
      var table = try Table(name, in: database)
      try table.setForm(.base64, of: binding.forms["base64"] ?? [])
      try table.setForm(.boolean, of: binding.forms["bool"] ?? [])
      try table.setForm(.nested, of: binding.forms["nested"] ?? [])
      if let columns = binding.forms["column"], !columns.isEmpty { try table.keep(columns) }
      if !binding.keys.isEmpty { try table.setKey(binding.keys.compactMap(\.tokens.last)) }
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
    wrapping = RecordWrapping(binding)
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

  private var isSelective: Bool { !(binding.forms["column"] ?? []).isEmpty }
  var isPartial: Bool { isSelective || !binding.hidden.isEmpty || !newColumns.isEmpty }

  func load(since mark: ReadMark?, now: Instant) throws {
    try Self.naming(binding) {
      if isWriting { return try read(since: mark, now) }
      try database.transaction(writing: false) { try read(since: mark, now) }
    }
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
      try TableReader(table, since: usable.clock, of: clock, in: database).forEachRow { add($0) }
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
    since mark: ReadMark?, now: Instant, _ course: (Loaded) throws -> [ChangeStore.Arrival]
  ) throws -> Delivery {
    var failure: (any Error)?
    do {
      return try Self.naming(binding) {
        try database.transaction {
          isWriting = true
          defer { isWriting = false }
          let isChanged = try database.integer("PRAGMA data_version") != version
          if isChanged { try read(since: mark, now) }
          let arrivals: [ChangeStore.Arrival]
          do { arrivals = try self.arrivals(isChanged, course) } catch {
            failure = error
            throw error
          }
          let delivery = try write(arrivals)
          if self.mark != nil { self.mark?.rows = try rowCount() }
          return delivery
        }
      }
    } catch {
      // Rethrow an error of the store, which does not concern the database.
      throw failure ?? error
    }
  }

  func refusals(of arrivals: [ChangeStore.Arrival]) throws -> [Diagnostic] {
    var refused: [Diagnostic]?
    do {
      try Self.naming(binding) {
        try database.transaction {
          refused = try write(arrivals).refused.map(\.error)
          throw Undoing()
        }
      }
    } catch is Undoing {}
    return refused ?? []
  }

  private struct Undoing: Error {}

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
      for arrival in others {
        if let row = try row(of: arrival) { add(row.span) }
      }
      arrivals = try course(.rows)
    }
    return arrivals
  }

  private func write(_ arrivals: [ChangeStore.Arrival]) throws -> Delivery {
    var delivery = Delivery()
    let writer = try TableWriter(table, in: database, isSelective: true, keeping: siblings)
    var queue = RowQueue<ChangeStore.Arrival>(writer)
    var written: [ChangeStore.Arrival] = []
    func refuse(_ arrival: ChangeStore.Arrival, _ error: TableError) {
      var diagnostic = Diagnostic(error, file: binding.source)
      diagnostic.message = "\(Key.shown(arrival.key.span)): \(diagnostic.message)"
      delivery.refused.append((arrival, diagnostic))
    }
    func note(_ arrival: ChangeStore.Arrival, _ outcome: TableWriter.Outcome) {
      written.append(arrival)
      if case .same = outcome { return }
      delivery.written += 1
    }
    for arrival in arrivals {
      do {
        guard let line = try RowLine(arrival.line.span, of: table, emptying: arrival.removed) else {
          continue
        }
        if let old = try row(of: arrival), try wrapping.key(of: old.span) != arrival.key {
          // By the table's own comparison, the row belongs to another record.
          if arrival.isTombstone {
            delivery.settled.append((arrival, nil, nil))
          } else {
            refuse(arrival, .refused(Self.otherKey))
          }
          continue
        }
        if let outcome = try queue.write(line, arrival) { note(arrival, outcome) }
      } catch let error as TableError {
        refuse(arrival, error)
      }
    }
    try queue.finish { arrival, result in
      switch result {
      case .success(let outcome): note(arrival, outcome)
      case .failure(let error): refuse(arrival, error)
      }
    }
    for arrival in written {
      let new = try row(of: arrival)
      if let new, try wrapping.key(of: new.span) != arrival.key,
        let line = try RowLine(arrival.line.span, of: table)
      {
        try writer.remove(line)
        refuse(arrival, .refused(Self.otherKey))
      } else {
        delivery.settled.append((arrival, nil, new))
        if !isSelective { delivery.hidden.formUnion(hidden(in: arrival)) }
      }
    }
    return delivery
  }

  /// The members with values that lack a column in the table.
  private func hidden(in arrival: ChangeStore.Arrival) -> [String] {
    (arrival.fields?.objectValue ?? []).filter { $0.value != .null && !table.has($0.name) }.map(\.name)
  }

  private static let otherKey =
    "its key equals another record's key, for example as a number and text, or in another case; use "
    + "keys of one kind everywhere"

  /// The row as the table has stored it, after its affinities and triggers.
  private func row(of arrival: ChangeStore.Arrival) throws -> [UInt8]? {
    guard let line = try RowLine(arrival.line.span, of: table) else { return nil }
    var found: [UInt8]?
    try TableReader(table, of: line, in: database).forEachRow { row in
      var bytes: [UInt8] = []
      bytes.append(row)
      found = bytes
    }
    return found
  }

  /// Rethrows an error of the database as a diagnostic about its file.
  private static func naming<Value>(_ binding: Binding, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw Diagnostic(error, of: .database, file: binding.source)
    } catch let error as TableError {
      throw Diagnostic(error, file: binding.source)
    }
  }
}
