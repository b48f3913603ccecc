import Crypto
package import JSONLines
import SyncCore

/// The settings that all stores of a collection share, written beside the collection by the first store.
package struct CollectionAgreement {
  /// The entity, and how documents are deleted.
  package let settings: CollectionSettings
  /// The first store's rules for reading and merging records.
  let rules: RecordShape
  /// The forms of identity that the entity's records have.
  let identities: StoredEntities

  init(_ settings: CollectionSettings, _ rules: RecordShape, _ stored: StoredEntities) {
    (self.settings, self.rules) = (settings, rules)
    var identities = StoredEntities()
    identities.names[settings.entity] = stored.names[settings.entity]
    self.identities = identities
  }

  /// The id of the agreement's document; the documents next to it have the ids of stores.
  static let id = "agreement"

  /// Reads an agreement; nil for any other document.
  init?(_ document: Document) {
    func text(_ name: String) -> String? { document.fields[named: name]?["stringValue"]?.stringValue }
    guard let entity = text("entityName"), let rules = text("rules"), rules.utf8.count <= SharedRules.longest,
      let shape = try? RecordShape(rules: Array(rules.utf8).span),
      let identities = text("identities"), identities.utf8.count <= SharedRules.longest,
      let value = try? JSONValue(parsing: Array(identities.utf8).span), let stored = StoredEntities(value),
      stored.names.values.allSatisfy({ !$0.isEmpty })
    else { return nil }
    if document.fields[named: "deletedField"] != nil {
      guard let mark = text("deletedField"), CollectionSettings.isMark(mark) else { return nil }
    }
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

  /// The pointer to the clock in documents.
  var clock: JSONPointer? { rules.profile[Array(settings.entity.utf8)].clock ?? rules.clock }

  /// The difference in a store's rules for reading or merging records of the entity; nil if they are equal.
  func difference(from own: RecordShape) throws -> (code: ErrorCode, text: String)? {
    let entity = settings.entity
    let (here, there) = (Self.keys(entity, own), Self.keys(entity, rules))
    if here != there {
      return (
        .identityDiffers,
        "the key of records of '\(entity.shown(upTo: 100))' is \(Self.spelled(here)) in this store, "
          + "\(Self.spelled(there)) in the collection"
      )
    }
    let mine = try Self.merging(entity, own)
    let theirs = try Self.merging(entity, rules)
    var request = SyncRequest(peerId: "", deviceName: "the collection", rulesDigest: theirs.digest)
    request.facts = .init(mergeRules: theirs.mergeRules, entities: StoredEntities())
    return mine.difference(from: request, own: .init("", "this store"), mixing: true).map {
      (.rulesDiffer, $0.text)
    }
  }

  private static func keys(_ entity: String, _ shape: RecordShape) -> [JSONPointer] {
    let own = shape.profile[Array(entity.utf8)].keys
    let keys = own.isEmpty ? shape.keys : own
    return keys.isEmpty ? [JSONPointer(name: "id")] : keys
  }

  /// The rules of one entity alone.
  private static func merging(_ entity: String, _ shape: RecordShape) throws -> SharedRules {
    var alone = RecordShape()
    alone.profile.entities[Array(entity.utf8)] = shape.profile[Array(entity.utf8)]
    return SharedRules(alone, digest: try alone.rulesDigest(), entities: StoredEntities())
  }

  private static func spelled(_ pointers: [JSONPointer]) -> String {
    pointers.map { "'\($0.text.shown(upTo: 100))'" }.joined(separator: " and ")
  }
}

extension CollectionPath {
  /// The URL, quoted for a command.
  var word: String { ServerAddress.word(url) }

  /// The hint for a device that contradicts the agreement.
  package func hint(for code: ErrorCode) -> String {
    code == .identityDiffers
      ? "records with different keys are different records: use a new store (--store) for the collection"
      : "make the rules equal with 'synclog rules set'; to change them for all devices, remove the document "
        + "'\(checkpointPath)/\(CollectionAgreement.id)' from the database and set the rules on each device"
  }
}
