import JSONLines
package import CommandLine
import Crypto
import Links
import Store
package import SyncCore
import SystemIO

/// The settings that all sessions of a run share: of the store, of its limits, of time.
package struct SyncRules {
  private let choice: RuleChoice
  package let store: StoreSettings
  /// The size of a page, in bytes.
  package var pageLimit = 1 << 20
  /// The longest message that is read, in bytes.
  package var messageLimit = 16 << 20
  /// Records that name no entity may come to those that name theirs.
  package var mixesEntities = false
  /// How long nothing may move.
  package var patience: Duration

  package init(_ choice: RuleChoice, _ store: StoreSettings, patience: Duration) {
    (self.choice, self.store, self.patience) = (choice, store, patience)
  }

  /// Opens the store, whose rules become those of the options if it has none; errors are diagnostics about its file.
  ///
  /// It waits for a lock as long as it is opened, and not after that: a loop would stand still meanwhile.
  func openStore(creating: Bool, wait: Duration) throws -> ChangeStore {
    try naming {
      let opened = try ChangeStore(store.path, creating: creating, wait: wait)
      opened.limitWait(to: .zero)
      // Sessions read and write in the order of the store; what they have passed is of no use.
      try opened.limitCache(toKiB: 8 << 10)
      try opened.settle(choice)
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
        role: role, version: facts.version, ownId: facts.selfId, ownName: facts.selfName, peerId: peer.peerId)
    else { return nil }
    settings.pageLimit = pageLimit
    settings.mixesEntities = mixesEntities
    settings.waitSeconds = waitSeconds
    // Over version 1, where nobody can hand over a turn.
    (settings.asksBack, settings.lingerSeconds) = (true, 5)
    return settings
  }
}
