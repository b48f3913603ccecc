package import JSONLines
import PeerProtocol
package import SyncCore
import SystemIO

extension Diagnostic {
  package init(_ error: StoreError, store path: String) {
    guard let (code, message, hint) = Self.matterOfUse(error, store: path) else {
      self.init(error, of: Self.words, file: path)
      return
    }
    self.init(code, message, file: path, hint: hint)
  }

  private static let words = StoreWords(
    one: "a store", noun: "store", tool: "synclog", makers: "init, record, put and apply make one",
    cure:
      "synclog dump writes the intact records; restore the others from a backup, or sync a new store with a "
      + "peer and bind the files and tables again")

  /// Rethrows an error of the store as a diagnostic about its file.
  package static func naming<Value>(store path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw Diagnostic(error, store: path)
    }
  }

  /// The diagnostic of a run that added changes to the quarantine; nil for any other run.
  package init?(quarantined count: Int, store path: String) {
    guard count > 0 else { return nil }
    self.init(
      .quarantined, "changes in quarantine: \(count)", file: path,
      hint: "\(Self.quarantineList(of: path)) shows them")
  }

  /// The command that shows what a store keeps in quarantine.
  package static func quarantineList(of store: String) -> String {
    command("synclog quarantine list", store: store)
  }

  /// A command line for a store, with `--store` unless it is the default store.
  package static func command(_ words: String, store: String) -> String {
    words + (store == Places.store ? "" : " --store \(ShellWord.path(store))")
  }

  /// The code, the message and the hint for an invalid request; nil for a fault of the file.
  private static func matterOfUse(_ error: StoreError, store path: String) -> (ErrorCode, String, String?)? {
    switch error {
    case .tooLarge: (.lineTooLarge, "a line is longer than 8 MiB", nil)
    case .invalidToken: (.invalidToken, "not a token", nil)
    case .foreignToken:
      (
        .tokenForeign, "the token is from another store, or the store has been restored since then",
        "leave out the token to write all changes"
      )
    case .expiredToken:
      (
        .tokenExpired, "tombstones after the token have been compacted away",
        "leave out the token to write all changes; records missing from them were deleted"
      )
    case .tooManyDeletions(let count, let live):
      (
        .tooManyDeletions, "\(count) of \(live) records would be deleted; all were kept",
        "use --max-delete to allow more"
      )
    case .quarantineFull(let peer):
      (
        .quarantineFull,
        "no room in quarantine for more changes of peer '\(peer.escapingControls)'; the rest was not stored",
        "\(quarantineList(of: path)) shows them; accept or drop some, then run again"
      )
    case .olderSchema:
      (
        .olderStore, "an earlier version wrote the store",
        "synclog dump --changes writes its lines; put them into a new store"
      )
    case .rulesDiffer(let option, let given, let stored):
      (
        .storeRulesDiffer,
        "\(option) is \(given), but in the rules of the store it is \(stored ?? "not set")",
        "leave it out; synclog rules show writes the rules, and synclog rules set changes them"
      )
    case .rulesChanged:
      (
        .storeBusy, "the rules of the store have just changed; the input was not stored",
        "run the command again"
      )
    case .keysDiffer(let entity):
      (
        .entityKeysDiffer, "the records of entity '\(entity.escapingControls)' would get other keys",
        "to make the store again: \(command("synclog dump --changes", store: path)) > records.jsonl; move the "
          + "store away; \(command("synclog init", store: path)) with the same options; "
          + command("synclog put records.jsonl", store: path)
      )
    case .unfit(let entity, let reason):
      (
        .entityKeysDiffer, "a record of entity '\(entity.escapingControls)' would be invalid: \(reason)",
        "synclog dump writes the records; fix them, and put them into a new store with these rules"
      )
    case .otherIdentity(let entity, let given, let stored):
      (
        .identityDiffers,
        "entity '\(entity.escapingControls)': identities have \(given) in the input, \(stored) in the store; "
          + "the input was not stored",
        "use synclog rules set --key to read records with the keys of the stored records"
      )
    case .rulesTooLong:
      (.invalidProfile, "the rules are longer than 64 KiB, which peers do not accept", nil)
    case .clockRefused(let key, nil):
      (
        .clockRefused,
        "\(key): the clock is too far ahead of now; the input was not stored",
        "correct the clock, or use --max-drift off"
      )
    case .clockRefused(let key, let source?):
      (
        .clockRefused,
        "\(key): the clock is too far ahead of now, as is that of the stored \(source.name); the input was "
          + "not stored",
        "\(reclockCommand(isSent: source.isSent, store: path)) sets the stored clock back to now; then run the command "
          + "again"
      )
    case .emptySnapshot:
      (
        .missingEntity,
        "the snapshot is empty and the store has more than one entity; all records were kept",
        "name the snapshot's entity with --entity-name"
      )
    case .emptyInput(let name):
      (
        .notASnapshot,
        "\(name == "-" ? "standard input" : "'\(name.escapingControls)'") is empty, as after a command that failed; "
          + "all records were kept",
        "if they were all deleted, use --max-delete off"
      )
    case .delta(0, let missing):
      (
        .notASnapshot,
        "the input has a checkpoint line, and \(missing) records would be deleted as missing; the input was not "
          + "stored",
        "use synclog apply for a page of changes; a snapshot has all records, without a checkpoint line"
      )
    case .delta(let deletions, let missing):
      (
        .notASnapshot,
        "the input has \(deletions) delete line\(deletions == 1 ? "" : "s"), and \(missing) more "
          + "record\(missing == 1 ? "" : "s") would be deleted as missing; the input was not stored",
        "use synclog put for a delta; if SNAPSHOT has all records, remove its delete lines with 'lwwmerge "
          + "--drop-tombstones SNAPSHOT'"
      )
    case .outOfScope:
      (.otherEntity, "a record of the snapshot does not have the given entity", nil)
    case .unknownPeer(let name):
      (.unknownPeer, "unknown peer '\(name)'", "synclog peers lists the known peers")
    case .ambiguousPeer(let name):
      (.unknownPeer, "'\(name)' matches several peers", "give more characters")
    default: nil
    }
  }
}

extension Diagnostic {
  /// The refusal to prune an entity whose records a bound file or table still has.
  init(pruning binding: Binding, store path: String) {
    self.init(
      .conflictingOptions,
      "bound as '\(binding.entity.escapingControls)': after a prune, the next run would store its old records "
        + "again as new edits",
      file: binding.source,
      hint: "remove the records in the app; or first run: \(binding.removeCommand(store: path))")
  }

  /// The refusal to replace the baseline of a bound entity, which is what a run has read in its source.
  init(replacingBaselineOf binding: Binding, store path: String) {
    self.init(
      .conflictingOptions,
      "bound as '\(binding.entity.escapingControls)': with a new baseline, the next run would undo changes "
        + "that it does not have yet",
      file: binding.source,
      hint: "store changes with 'synclog put', and read records with 'synclog dump'; or first run: "
        + binding.removeCommand(store: path))
  }

  /// The diagnostic of a run that left out changes because version 1 cannot carry them.
  package init(leftOut count: Int, store path: String) {
    let types = Places.types(besideStore: path)
    let option = FileMode.exists(types) ? " --types \(ShellWord.path(types))" : ""
    let dump = Self.command("synclog dump --changes", store: path)
    self.init(
      .partialRun, "changes that protocol 1 cannot carry, left out: \(count)", file: path,
      hint: "'\(dump) | deltadiff pack --lossy\(option)' reports why")
  }

  /// The reason why a dialogue over a store ended early; nil if it ended normally.
  ///
  /// `refusal` is the store's own reason for a refusal.
  package init?(_ end: DialogueEnd, of settings: DialogueSettings, refusal: StoreError?, store path: String) {
    switch end {
    case .done, .stopped:
      // A dry run continues where a real run would have ended.
      guard settings.isDryRun, let refusal else { return nil }
      self.init(refusal, store: path)
    case .tooManyDeletes: self.init(refusal ?? .tooManyDeletions(count: 0, live: 0), store: path)
    case .quarantineFull: self.init(refusal ?? .quarantineFull(peer: settings.peerId), store: path)
    case .busy: self.init(.busy, store: path)
    default: self.init(end, of: settings)
    }
  }
}
