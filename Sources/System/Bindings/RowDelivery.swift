import JSONLines
import Store
import SyncCore
import SystemIO
import Tables

/// Writes changes into a table, inside a transaction of its database.
struct RowDelivery {
  private let binding: Binding
  /// The binding as it was made, without the table's own key.
  private let given: Binding
  private let table: Table
  private let database: Database
  /// The bindings of tables of the same database.
  private let siblings: [Binding]
  private let store: ChangeStore
  /// Whether rows of several tables are written together; then no row waits for the row to which it refers.
  private let isTogether: Bool
  private var wrapping: RecordWrapping
  private var delivery = Delivery()
  private var written: [(arrival: ChangeStore.Arrival, outcome: TableWriter.Outcome)] = []
  /// The changes that the table would store under the key of another record.
  private var misplaced: Set<[UInt8]> = []
  /// The changes that are left out, with the reason: a trigger rolls the whole transaction back, or a row
  /// lacks another one because of the change after several tables have been written together.
  private var breaking: [[UInt8]: TableError] = [:]
  /// The number of changes in `breaking`, of `count` changes, after which one pass finds all others.
  ///
  /// That pass continues after each rollback, without the rows that it wrote before the rollback. So it also
  /// refuses a change that needs these rows; the next run writes that change.
  private static func mostExact(of count: Int) -> Int { max(20, 50_000 / max(1, count)) }

  init(
    _ binding: Binding, madeAs given: Binding, _ table: Table, besides siblings: [Binding],
    in database: Database, from store: ChangeStore, isTogether: Bool
  ) {
    (self.given, self.isTogether) = (given, isTogether)
    (self.binding, self.table, self.siblings, self.database) = (binding, table, siblings, database)
    self.store = store
    wrapping = RecordWrapping(binding)
  }

  /// Writes the changes that the table accepts.
  ///
  /// The result is nil if a row got the key of another record, or rolled the transaction back. Then roll back
  /// and call this again; it skips that change. The same applies after ``leaveOutLacking()`` and
  /// ``leaveOutChanged()``.
  mutating func write(_ arrivals: [ChangeStore.Arrival]) throws -> Delivery? {
    (delivery, written) = (Delivery(), [])
    let known = misplaced.count
    guard try writeRows(of: arrivals) else { return nil }
    try settle(arrivals)
    return misplaced.count == known ? delivery : nil
  }

  /// Writes the rows; false if one of them has rolled the transaction back.
  private mutating func writeRows(of arrivals: [ChangeStore.Arrival]) throws -> Bool {
    let known = breaking.count
    let writer = try TableWriter(
      table, in: database, isSelective: true, isTogether: isTogether,
      keeping: siblings.compactMap(\.table)
    ) { [siblings, store] in Self.deleted($0, siblings, store) != nil }
    var queue = RowQueue<ChangeStore.Arrival>(writer)
    for arrival in arrivals {
      if let reason = breaking[arrival.key] {
        refuse(arrival, reason)
        continue
      }
      do {
        guard let line = try RowLine(arrival.line.span, of: table, emptying: arrival.emptied) else {
          continue
        }
        let rows = try rows(of: arrival)
        if misplaced.contains(arrival.key) || !Self.areOnly(arrival, rows) {
          // By the table's comparison of keys, a row of another record would be written or deleted.
          if arrival.isTombstone, !rows.contains(where: { $0.key == arrival.key }) {
            delivery.settled.append((arrival, nil, nil))
          } else {
            refuse(arrival, .refused(Self.otherKey))
          }
          continue
        }
        if let outcome = try queue.write(line, arrival) { note(arrival, outcome) }
      } catch let error as TableError {
        refuse(arrival, error)
      } catch  where queue.culprit?.key == arrival.key {
        breaking[arrival.key] = TableError(ofRollback: error)
        // Without the transaction, the rows of the other tables are missing too.
        guard !isTogether, breaking.count >= Self.mostExact(of: arrivals.count) else { return false }
        try database.begin(writing: true)
      }
    }
    if breaking.count > known { return false }
    do {
      try queue.finish { arrival, result in
        switch result {
        case .success(let outcome): note(arrival, outcome)
        case .failure(let error): refuse(arrival, error)
        }
      }
    } catch {
      guard let culprit = queue.culprit else { throw error }
      breaking[culprit.key] = TableError(ofRollback: error)
      return false
    }
    return true
  }

  /// Leaves out, from now on, the written changes because of which a row refers to a missing row; false if
  /// there are none.
  ///
  /// The new rows that refer to these are left out too. Otherwise a chain would need a call for each of its
  /// rows.
  mutating func leaveOutLacking() throws -> Bool {
    var (keys, lines, added) = ([[UInt8]](), [RowLine](), Set<[UInt8]>())
    for (arrival, outcome) in written {
      guard let line = try RowLine(arrival.line.span, of: table) else { continue }
      keys.append(arrival.key)
      lines.append(line)
      if case .inserted = outcome { added.insert(arrival.key) }
    }
    let writer = try TableWriter(table, in: database, isSelective: true, isTogether: isTogether)
    return leaveOut(try writer.lacking(lines) { added.contains(keys[$0]) }.map { keys[$0] })
  }

  /// Leaves out, from now on, the written changes to rows that existed before; false if there are none.
  mutating func leaveOutChanged() -> Bool {
    var keys: [[UInt8]] = []
    for (arrival, outcome) in written {
      switch outcome {
      case .updated, .replaced, .deleted: keys.append(arrival.key)
      case .inserted, .same, .waits: break
      }
    }
    return leaveOut(keys)
  }

  private mutating func leaveOut(_ keys: [[UInt8]]) -> Bool {
    for key in keys { breaking[key] = .refused("FOREIGN KEY constraint failed") }
    return !keys.isEmpty
  }

  /// The rows that a change concerns by the table's comparison of keys, each with its key.
  private mutating func rows(of arrival: ChangeStore.Arrival) throws -> [(key: [UInt8], row: [UInt8])] {
    var rows: [(key: [UInt8], row: [UInt8])] = []
    for row in try table.rows(of: arrival, in: database) {
      rows.append((key: try wrapping.key(of: row.span), row: row))
    }
    return rows
  }

  /// Whether the rows are at most one, the row of the change's own record.
  private static func areOnly(
    _ arrival: ChangeStore.Arrival, _ rows: [(key: [UInt8], row: [UInt8])]
  ) -> Bool {
    rows.count < 2 && rows.allSatisfy { $0.key == arrival.key }
  }

  private mutating func refuse(_ arrival: ChangeStore.Arrival, _ error: TableError) {
    var diagnostic = Diagnostic(error, of: given, store: store.path)
    diagnostic.message = "\(Key.shown(arrival.key.span)): \(diagnostic.message)"
    switch error {
    case .lacksRow(_, let row): diagnostic.hint = deletion(of: row) ?? diagnostic.hint
    case .twoKeys: diagnostic.hint = wrapping.remedy(forKeyOf: arrival, store: store.path)
    case .isReferred, .hasDependents:
      // The app that deleted the row may have only marked it as deleted.
      guard table.has(RecordWrapping.deletion) else { break }
      diagnostic.hint =
        "set '\(RecordWrapping.deletion)' in the row too, delete the referring rows, or make them refer to "
        + "another row"
    default: break
    }
    delivery.refused.append((arrival, diagnostic))
  }

  /// The command that shows when a row was deleted; nil if it was not deleted, or is not synced.
  private func deletion(of row: KeyedRow) -> String? {
    guard let sibling = Self.deleted(row, siblings, store) else { return nil }
    let id = row.members.count == 1 ? row.members[0].value.stringValue : nil
    let words = [sibling.entity, id ?? JSONValue.object(row.members).text].map(ShellWord.posix).joined(
      separator: " ")
    let command = Diagnostic.command("synclog get --changes --only \(words)", store: store.path)
    return "'\(command)' shows when that row was deleted; add it again, or delete this row"
  }

  /// The binding of a row that is deleted in the store; nil if it is not deleted there.
  private static func deleted(_ row: KeyedRow, _ siblings: [Binding], _ store: ChangeStore) -> Binding? {
    guard var sibling = siblings.first(where: { TriggerWrite.isSame($0.table ?? "", row.table) }) else {
      return nil
    }
    if sibling.keys.isEmpty { sibling.keys = row.members.map { JSONPointer(tokens: [$0.name]) } }
    var wrapping = RecordWrapping(sibling)
    let record = Array(JSONValue.object(row.members).text.utf8)
    guard let key = try? wrapping.key(of: record.span) else { return nil }
    return (try? store.line(of: key.span))?.isTombstone == true ? sibling : nil
  }

  private mutating func note(_ arrival: ChangeStore.Arrival, _ outcome: TableWriter.Outcome) {
    written.append((arrival, outcome))
  }

  /// Reads the rows as the table has stored them, after its affinities and triggers.
  ///
  /// Changes after a refused one are delivered again. So a new row among them that a trigger removes is written
  /// each time, and does not count: otherwise each delivery would change the database.
  private mutating func settle(_ arrivals: [ChangeStore.Arrival]) throws {
    let refused = Set(delivery.refused.map(\.arrival.key))
    let repeated = Set(arrivals.drop { !refused.contains($0.key) }.map(\.key))
    for (arrival, outcome) in written {
      let rows = try rows(of: arrival)
      guard Self.areOnly(arrival, rows) else {
        misplaced.insert(arrival.key)
        continue
      }
      delivery.settled.append((arrival, nil, rows.first?.row))
      if !binding.isSelective { delivery.hidden.formUnion(table.hidden(in: arrival)) }
      switch outcome {
      case .same: break
      case .inserted where rows.isEmpty && repeated.contains(arrival.key): break
      case .inserted, .updated, .replaced, .deleted, .waits: delivery.written += 1
      }
    }
  }

  private static let otherKey =
    "this table does not distinguish its key from another one, such as 5 from '5', or a from A; use keys of one "
    + "kind everywhere"
}

extension Binding {
  /// Whether the user has named the columns to sync.
  var isSelective: Bool { !(forms["column"] ?? []).isEmpty }
}

extension ChangeStore.Arrival {
  /// The columns that the change empties; a live record also empties the one by which an app marks a row as
  /// deleted.
  var emptied: [String] {
    Set(removed).union(isTombstone ? [] : [RecordWrapping.deletion]).sorted()
  }
}

extension Table {
  /// The members with values for which the table does not have a column.
  func hidden(in arrival: ChangeStore.Arrival) -> [String] {
    (arrival.fields?.objectValue ?? []).filter { $0.value != .null && !has($0.name) }.map(\.name)
  }

  /// The rows that a change concerns: one, if it exists, unless the table does not distinguish its key from
  /// others.
  func rows(of arrival: ChangeStore.Arrival, in database: Database) throws -> [[UInt8]] {
    guard let line = try RowLine(arrival.line.span, of: self) else { return [] }
    var found: [[UInt8]] = []
    try TableReader(self, of: line, in: database).forEachRow { row in
      var bytes: [UInt8] = []
      bytes.append(row)
      found.append(bytes)
    }
    return found
  }
}
