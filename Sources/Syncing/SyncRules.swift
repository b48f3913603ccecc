package import CommandLineTool
import History
package import SyncCore
import SystemIO
import Transport

/// What all sessions of a run have in common: how lines are read, what the store takes, how long is waited.
package struct SyncRules {
  package let shape: RecordShape
  package let digest: String
  package let store: StoreSettings
  /// The size of a page, in bytes.
  package var pageLimit = 1 << 20
  /// The longest message that is read, in bytes.
  package var messageLimit = 16 << 20
  /// How long nothing may move.
  package var patience: Duration

  package init(_ shape: RecordShape, _ store: StoreSettings, patience: Duration) throws {
    (self.shape, self.store, self.patience) = (shape, store, patience)
    digest = try shape.rulesDigest()
  }

  /// Opens the store; what goes wrong is a diagnostic about its file.
  ///
  /// It waits for a lock as long as it is opened, and not after that: a loop would stand still meanwhile.
  func openStore(creating: Bool, wait: Duration) throws -> ChangeStore {
    try naming {
      let opened = try ChangeStore(store.path, creating: creating, wait: wait)
      opened.limitWait(to: .zero)
      // Sessions read and write in the order of the store; what they have passed is of no use.
      try opened.limitCache(toKiB: 8 << 10)
      return opened
    }
  }

  /// What `body` gives; an error of the store becomes a diagnostic about its file.
  package func naming<Value>(_ body: () throws -> Value) throws -> Value {
    try Diagnostic.naming(store: store.path, body)
  }

  func settings(_ role: DialogueSettings.Role, _ facts: LinkFacts, waitSeconds: Int) -> DialogueSettings? {
    guard let peer = facts.peer,
      var settings = DialogueSettings(
        role: role, version: facts.version, ownId: facts.selfId, ownName: facts.selfName, peerId: peer.peerId,
        rulesDigest: digest)
    else { return nil }
    settings.pageLimit = pageLimit
    settings.waitSeconds = waitSeconds
    return settings
  }
}
