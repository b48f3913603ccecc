import JSONLines
import SyncCore

/// An app that has read its records, and writes them all back after it was given changes, takes these away again without
/// knowing them. What it had before is kept until it has shown that it has read what it was given.
extension ChangeStore {
  /// What a source had under a key before it was given a change.
  package struct Given: Equatable, Sendable {
    /// The record, nil for none.
    package var before: [UInt8]?
    /// The same for what was given at one time.
    package var batch: Int64
    /// It has been given the change twice: what it says now is meant.
    package var isAgain: Bool
  }

  /// Those of the last time, by their keys, and the digest that the source had after it.
  package func given(to binding: Binding) throws -> (digest: Int64, given: [[UInt8]: Given]) {
    var given: [[UInt8]: Given] = [:]
    try database.statement("SELECT key, before, again, batch FROM given WHERE entity = ?1").bind(
      1, binding.entity
    )
    .forEachRow { row in
      given[row.bytes(0)] = Given(
        before: row.isNull(1) ? nil : row.bytes(1), batch: row.integer(3),
        isAgain: row.integer(2) != 0)
    }
    let digest = try database.statement("SELECT digest FROM bindings WHERE entity = ?1")
      .bind(1, binding.entity).first { $0.integer(0) }
    return (digest ?? 0, given)
  }

  /// Notes what a source had before it was given changes, inside a `write`; one that was given again is not watched any more.
  package func noteGiven(
    _ binding: Binding, _ changes: [(key: [UInt8], before: [UInt8]?)], digest: Int64
  ) throws(StoreError) {
    let batch = state.sequence
    for change in changes {
      try database.statement("DELETE FROM given WHERE entity = ?1 AND key = ?2 AND again")
        .bind(1, binding.entity).bind(2, change.key).run()
      if database.changes > 0 { continue }
      let statement = try database.statement(
        "INSERT OR REPLACE INTO given (entity, key, before, batch, again) VALUES (?1, ?2, ?3, ?4, 0)"
      ).bind(1, binding.entity).bind(2, change.key).bind(4, batch)
      if let before = change.before { statement.bind(3, before) } else { statement.bind(3, Int64?.none) }
      try statement.run()
    }
    try setDigest(digest, of: binding)
  }

  private func setDigest(_ digest: Int64, of binding: Binding) throws(StoreError) {
    try database.statement("UPDATE bindings SET digest = ?2 WHERE entity = ?1").bind(1, binding.entity)
      .bind(2, digest).run()
  }

  /// What an app has lost of what its source was given is to be given to it again, inside a `write`.
  ///
  /// The lines are change lines that say what it has.
  package func giveAgain(
    _ binding: Binding, _ lost: [(key: [UInt8], line: [UInt8]?)], digest: Int64
  ) throws(StoreError) {
    try database.statement("DELETE FROM given WHERE entity = ?1").bind(1, binding.entity).run()
    for (key, line) in lost {
      try database.statement(
        "INSERT INTO given (entity, key, before, batch, again) VALUES (?1, ?2, NULL, 0, 1)"
      )
      .bind(1, binding.entity).bind(2, key).run()
      if let line { try keepBaseline(key.span, line.span, clock: nil) } else { try leaveBaseline(key.span) }
    }
    try setDigest(digest, of: binding)
    try giveAgain(binding, lost.map(\.key))
  }
}
