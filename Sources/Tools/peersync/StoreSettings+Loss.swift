import CommonInputs
import JSONLines
import Links
import Pairing
import RecordInputs
import Store
import SystemIO

extension StoreSettings {
  /// The error if a store that was used is missing or empty; nil for any other store.
  ///
  /// A new store in its place would not have the bindings, so edits of the bound files and tables would not
  /// be sent any more. A store was used if its lock for bindings exists, and the default store also if changes
  /// were transferred. `transfers` is called only if the store is missing.
  func loss(_ transfers: () throws -> [TransferRecord]) rethrows -> Diagnostic? {
    guard FileMode.isMissingOrEmpty(path) else { return nil }
    let wasBound = FileMode.exists(bindLockFile)
    guard try wasBound || path == Places.store && transfers().contains(where: { $0.lastTransferAt != nil })
    else { return nil }
    let state = FileMode.exists(path) ? "empty" : "missing"
    let reason = wasBound ? "files or tables were bound to it" : "this device has synced before"
    let command = { (words: String) in Diagnostic.command(words, store: path) }
    let new = wasBound ? "" : "; if none were bound, make a new store: \(command("synclog init"))"
    return Diagnostic(
      .fileNotFound, "the store is \(state), although \(reason)", file: FileMode.target(of: path),
      hint: "restore a backup of it: \(command("synclog restore BACKUP")); without a backup, bind the files "
        + "and tables again: \(command("peersync bind SOURCE"))\(new); if it is elsewhere, use --store")
  }

  /// Throws an error if a store that was used is missing or empty.
  func requireNoLoss(_ peers: Peers) throws {
    if let loss = try loss({ try peers.transfers().load().records }) { throw loss }
  }
}
