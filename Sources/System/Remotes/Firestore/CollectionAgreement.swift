import JSONLines
import SyncCore

/// What all stores that sync with a collection have in common, as the first of them has written it beside the collection.
package struct CollectionAgreement {
  /// The entity, and how documents are deleted.
  package let settings: CollectionSettings
  /// How the first store reads and merges records.
  let rules: RecordShape
  /// The identities that its records of the entity have.
  let identities: StoredEntities

  init(_ settings: CollectionSettings, _ rules: RecordShape, _ stored: StoredEntities) {
    (self.settings, self.rules) = (settings, rules)
    var identities = StoredEntities()
    identities.names[settings.entity] = stored.names[settings.entity]
    self.identities = identities
  }

  /// The id of the document, among those that have ids of stores.
  static let id = "agreement"

  /// Nil of a document that no store has written.
  init?(_ document: Document) {
    func text(_ name: String) -> String? { document.fields[named: name]?["stringValue"]?.stringValue }
    guard let entity = text("entityName"), let rules = text("rules"), rules.utf8.count <= SharedRules.longest,
      let shape = try? RecordShape(rules: Array(rules.utf8).span),
      let identities = text("identities"), identities.utf8.count <= SharedRules.longest,
      let value = try? JSONValue(parsing: Array(identities.utf8).span), let stored = StoredEntities(value)
    else { return nil }
    (self.rules, self.identities) = (shape, stored)
    settings = CollectionSettings(entity, deletedField: text("deletedField"))
  }

  var fields: [JSONMember] {
    var texts = [
      ("entityName", settings.entity), ("rules", String(decoding: rules.rules, as: UTF8.self)),
      ("identities", identities.json.text),
    ]
    if let mark = settings.deletedField { texts.append(("deletedField", mark)) }
    return texts.map { JSONMember($0, ["stringValue": .string($1)]) }
  }

  /// How a store reads records of the entity otherwise; nil if it does not.
  func difference(from own: RecordShape) -> (code: ErrorCode, text: String)? {
    let entity = settings.entity
    let (here, there) = (Self.reading(entity, own), Self.reading(entity, rules))
    if here.keys != there.keys {
      return (
        .identityDiffers,
        "the key of records of '\(entity.shown(upTo: 100))' is \(Self.spelled(here.keys)) in this store, "
          + "\(Self.spelled(there.keys)) in the collection"
      )
    }
    guard here.clock != there.clock else { return nil }
    return (
      .rulesDiffer,
      "the clock of records of '\(entity.shown(upTo: 100))' is \(Self.spelled([here.clock].compactMap(\.self))) in "
        + "this store, \(Self.spelled([there.clock].compactMap(\.self))) in the collection"
    )
  }

  private static func reading(_ entity: String, _ shape: RecordShape) -> (
    keys: [JSONPointer], clock: JSONPointer?
  ) {
    let rules = shape.profile[Array(entity.utf8)]
    let keys = rules.keys.isEmpty ? shape.keys : rules.keys
    return (keys.isEmpty ? [JSONPointer(name: "id")] : keys, rules.clock ?? shape.clock)
  }

  private static func spelled(_ pointers: [JSONPointer]) -> String {
    pointers.isEmpty
      ? "the usual one"
      : pointers.map { "'\($0.text.shown(upTo: 100))'" }.joined(separator: " and ")
  }
}

extension CollectionPath {
  /// How all devices begin anew with other rules.
  package var agreementHint: String {
    "'synclog rules show' prints those of this store; to change them for all devices, remove the document "
      + "'\(checkpointPath)/\(CollectionAgreement.id)' from the database and set the same on each"
  }
}
