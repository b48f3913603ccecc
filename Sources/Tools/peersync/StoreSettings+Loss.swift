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
    if FileMode.exists(ChangeStore.bindLockFile(of: path)) {
      return Diagnostic(lostStore: path, because: "files or tables were bound to it")
    }
    guard path == Places.store, try transfers().contains(where: { $0.lastTransferAt != nil }) else {
      return nil
    }
    return Diagnostic(lostStore: path, because: "this device has synced before")
  }

  /// Throws an error if a store that was used is missing or empty.
  func requireNoLoss(_ peers: Peers) throws {
    if let loss = try loss({ try peers.transfers().load().records }) { throw loss }
  }
}
