import JSONLines

/// The settings that a person gives when adding a Firestore collection.
package struct CollectionSettings: Equatable, Sendable {
  /// The entity of its records.
  package var entity = ""
  /// The member that is true in a deleted document; nil if documents are removed.
  package var deletedField: String?
  /// The absolute path of a file of types.
  package var typesFile: String?
  /// The seconds after which all names are compared, even if their number has not changed.
  package var sweepSeconds = 86_400

  package init() {}

  init(_ entity: String, deletedField: String?) { (self.entity, self.deletedField) = (entity, deletedField) }

  /// The first difference from other settings of the same collection; nil if they agree.
  ///
  /// `owner` is the name of the owner of these settings.
  package func difference(from others: Self, of owner: String) -> String? {
    if !entity.utf8.elementsEqual(others.entity.utf8) {
      return
        "\(owner) has records of '\(entity.shown(upTo: 100))', not of '\(others.entity.shown(upTo: 100))'"
    }
    guard Array((deletedField ?? "").utf8) != Array((others.deletedField ?? "").utf8) else { return nil }
    let other = others.deletedField.map { "with the mark '\($0.shown(upTo: 100))'" } ?? "by removing them"
    let own = deletedField.map { "with the mark '\($0.shown(upTo: 100))'" } ?? "by removing them"
    return "\(owner) deletes documents \(own), not \(other)"
  }

  /// Whether a member of that name can mark deleted documents; the name must differ from that of this
  /// program's note.
  package static func isMark(_ name: String) -> Bool {
    DocumentValues.isName(name) && !name.utf8.elementsEqual(Document.note.utf8)
  }

  var members: [JSONMember] {
    var members = [
      JSONMember("entityName", .string(entity)), JSONMember("sweepSeconds", .integer(sweepSeconds)),
    ]
    if let deletedField { members.append(JSONMember("deletedField", .string(deletedField))) }
    if let typesFile { members.append(JSONMember("typesFile", .string(typesFile))) }
    return members
  }

  /// Reads the settings in a line; nil for a line without them.
  init?(_ line: JSONValue) {
    guard let entity = line["entityName"]?.stringValue, let seconds = line["sweepSeconds"]?.intValue,
      seconds >= 0
    else { return nil }
    (self.entity, sweepSeconds) = (entity, seconds)
    (deletedField, typesFile) = (line["deletedField"]?.stringValue, line["typesFile"]?.stringValue)
  }
}
