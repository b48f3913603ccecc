import JSONLines
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
    cure: "synclog dump writes what is whole; a backup, or a peer's answer to a new store, has the rest")

  /// Rethrows an error of the store as a diagnostic about its file.
  package static func naming<Value>(store path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw Diagnostic(error, store: path)
    }
  }

  /// Of a run that has left changes in quarantine; nil if there are none.
  package init?(quarantined count: Int, store path: String) {
    guard count > 0 else { return nil }
    self.init(
      .quarantined, "changes in quarantine: \(count)", file: path,
      hint: "\(Self.quarantineList(of: path)) shows them")
  }

  /// The command that shows what a store keeps in quarantine.
  package static func quarantineList(of store: String) -> String {
    "synclog quarantine list" + (store == Places.store ? "" : " --store \(ShellWord.path(store))")
  }

  /// The code and message if the request is wrong; nil if the file is.
  private static func matterOfUse(_ error: StoreError, store path: String) -> (ErrorCode, String, String?)? {
    switch error {
    case .tooLarge: (.lineTooLarge, "a line is longer than 8 MiB", nil)
    case .invalidToken: (.invalidToken, "not a token", nil)
    case .foreignToken:
      (
        .tokenForeign, "the token is of another store, or of one that was restored since",
        "without a token all changes are told"
      )
    case .expiredToken:
      (
        .tokenExpired, "tombstones after the token have been compacted away",
        "without a token all changes are told; what they do not name is gone"
      )
    case .tooManyDeletions(let count, let live):
      (
        .tooManyDeletions, "\(count) of \(live) records would be deleted; none has been",
        "--max-delete allows more"
      )
    case .quarantineFull(let peer):
      (
        .quarantineFull,
        "no room in quarantine for more changes of peer '\(peer.escapingControls)'; none of the rest was stored",
        "\(quarantineList(of: path)) shows them; accept or drop some, then run again"
      )
    case .olderSchema:
      (
        .olderStore, "an earlier version has written the store",
        "synclog dump --changes writes its lines; put them into a new store"
      )
    case .rulesDiffer(let option, let given, let stored):
      (
        .storeRulesDiffer,
        "\(option) says \(given), but the rules of the store say \(stored ?? "nothing of it")",
        "leave it out; synclog rules show writes the rules, and synclog rules set changes them"
      )
    case .rulesChanged:
      (.storeBusy, "the rules of the store have just become others; nothing has been stored", "run it again")
    case .keysDiffer(let entity):
      (
        .entityKeysDiffer, "the records of entity '\(entity.escapingControls)' would have other keys",
        "synclog dump writes the records; put them into a new store with these rules"
      )
    case .unfit(let entity, let reason):
      (
        .entityKeysDiffer, "a record of entity '\(entity.escapingControls)' would be bad data: \(reason)",
        "synclog dump writes the records; mend them, and put them into a new store with these rules"
      )
    case .otherIdentity(let entity, let given, let stored):
      (
        .identityDiffers,
        "entity '\(entity.escapingControls)': identities have \(given) in what is written, \(stored) in the store; "
          + "nothing has been stored",
        "synclog rules set --key reads records as the stored ones are"
      )
    case .rulesTooLong:
      (.invalidProfile, "the rules are longer than 64 KiB, which is all that a peer can be told", nil)
    case .clockRefused(let key):
      (
        .clockRefused,
        "\(key): the clock is further ahead of now than is allowed; nothing has been stored",
        "put the clock right, or lift the limit with --max-drift off"
      )
    case .emptySnapshot:
      (
        .missingEntity,
        "the snapshot is empty and the store has more than one entity; nothing has been deleted",
        "--entity-name says of which entity it is"
      )
    case .delta(0, let missing):
      (
        .notASnapshot,
        "a checkpoint line, as a page of changes has, and \(missing) records would be deleted as they are missing; "
          + "nothing has been stored",
        "synclog apply stores a page of changes; a snapshot has all records, and no checkpoint line"
      )
    case .delta(let deletions, let missing):
      (
        .notASnapshot,
        "\(deletions) delete line\(deletions == 1 ? "" : "s"), as in a delta, and \(missing) more record\(missing == 1 ? "" : "s") would be deleted as missing; "
          + "nothing has been stored",
        "synclog put stores the changes of a delta; if SNAPSHOT has all records, 'lwwmerge --drop-tombstones SNAPSHOT' "
          + "leaves out its delete lines"
      )
    case .outOfScope:
      (.otherEntity, "a record of the snapshot is of another entity than it is said to be of", nil)
    case .unknownPeer(let name):
      (.unknownPeer, "no peer '\(name)'", "synclog peers lists those that are known")
    case .ambiguousPeer(let name):
      (.unknownPeer, "'\(name)' is the beginning of several peers", "give more of it")
    default: nil
    }
  }
}
