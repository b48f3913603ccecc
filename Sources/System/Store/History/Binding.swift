package import JSONLines
import SystemIO

/// A file or a table of an app; the store keeps its records as one entity.
package struct Binding: Equatable, Sendable {
  package var entity: String
  /// The absolute path of the file or the database.
  package var source: String
  /// The table's name if the source is a database.
  package var table: String?
  /// The pointers to a record's key; empty for `/id`, or the primary key of a table.
  package var keys: [JSONPointer] = []
  /// The pointer to a record's clock; nil for the default names.
  package var clock: JSONPointer?
  /// The columns whose values have another form in JSON, keyed by the names of `tablerows` options.
  package var forms: [String: [String]] = [:]
  /// The columns that the table had when it was last read; empty before that.
  package var columns: [String] = []
  /// Members of records for which the table does not have a column.
  package var hidden: [String] = []
  /// A text that is different each time the source is bound; empty for a binding of an earlier version.
  package var stamp = ""

  /// A pointer to a member that no record has, for a source without clocks.
  package static let noClock = JSONPointer(tokens: ["\u{0}"])

  package init(entity: String, source: String, table: String? = nil) {
    (self.entity, self.source, self.table) = (entity, source, table)
  }

  /// The path of the file or the database as bytes, with all links followed as they lead now.
  ///
  /// Bindings have the same file if these bytes are equal. Two files can have names that are equal as Swift
  /// texts.
  package var file: [UInt8] { Array(FileMode.absolute(source).utf8) }

  /// Whether both bindings are of one file or database.
  ///
  /// Only different paths must be followed.
  package func hasSameFile(as other: Binding) -> Bool {
    source.utf8.elementsEqual(other.source.utf8) || file == other.file
  }

  /// The binding in the form that `peersync bind list` prints.
  package var json: JSONValue {
    .object(
      [
        JSONMember("source", .string(source)), JSONMember("entityName", .string(entity)),
      ] + shape)
  }

  /// The source in a command line, with the table of a database.
  package var place: String {
    ShellWord.path(source) + (table.map { " --table " + ShellWord.posix($0) } ?? "")
  }

  /// The command that removes only this binding, even if the database has other bindings.
  package func removeCommand(store: String) -> String {
    Diagnostic.command("peersync bind remove " + place, store: store)
  }

  /// All settings except the source and the entity; defaults are left out.
  private var shape: [JSONMember] {
    var members: [JSONMember] = []
    if let table { members.append(JSONMember("table", .string(table))) }
    if !keys.isEmpty { members.append(JSONMember("key", .array(keys.map { .string($0.text) }))) }
    if let clock {
      members.append(JSONMember("clock", clock == Self.noClock ? .null : .string(clock.text)))
    }
    for (form, columns) in forms.sorted(by: { $0.key < $1.key }) where !columns.isEmpty {
      members.append(JSONMember(form, .array(columns.map { .string($0) })))
    }
    return members
  }

  /// Reads the form in which the store keeps a binding.
  init?(entity: String, source: String, shape text: String) {
    self.init(entity: entity, source: source)
    let bytes = Array(text.utf8)
    guard let shape = try? JSONValue(parsing: bytes.span), let members = shape.objectValue else { return nil }
    let strings = { (value: JSONValue) in (value.arrayValue ?? []).compactMap(\.stringValue) }
    for member in members {
      switch member.name {
      case "table": table = member.value.stringValue
      case "key": keys = strings(member.value).compactMap { JSONPointer($0) }
      case "clock":
        clock = member.value == .null ? Self.noClock : member.value.stringValue.flatMap { JSONPointer($0) }
      case "columns": columns = strings(member.value)
      case "hidden": hidden = strings(member.value)
      case "stamp": stamp = member.value.stringValue ?? ""
      default: forms[member.name] = strings(member.value)
      }
    }
  }

  var shapeText: String {
    let names = { (name: String, values: [String]) in JSONMember(name, .array(values.map { .string($0) })) }
    let stamp = stamp.isEmpty ? [] : [JSONMember("stamp", .string(stamp))]
    return JSONValue.object(shape + [names("columns", columns), names("hidden", hidden)] + stamp).text
  }
}
