import JSONLines
package import Store
import SystemIO
import Tables

/// The command lines that hints contain.
extension Binding {
  /// The default name of a source's entity: the name of the table, or of the file without its extension.
  package static func entity(of source: String, table: String?) -> String {
    if let table { return table }
    let name = FileMode.name(of: source)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The command that binds the source again in the same way.
  package func bindCommand(store: String) -> String {
    var words = "peersync bind " + place
    if entity != Self.entity(of: source, table: table) {
      words += " --entity-name " + ShellWord.posix(entity)
    }
    for key in keys { words += " --key " + ShellWord.posix(key.text) }
    if let clock { words += " --clock " + (clock == Self.noClock ? "off" : ShellWord.posix(clock.text)) }
    for (form, columns) in forms.sorted(by: { $0.key < $1.key }) {
      for column in columns { words += " --\(form) " + ShellWord.posix(column) }
    }
    return Diagnostic.command(words, store: store)
  }

  /// The hint to bind the source again on each device, with another form of some columns.
  package func bindHint(with form: String, of columns: [String], store: String) -> String {
    var binding = self
    binding.forms[form, default: []] += columns
    return "on each device: " + binding.bindCommand(store: store)
  }
}

extension Diagnostic {
  /// An error of a bound table; if commands help, its hint contains them.
  ///
  /// `binding` is the binding as it was made.
  init(_ error: TableError, of binding: Binding, store: String) {
    self.init(error, file: binding.source)
    guard let (remedy, column, key) = error.valueRemedy, let table = binding.table else { return }
    let place = [binding.source, table].map(ShellWord.path).joined(separator: " ")
    let name = column.quotedName
    switch remedy {
    case .base64: hint = binding.bindHint(with: "base64", of: [column], store: store)
    case .nested: hint = binding.bindHint(with: "nested", of: [column], store: store)
    case .notBase64 where !key.isEmpty:
      // In SQLite a text is less than bytes.
      let texts = ShellWord.posix("\(name) < zeroblob(0)")
      let columns = (key + [column]).map { " --column " + ShellWord.posix($0) }.joined()
      hint =
        "to turn Base64 into bytes: tablerows read --where \(texts)\(columns) \(place) | "
        + "tablerows write --base64 \(ShellWord.posix(column)) \(place)"
    case .notNested:
      let change =
        "UPDATE \(table.quotedName) SET \(name) = json_quote(\(name)) "
        + "WHERE \(name) IS NOT NULL AND NOT json_valid(\(name))"
      hint =
        "to make texts JSON: sqlite3 \(ShellWord.path(binding.source)) \(ShellWord.posix(change)); "
        + "or bind the table without --nested on each device"
    case .notBase64: break
    }
  }
}
