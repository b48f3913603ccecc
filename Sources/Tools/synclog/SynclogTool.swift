import JSONLines
import CommandLine
import Store
import SyncCore
import SystemIO
import ToolInputs

/// The command line of `synclog`.
enum SynclogTool {
  struct Settings: BadLineConfigurable, RecordConfigurable, ReadingConfigurable, StoreConfigurable {
    var records = RecordSettings()
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var dialogue = DialogueChoices()
    var store = StoreSettings()
    var operands: [String] = []
    // Of what writes.
    var from = ""
    // Of what reads.
    var peer = ""
    var only: String?
    var limit: PositiveCount?
    var maxBytes: ByteSize?
    var changes = false
    var baseline = false
    // Of upkeep.
    var retireAfter = Duration.seconds(90 * 86_400)
    var before: Instant?
    var ahead = false
    var sent = false

    var inputs: [String] { operands.isEmpty ? ["-"] : operands }
    var present: Instant { store.present }
    var drift: DriftGuard { store.drift }
    var maxDelete: DeleteLimit { store.maxDelete }
    var storePath: String { store.path }
    var bounds: WriteBounds { WriteBounds(now: present, drift: drift, maxDelete: maxDelete) }
  }

  static let command = Command(
    "synclog", "keep the newest change of every record, and tell what is new",
    discussion: [
      "A store holds the newest change of every key, byte for byte, where it came from, and the order in which "
        + "changes arrived. since tells what has changed after a token, at a cost that follows the changes and not "
        + "the records. It is one SQLite file; what a command has stored is stored, whatever ends it.",
      "record and put store what was changed here, apply what comes from a peer; request and respond bring two "
        + "stores together. A store that is not named is store.db below PEERSYNC_HOME, else in peersync below "
        + "XDG_STATE_HOME.",
    ],
    subcommands: [
      initialize, record, put, since, apply, dump, get, checkpoint, peers, compact, quarantine, stat, verify,
      backup, prune, reclock, rules, request, respond,
    ])

  static let place = Option<Settings>.storePlace
  static let present = Option<Settings>.present
  static let drift = Option<Settings>.drift
  static let maxDelete = Option<Settings>.maxDelete

  static let asked: [ExitStatus] = [
    .no, .badData, .noInput, .inputOutput, .tryAgain, .refused, .configuration,
  ]
  static let stored: [ExitStatus] = [
    .badData, .noInput, .cannotCreate, .inputOutput, .tryAgain, .refused, .configuration,
  ]
}

extension SynclogTool {
  /// Runs a body with the store; what goes wrong with the store becomes a diagnostic about its file.
  static func withStore(
    _ settings: Settings, creating: Bool = false, takingOlder: Bool = false,
    _ body: (ChangeStore) throws -> ExitStatus
  ) throws -> ExitStatus {
    try Diagnostic.naming(store: settings.storePath) {
      try body(
        try ChangeStore(
          settings.storePath, creating: creating, wait: settings.store.wait, takingOlder: takingOlder))
    }
  }

  /// Runs a body with the store that lines are to be read for.
  static func withRules(
    _ settings: Settings, _ body: (RuledStore) throws -> ExitStatus
  ) throws -> ExitStatus {
    let choice = try settings.records.choice()
    return try Diagnostic.naming(store: settings.storePath) {
      try body(try RuledStore(settings.storePath, wait: settings.store.wait, choice))
    }
  }

  /// The state after a run that may have left changes in quarantine.
  static func report(_ quarantined: Int, _ settings: Settings, _ console: Console) -> ExitStatus {
    Diagnostic(quarantined: quarantined, store: settings.storePath).map { console.report($0) } ?? .done
  }
}
