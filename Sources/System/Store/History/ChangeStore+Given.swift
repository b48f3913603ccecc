import JSONLines
import SyncCore

/// Detects an app that overwrites changes without having read them, because it writes its old records back.
///
/// The store keeps the earlier records until the app's own writes show that it has read the changes.
extension ChangeStore {
  /// The record that a source had under a key before a change was written to it.
  package struct Given: Equatable, Sendable {
    /// The record; nil if it did not exist.
    package var before: [UInt8]?
    /// The number of the batch: changes written together share it, and later batches have larger numbers.
    package var batch: Int64
    /// Whether the change was written to the source twice.
    package var isAgain: Bool
  }

  /// The changes that an app had read when it wrote a version of its source.
  package struct Reading: Sendable {
    /// The app has read all changes up to this batch.
    package var batch: Int64 = 0
    /// Keys whose records the app has edited in this version.
    package var meant: [[UInt8]] = []
    /// Keys among `meant` whose changes the app may not have read, with the change lines that the version removes.
    package var takenAway: [(key: [UInt8], line: [UInt8])] = []
    /// Keys of old records in the version: the app has not read the later changes.
    package var stale: Set<[UInt8]> = []

    package init() {}
  }

  /// The maximum number of versions of a record that are kept: the first and the last ones.
  private static let versions: Int64 = 8

  /// The changes that the app may not have read, by key and in order, and the source's digest after the last
  /// of them.
  package func given(to binding: Binding) throws -> (digest: Int64, given: [[UInt8]: [Given]]) {
    var given: [[UInt8]: [Given]] = [:]
    try database.statement(
      "SELECT key, before, again, batch FROM given WHERE entity = ?1 ORDER BY key, batch"
    ).bind(1, binding.entity).forEachRow { row in
      given[row.bytes(0), default: []].append(
        Given(
          before: row.isNull(1) ? nil : row.bytes(1), batch: row.integer(3), isAgain: row.integer(2) != 0))
    }
    let digest = try database.statement("SELECT digest FROM bindings WHERE entity = ?1")
      .bind(1, binding.entity).first { $0.integer(0) }
    return (digest ?? 0, given)
  }

  /// The record that a source had under a key when it was last read; nil if it did not have one.
  package func lastRead(_ key: Span<UInt8>) throws(StoreError) -> [UInt8]? {
    let line = try database.statement("SELECT line FROM baseline WHERE key = ?1").bind(1, key).first {
      $0.bytes(0)
    }
    guard let line, let fields = SnapshotContent.fields(of: line.span) else { return nil }
    return Array(line[fields])
  }

  /// Notes, inside a `write`, the records of a source before changes are written to it.
  ///
  /// With `digest` nil, the noted digest stays.
  package func noteGiven(
    _ binding: Binding, _ changes: [(key: [UInt8], before: [UInt8]?)], digest: Int64?
  ) throws(StoreError) {
    let last = try database.statement("SELECT max(batch) FROM given WHERE entity = ?1").bind(
      1, binding.entity
    )
    .first { $0.integer(0) }
    let batch = max(state.sequence, (last ?? 0) + 1)
    for change in changes {
      let statement = try database.statement(
        "INSERT INTO given (entity, key, batch, before, again) VALUES (?1, ?2, ?3, ?4, "
          + "(SELECT coalesce(max(again), 0) FROM given WHERE entity = ?1 AND key = ?2)) "
          + "ON CONFLICT (entity, key, batch) DO UPDATE SET before = excluded.before, again = excluded.again"
      ).bind(1, binding.entity).bind(2, change.key).bind(3, batch)
      if let before = change.before { statement.bind(4, before) } else { statement.bind(4, Int64?.none) }
      try statement.run()
      try database.statement(
        "DELETE FROM given WHERE entity = ?1 AND key = ?2 AND batch = (SELECT batch FROM given "
          + "WHERE entity = ?1 AND key = ?2 ORDER BY batch LIMIT 1 OFFSET 1) AND "
          + "(SELECT count(*) FROM given WHERE entity = ?1 AND key = ?2) > ?3"
      ).bind(1, binding.entity).bind(2, change.key).bind(3, Self.versions).run()
    }
    if let digest { try setDigest(digest, of: binding) }
  }

  private func setDigest(_ digest: Int64, of binding: Binding) throws(StoreError) {
    try database.statement("UPDATE bindings SET digest = ?2 WHERE entity = ?1").bind(1, binding.entity)
      .bind(2, digest).run()
  }

  /// Marks, inside a `write`, changes that an app has lost, so that they are written again.
  ///
  /// The lines are change lines of the app's current records.
  package func giveAgain(
    _ binding: Binding, _ lost: [(key: [UInt8], line: [UInt8]?)], after reading: Reading, digest: Int64
  ) throws(StoreError) {
    try database.statement("DELETE FROM given WHERE entity = ?1 AND batch <= ?2").bind(1, binding.entity)
      .bind(2, reading.batch).run()
    for key in reading.meant {
      try database.statement("DELETE FROM given WHERE entity = ?1 AND key = ?2").bind(1, binding.entity)
        .bind(2, key).run()
    }
    for (key, line) in lost {
      try database.statement("UPDATE given SET again = 1 WHERE entity = ?1 AND key = ?2")
        .bind(1, binding.entity).bind(2, key).run()
      if let line { try keepBaseline(key.span, line.span, clock: nil) } else { try leaveBaseline(key.span) }
    }
    try setDigest(digest, of: binding)
    try giveAgain(binding, lost.map(\.key))
  }
}
