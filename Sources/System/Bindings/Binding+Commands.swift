import JSONLines
package import Store
import SystemIO

/// The command lines that hints name.
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
    if let clock { words += " --clock " + ShellWord.posix(clock.text) }
    for (form, columns) in forms.sorted(by: { $0.key < $1.key }) {
      for column in columns { words += " --\(form) " + ShellWord.posix(column) }
    }
    return Diagnostic.command(words, store: store)
  }

  /// The command that removes only this binding, even if the database has other bindings.
  package func removeCommand(store: String) -> String {
    Diagnostic.command("peersync bind remove " + place, store: store)
  }

  private var place: String {
    ShellWord.path(source) + (table.map { " --table " + ShellWord.posix($0) } ?? "")
  }
}
