import JSONLines
package import SyncCore

extension ChangeStore {
  /// The rules for reading and merging the lines of the store; nil until they are set.
  package func rules() throws(StoreError) -> RecordShape? {
    let text = try database.statement("SELECT rules FROM store").first { $0.bytes(0) } ?? []
    if text.isEmpty { return nil }
    if let lastRules, lastRules.text == text { return lastRules.shape }
    do throws(MemberError) {
      let shape = try RecordShape(rules: text.span)
      lastRules = (text, shape)
      return shape
    } catch {
      throw .corrupt("its rules: \(error.matter)")
    }
  }

  /// Sets the rules of a store without rules, inside a `write`.
  package func setRules(_ shape: RecordShape) throws(StoreError) {
    guard shape.rules.count <= SharedRules.longest else { throw .rulesTooLong }
    try database.statement("UPDATE store SET rules = ?1").bind(1, shape.rules).run()
  }

  /// The part of the rules that must be equal on both sides; nil for a store without rules.
  package func sharedRules(_ digest: (RecordShape) throws -> String) throws -> SharedRules? {
    guard let rules = try rules() else { return nil }
    return SharedRules(rules, digest: try digest(rules), entities: try entityForms())
  }

  /// The entities with the members of their identities, derived from their first and last keys.
  ///
  /// Entities beyond the limit of a message are left out.
  package func entityForms() throws(StoreError) -> StoredEntities {
    var (forms, size) = (StoredEntities(), 0)
    for name in try entities(upTo: 1_000) {
      let range = KeyRange(of: name)
      for order in ["", "DESC "] {
        let key = try database.statement(
          "SELECT key FROM changes WHERE key > ?1 AND key < ?2 ORDER BY key \(order)LIMIT 1"
        ).bind(1, range.opening).bind(2, range.end).first { $0.bytes(0) }
        guard let key else { continue }
        size += key.count
        if size > SharedRules.longest / 4 { return forms }
        forms.note(key.span)
      }
    }
    return forms
  }

  /// The entities of the stored changes, in the order of their keys; at most `limit`.
  package func entities(upTo limit: Int = .max) throws(StoreError) -> [String] {
    var (entities, opening) = ([String](), [UInt8]())
    while entities.count < limit {
      let end = opening.isEmpty ? opening : Prunes.end(of: opening)
      let key = try database.statement("SELECT key FROM changes WHERE key >= ?1 ORDER BY key LIMIT 1")
        .bind(1, end).first { $0.bytes(0) }
      guard let key else { break }
      let name = Key.entity(of: key.span)
      entities.append(name)
      opening = Prunes.opening(of: name)
    }
    return entities
  }

  /// Replaces the current rules, inside a `write`; returns the number of lines with another merge rule.
  ///
  /// These lines are sent to every peer again, including their sender, because another version may win now.
  /// Throws `keysDiffer` if a line would have another key, and `unfit` if it would be invalid.
  package func changeRules(_ shape: RecordShape) throws -> Int {
    let old = try rules() ?? RecordShape()
    var reader = LineReader(shape)
    var keys: [[UInt8]] = []
    try database.statement("SELECT key, line, checksum FROM changes ORDER BY sequence", isLong: true)
      .forEachRow { row in
        try RowChecksum.require(row.integer(2), row.span(0), row.span(1))
        let entity = Key.entity(of: row.span(0))
        var key: [UInt8] = []
        do throws(ChangeError) {
          _ = try reader.read(row.span(1), key: &key)
        } catch {
          throw StoreError.unfit(entity: entity, reason: error.message)
        }
        if key != row.bytes(0) { throw StoreError.keysDiffer(entity: entity) }
        let name = Array(entity.utf8)
        if old.profile[name].rule != shape.profile[name].rule { keys.append(key) }
      }
    for key in keys { try resend(key.span) }
    try setRules(shape)
    return keys.count
  }
}

extension ChangeStore {
  /// Ensures that the options agree with the rules of the store, or sets the rules of a store without rules.
  ///
  /// Without options the store stays without rules.
  package func settle(_ choice: RuleChoice) throws {
    if let rules = try agreed(choice) {
      // Refuse the option: the store has its rules already, so the option would not have an effect.
      if let name = choice.entityName, name != rules.entityName {
        throw StoreError.rulesDiffer(
          option: "--entity-name", given: "'\(name.shown)'", stored: "'\(rules.entityName.shown)'")
      }
    } else if !choice.isEmpty {
      try write { if try agreed(choice) == nil { try setRules(choice.shape) } }
    }
  }

  /// The rules of the store, checked against the options; nil for a store without rules.
  package func agreed(_ choice: RuleChoice) throws(StoreError) -> RecordShape? {
    guard let rules = try rules() else { return nil }
    if let difference = choice.difference(from: rules) {
      throw .rulesDiffer(option: difference.option, given: difference.given, stored: difference.stored)
    }
    return rules
  }
}

extension DeleteLimit {
  /// Throws `tooManyDeletions` if the limit is exceeded; `live` is the number of live records before the
  /// deletions.
  package func check(_ deletions: Int, of live: Int) throws(StoreError) {
    guard allows(deletions, of: live) else { throw .tooManyDeletions(count: deletions, live: live) }
  }
}
