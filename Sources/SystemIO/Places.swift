/// Where programs of this package keep what is not given a place on the command line.
package enum Places {
  /// A file that outlives the run: below `PEERSYNC_HOME`, else in `peersync` below `XDG_STATE_HOME` or
  /// `~/.local/state`.
  package static func state(_ name: String) -> String {
    if let home = Environment.value("PEERSYNC_HOME") { return "\(home)/\(name)" }
    let state = Environment.value("XDG_STATE_HOME") ?? "\(Environment.value("HOME") ?? "")/.local/state"
    return "\(state)/peersync/\(name)"
  }
}
