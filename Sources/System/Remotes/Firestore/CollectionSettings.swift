import JSONLines

/// What a person says about a Firestore collection when adding it.
package struct CollectionSettings: Equatable, Sendable {
  /// The entity of the records in it.
  package var entity = ""
  /// The member that is true in a document that is deleted; nil where documents are removed.
  package var deletedField: String?
  /// The absolute path of a file of types.
  package var typesFile: String?
  /// After so many seconds all names are compared, even if there are as many as before.
  package var sweepSeconds = 86_400

  package init() {}

  var members: [JSONMember] {
    var members = [
      JSONMember("entityName", .string(entity)), JSONMember("sweepSeconds", .integer(sweepSeconds)),
    ]
    if let deletedField { members.append(JSONMember("deletedField", .string(deletedField))) }
    if let typesFile { members.append(JSONMember("typesFile", .string(typesFile))) }
    return members
  }

  /// Nil of a line without them.
  init?(_ line: JSONValue) {
    guard let entity = line["entityName"]?.stringValue, let seconds = line["sweepSeconds"]?.intValue,
      seconds >= 0
    else { return nil }
    (self.entity, sweepSeconds) = (entity, seconds)
    (deletedField, typesFile) = (line["deletedField"]?.stringValue, line["typesFile"]?.stringValue)
  }
}
