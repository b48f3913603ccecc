import JSONLines
import SyncCore

/// The bound files and tables of apps.
extension ChangeStore {
  package func bindings() throws -> [Binding] {
    var bindings: [Binding] = []
    // A store of an earlier version does not have this table.
    if isOlder { return [] }
    try database.statement("SELECT entity, source, shape FROM bindings ORDER BY source, entity").forEachRow {
      row in
      guard let binding = Binding(entity: row.text(0), source: row.text(1), shape: row.text(2)) else {
        throw StoreError.corrupt("an invalid binding")
      }
      bindings.append(binding)
    }
    return bindings
  }

  /// Adds a binding, or replaces the binding of the same entity; call it inside a `write`.
  ///
  /// The records of a newly bound source count as unread and unwritten.
  package func bind(_ binding: Binding) throws {
    var binding = binding
    binding.stamp = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    if let old = try bindings().first(where: {
      $0.entity.utf8.elementsEqual(binding.entity.utf8) && $0.hasSameFile(as: binding)
    }) {
      (binding.columns, binding.hidden) = (old.columns, old.hidden)
      try replace(binding)
      return try noteRead(binding, nil)
    }
    let keys = KeyRange(of: binding.entity)
    for sql in [
      "UPDATE changes SET base = 0 WHERE base <> 0 AND key > ?1 AND key < ?2",
      "DELETE FROM baseline WHERE key > ?1 AND key < ?2",
    ] {
      try database.statement(sql).bind(1, keys.opening).bind(2, keys.end).run()
    }
    try database.statement(
      "INSERT INTO bindings (entity, source, shape, written, digest) VALUES (?1, ?2, ?3, 0, 0) ON CONFLICT (entity) "
        + "DO UPDATE SET source = excluded.source, shape = excluded.shape, written = 0, digest = 0, mark = NULL"
    ).bind(1, binding.entity).bind(2, binding.source).bind(3, binding.shapeText).run()
  }

  /// Replaces the path and the shape of the same entity's binding.
  private func replace(_ binding: Binding) throws(StoreError) {
    try database.statement("UPDATE bindings SET source = ?2, shape = ?3 WHERE entity = ?1")
      .bind(1, binding.entity).bind(2, binding.source).bind(3, binding.shapeText).run()
  }

  /// Notes, in a separate `write`, the columns of a table, and the members for which it does not have a
  /// column.
  package func noteColumns(_ columns: [String], hidden: [String], of binding: Binding) throws {
    guard var noted = try bindings().first(where: { $0.entity == binding.entity }),
      noted.columns != columns || noted.hidden != hidden
    else { return }
    (noted.columns, noted.hidden) = (columns, hidden)
    try write { try replace(noted) }
  }

  /// Notes, inside a `write`, further members for which a table does not have a column.
  package func noteHidden(_ names: Set<String>, of binding: Binding) throws {
    guard var noted = try bindings().first(where: { $0.entity == binding.entity }),
      !names.isSubset(of: noted.hidden)
    else { return }
    noted.hidden = names.union(noted.hidden).sorted()
    try replace(noted)
  }

  /// Notes, inside a `write`, the source's spelling of a stored record; both are change lines.
  ///
  /// If the source lacks values of the stored line, the line is written to it again.
  package func noteSpelling(
    _ key: [UInt8], of stored: [UInt8], as line: [UInt8], lacksValues: Bool
  ) throws(StoreError) {
    guard let row = try row(of: key.span), !row.isTombstone else { return }
    var known = clock(of: row.line)
    if !SnapshotContent.isSame(stored.span, .change, row.line.span) {
      // A stored edit may have values that its source spells differently; then only the baseline equals
      // `stored`. The app of an edit that has lost had read neither the stored line nor its clock.
      guard let last = try lastRead(key.span), SnapshotContent.isSame(last.span, .record, stored.span) else {
        return
      }
      let text = try database.statement("SELECT clock FROM baseline WHERE key = ?1").bind(1, key.span)
        .first { $0.text(0) }
      known = text.flatMap { Instant($0) }
    }
    if lacksValues || row.base == .newer {
      try keepBaseline(key.span, line.span, clock: known)
    } else {
      try respell(key.span, line.span, clock: known)
    }
  }

  package func hasRecords(of entity: String) throws(StoreError) -> Bool {
    let keys = KeyRange(of: entity)
    return try database.statement(
      "SELECT 1 FROM changes WHERE key > ?1 AND key < ?2 AND NOT tombstone LIMIT 1"
    ).bind(1, keys.opening).bind(2, keys.end).first { _ in true } ?? false
  }

  /// Removes a binding and keeps its records; call it inside a `write`.
  package func unbind(_ entity: String) throws(StoreError) {
    for table in ["bindings", "given"] {
      try database.statement("DELETE FROM \(table) WHERE entity = ?1").bind(1, entity).run()
    }
  }

  /// Throws, inside a `write`, if an entity is bound; nil means all entities.
  ///
  /// The baseline of a bound entity is what a run has read in its source. With another baseline, the next run
  /// would treat changes that the source does not have yet as deleted or edited there.
  func requireUnbound(_ entity: String?) throws {
    let binding = try bindings().first { binding in
      entity.map { $0.utf8.elementsEqual(binding.entity.utf8) } ?? true
    }
    if let binding { throw Diagnostic(replacingBaselineOf: binding, store: path) }
  }

  /// A change that has not been written to the source of a binding yet.
  package struct Arrival: Sendable {
    package var key: [UInt8]
    /// The stored change line.
    package var line: [UInt8]
    package var isTombstone: Bool
    /// Members that the record had when its source was last read, and that the change removes.
    package var removed: [String] = []
  }

  /// Adds to each change the members that it removes.
  package func findingRemoved(_ arrivals: [Arrival]) throws -> [Arrival] {
    try arrivals.map { arrival in
      guard !arrival.isTombstone else { return arrival }
      let baseline = try database.statement("SELECT line, own FROM baseline WHERE key = ?1").bind(
        1, arrival.key
      ).first { ($0.bytes(0), $0.isNull(1) ? [] : $0.bytes(1)) }
      guard let (line, own) = baseline else { return arrival }
      let kept = SnapshotContent.members(of: arrival.line.span)
      let names = own.isEmpty ? [] : try JSONValue(parsing: own.span).arrayValue ?? []
      var changed = arrival
      changed.removed = SnapshotContent.members(of: line.span).filter {
        $0.value != .null && kept[named: $0.name] == nil && !names.contains(.string($0.name))
      }.map(\.name)
      return changed
    }
  }

  /// Changes that the source lacks, in the order of their arrival, and the sequence of the last of them.
  ///
  /// Call it inside a `read` or `write`.
  package func arrivals(for binding: Binding) throws -> (arrivals: [Arrival], last: Int64) {
    let keys = KeyRange(of: binding.entity)
    let rows = try database.statement(
      "SELECT key, line, tombstone, checksum FROM changes WHERE base = 0 AND sequence > "
        + "(SELECT written FROM bindings WHERE entity = ?1) ORDER BY sequence"
    ).bind(1, binding.entity)
    var arrivals: [Arrival] = []
    try rows.forEachRow { row in
      guard keys.contains(row.span(0)) else { return }
      try RowChecksum.require(row.integer(3), row.span(0), row.span(1))
      arrivals.append(
        Arrival(key: row.bytes(0), line: row.bytes(1), isTombstone: row.integer(2) != 0))
    }
    return (arrivals, state.sequence)
  }

  /// Notes, inside a `write`, the source's record after a change was written to it; nil without a record.
  ///
  /// This record becomes the baseline of the next `record`. So if the table changes the row on writing, that
  /// does not count as an edit.
  package func settle(_ arrival: Arrival, as line: [UInt8]?) throws(StoreError) {
    let key = arrival.key.span
    guard let row = try row(of: key) else { return }
    // In the meantime the store has received a later change.
    guard row.line == arrival.line else {
      guard let line else { return try leaveBaseline(key) }
      return try keepBaseline(key, line.span, clock: clock(of: arrival.line))
    }
    guard let line else {
      return row.isTombstone ? try adopt(key) : try leaveBaseline(key)
    }
    if !row.isTombstone, SnapshotContent.isSame(line.span, .change, row.line.span) { return try adopt(key) }
    try respell(key, line.span, clock: clock(of: row.line))
  }

  func clock(of line: [UInt8]) -> Instant? {
    var reader = ChangeReader(RecordShape())
    return reader.change(line.span).clock
  }

  /// Notes, inside a `write`, that the source has all changes up to the sequence `last`, except `left`.
  package func noteWritten(
    _ binding: Binding, upTo last: Int64, butFor left: [[UInt8]]
  ) throws(StoreError) {
    var end = last
    for key in left {
      let found = try database.statement("SELECT sequence FROM changes WHERE key = ?1").bind(1, key).first {
        $0.integer(0)
      }
      if let found { end = min(end, found - 1) }
    }
    try database.statement("UPDATE bindings SET written = ?2 WHERE entity = ?1 AND written <> ?2")
      .bind(1, binding.entity).bind(2, end).run()
  }

  /// Notes, in a separate `write`, that the source does not need changes up to the sequence `last`.
  ///
  /// If there are only a few such changes, the note is not written.
  package func noteNothingWritten(_ binding: Binding, upTo last: Int64) throws {
    let written = try written(to: binding)
    if last - written > 1000 { try write { try noteWritten(binding, upTo: last, butFor: []) } }
  }

  private func written(to binding: Binding) throws(StoreError) -> Int64 {
    try database.statement("SELECT written FROM bindings WHERE entity = ?1").bind(1, binding.entity)
      .first { $0.integer(0) } ?? 0
  }

  /// Marks changes to be written again, because the source has lost them; call it inside a `write`.
  package func giveAgain(_ binding: Binding, _ keys: [[UInt8]]) throws(StoreError) {
    try noteWritten(binding, upTo: written(to: binding), butFor: keys)
  }
}
