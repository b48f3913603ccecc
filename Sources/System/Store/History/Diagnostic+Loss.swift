package import JSONLines
import SystemIO

extension ChangeStore {
  /// The file of the lock for bindings; it stays, so it shows that files or tables were bound to the store.
  package static func bindLockFile(of path: String) -> String { "\(FileMode.target(of: path)).bind.lock" }

  /// Throws if a store is missing or empty, although files or tables were bound to it.
  ///
  /// A new store in its place would not have the bindings, so edits of the bound files and tables would not
  /// be sent any more.
  package static func requireNoLoss(of path: String) throws(Diagnostic) {
    guard FileMode.isMissingOrEmpty(path), FileMode.exists(bindLockFile(of: path)) else { return }
    throw Diagnostic(lostStore: path, because: "files or tables were bound to it")
  }
}

extension Diagnostic {
  /// The diagnostic about a store that was used and is now missing or empty.
  package init(lostStore path: String, because reason: String) {
    let command = { (words: String) in Diagnostic.command(words, store: path) }
    self.init(
      .fileNotFound, "the store is \(FileMode.exists(path) ? "empty" : "missing"), although \(reason)",
      file: FileMode.target(of: path),
      hint: "restore a backup of it: \(command("synclog restore BACKUP")); without a backup, bind the files "
        + "and tables again: \(command("peersync bind SOURCE")); if none were bound, make a new store: "
        + "\(command("synclog init")); if it is elsewhere, use --store")
  }
}
