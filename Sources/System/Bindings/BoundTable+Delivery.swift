import JSONLines
import Store
import SyncCore
import SystemIO
import Tables

// The changes of the store that are written to one table, or to several tables together.
extension BoundTable {
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
          return try keepingError {
            try table.arrivals(isChanged, in: store, now) { try course(place, $0) }
          }
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

  /// The changes that the table already has, by its own comparison of values, although the store does not
  /// know this.
  ///
  /// A run leaves such changes if it ends, or fails to write to the store, after it has committed the table.
  /// The result is empty if another process has written since the rows were loaded.
  func held(_ arrivals: [ChangeStore.Arrival], in store: ChangeStore) throws -> Delivery {
    try naming {
      if database.isInTransaction { return try heldNow(arrivals, in: store) }
      return try database.transaction(writing: false) { try heldNow(arrivals, in: store) }
    }
  }

  /// Whether changes can be written to the table.
  var takesChanges: Bool { !isView && !table.key.isEmpty }

  private func heldNow(_ arrivals: [ChangeStore.Arrival], in store: ChangeStore) throws -> Delivery {
    var delivery = Delivery()
    guard try database.integer("PRAGMA data_version") == version else { return delivery }
    let writer = try TableWriter(table, in: database, isSelective: true)
    var wrapping = RecordWrapping(binding)
    for arrival in arrivals {
      do {
        guard let line = try RowLine(arrival.line.span, of: table, emptying: arrival.emptied),
          !line.isDeletion, try writer.holds(line)
        else { continue }
        let rows = try table.rows(of: arrival, in: database)
        guard rows.count == 1, let row = rows.first, try wrapping.key(of: row.span) == arrival.key
        else { continue }
        let last = try store.lastRead(arrival.key.span)
        // A row that is as it was last read does not look like an edit.
        if let last, !ChangeLine.differInContent(row.span, last.span) { continue }
        if try hasMore(row, than: arrival, since: last) { continue }
        delivery.settled.append((arrival, nil, row))
        if !binding.isSelective { delivery.hidden.formUnion(table.hidden(in: arrival)) }
      } catch is TableError {
        // The table refuses the change when it is written.
      } catch is BindingError {
        // A row that cannot be a record is reported when it is read.
      }
    }
    return delivery
  }

  /// Whether a row has a value that the user has entered or cleared, in a column that a change does not have.
  private func hasMore(
    _ row: [UInt8], than arrival: ChangeStore.Arrival, since last: [UInt8]?
  ) throws -> Bool {
    let fields = arrival.fields?.objectValue ?? []
    let last = try last.map { try JSONValue(parsing: $0.span) }
    return try (JSONValue(parsing: row.span).objectValue ?? []).contains { member in
      let isComputed = table.columns.contains {
        $0.isGenerated && $0.name.utf8.elementsEqual(member.name.utf8)
      }
      if isComputed || fields[named: member.name] != nil || table.key.contains(member.name) { return false }
      // A column that the change empties was compared with its default.
      guard let before = last?[member.name], !arrival.emptied.contains(member.name) || !isBlank(member)
      else { return !isBlank(member) }
      return member.value != before
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
  /// clock. If such a row has been deleted, all rows are read: the number of rows does not show a deletion if
  /// a row with an older clock was added too.
  private func arrivals(
    _ isChanged: Bool, in store: ChangeStore, _ now: Instant,
    _ course: (Loaded) throws -> [ChangeStore.Arrival]
  ) throws -> [ChangeStore.Arrival] {
    var arrivals = try course(isChanged ? .records : .nothing)
    var compared: Set<[UInt8]> = []
    while isExcerpt {
      let others = arrivals.filter { compared.insert($0.key).inserted }
      if others.isEmpty { break }
      rows.removeAll(keepingCapacity: true)
      // Two changes may concern one row, if the table does not distinguish their keys.
      var added: Set<[UInt8]> = []
      var isAnyDeleted = false
      for arrival in others {
        do {
          let found = try table.rows(of: arrival, in: database)
          if found.isEmpty, try store.lastRead(arrival.key.span) != nil { isAnyDeleted = true }
          for row in found where added.insert(row).inserted { add(row.span) }
        } catch is TableError {
          // Ignore the error here: when the change is written, only that change is refused.
        }
      }
      if isAnyDeleted { try naming { try read(since: nil, now) } }
      arrivals = try course(isAnyDeleted ? .records : .rows)
    }
    return arrivals
  }
}
