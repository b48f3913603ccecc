import JSONLines
package import SyncCore

/// A store that lines are read for: by its own rules, or by those given if it has none yet.
package struct RuledStore {
  private let path: String
  private let wait: Duration
  /// Nil as long as there is no file.
  private let found: ChangeStore?
  /// The rules that the store is to have.
  private let rules: RecordShape
  /// How lines that come in are read.
  package let shape: RecordShape

  /// Opens the store if there is one; throws `rulesDiffer` if an option says another thing than its rules.
  package init(_ path: String, wait: Duration, _ choice: RuleChoice) throws {
    let found: ChangeStore?
    do {
      found = try ChangeStore(path, creating: false, wait: wait)
    } catch StoreError.missing {
      found = nil
    }
    try self.init(found, at: path, wait, choice)
  }

  /// The same of a store that is open.
  package init(_ store: ChangeStore, _ choice: RuleChoice) throws {
    try self.init(store, at: store.path, .zero, choice)
  }

  private init(_ found: ChangeStore?, at path: String, _ wait: Duration, _ choice: RuleChoice) throws {
    (self.found, self.path, self.wait) = (found, path, wait)
    let settled = try found?.agreed(choice)
    rules = settled ?? choice.shape
    // Before a file is made for nothing.
    if rules.rules.count > SharedRules.longest { throw StoreError.rulesTooLong }
    shape = choice.shape(under: rules, entities: settled == nil ? [] : try found?.entities(upTo: 2) ?? [])
  }

  /// The store, which is made if there is none.
  package func open() throws -> ChangeStore { try found ?? ChangeStore(path, creating: true, wait: wait) }

  /// Makes sure, inside a `write`, that the store has the rules that lines were read by.
  package func settle(_ store: ChangeStore) throws(StoreError) {
    guard let present = try store.rules() else { return try store.setRules(rules) }
    if !present.hasSameRules(as: rules) { throw .rulesChanged }
  }
}
