import JSONLines
import SystemIO

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
    for option in columnOptions { words += " " + option }
    return Diagnostic.command(words, store: store)
  }

  /// The options about columns, each with its column.
  package var columnOptions: [String] {
    forms.sorted(by: { $0.key < $1.key }).flatMap { form, columns in
      columns.map { "--\(form) " + ShellWord.posix($0) }
    }
  }

  /// The hint to bind the source again on each device, with another form of some columns.
  package func bindHint(with form: String, of columns: [String], store: String) -> String {
    var binding = self
    binding.forms[form, default: []] += columns
    return "on each device: " + binding.bindCommand(store: store)
  }

  /// The hint for a source that no longer exists; it binds the source again at another path.
  package func moveHint(store: String) -> String {
    var moved = self
    moved.source = "NEWPATH"
    return "restore it; if it was moved: \(removeCommand(store: store)); \(moved.bindCommand(store: store))"
  }
}
