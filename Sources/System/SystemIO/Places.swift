/// Where the tools keep what outlives a run: `peersync` in the folders of the XDG Base Directory Specification.
///
/// `PEERSYNC_HOME` stands for all of them. A folder is not made by asking for its name.
package enum Places {
  /// What belongs to the device and what its user decided: its identity and whom it trusts.
  package static func configuration() throws(SystemError) -> String {
    try folder("XDG_CONFIG_HOME", below: ".config")
  }

  /// What a later run goes on with, such as pairing sessions.
  package static func state() throws(SystemError) -> String {
    try folder("XDG_STATE_HOME", below: ".local/state")
  }

  /// A file among them; in the current folder where nobody says where else.
  package static func state(_ name: String) -> String { "\((try? state()) ?? ".")/\(name)" }

  /// The store that is meant where none is named.
  package static var store: String { state("store.db") }

  /// What is wrong with the variables: by it the files of this device would be looked for in another place.
  package static var fault: String? {
    let names =
      Environment.value("PEERSYNC_HOME") == nil
      ? ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"] : ["PEERSYNC_HOME"]
    if let name = names.first(where: { !Environment.isText($0) }) { return "\(name) is not UTF-8" }
    guard names.contains("HOME"), let home = Environment.value("HOME"), !home.hasPrefix("/") else {
      return nil
    }
    return "HOME is not an absolute path"
  }

  private static func folder(_ variable: String, below usual: String) throws(SystemError) -> String {
    if let home = Environment.value("PEERSYNC_HOME") { return home }
    // The specification: a path that is not absolute is to be ignored.
    if let base = Environment.value(variable), base.hasPrefix("/") { return "\(base)/peersync" }
    guard let home = Environment.value("HOME") else { throw SystemError(.open, "$HOME", code: ENOENT) }
    return "\(home)/\(usual)/peersync"
  }
}
