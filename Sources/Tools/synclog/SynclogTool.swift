import ChangeFiles
import CommandLineTool
import History
import StoreFiles
import SyncCore
import SystemIO

/// The command line of `synclog`.
enum SynclogTool {
  struct Settings: BadLineConfigurable, RecordConfigurable, ReadingConfigurable {
    var records = RecordSettings()
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var dialogue = DialogueChoices()
    var store: FilePath?
    var wait = Duration.seconds(10)
    var now: Instant?
    var operands: [String] = []
    // Of what writes.
    var maxDrift = OptionalDuration(.seconds(300))
    var maxDelete = DeleteLimit.usual
    var from = ""
    // Of what reads.
    var peer = ""
    var entity = ""
    var limit: PositiveCount?
    var maxBytes: ByteSize?
    var tombstones = false
    var baseline = false
    // Of upkeep.
    var retireAfter = Duration.seconds(90 * 86_400)
    var before: Instant?

    var inputs: [String] { operands.isEmpty ? ["-"] : operands }
    var present: Instant { now ?? .wallClock }
    var drift: DriftGuard { DriftGuard(now: present, maximum: maxDrift.duration) }
    var storePath: String { store?.path ?? Places.state("store.db") }
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
      record, put, since, apply, dump, get, checkpoint, peers, compact, quarantine, stat, verify, backup,
      prune, request, respond,
    ])

  static let place: [Option<Settings>] = [
    .value("store", "The file that the store is in.") { $0.store = $1 },
    .value("wait", "How long to wait for another process that writes; the default is 10s.") { $0.wait = $1 },
  ]

  static let present: [Option<Settings>] = [
    .value("now", "The present, in place of the clock.") { $0.now = $1 }
  ]

  static let drift: [Option<Settings>] = [
    .value(
      "max-drift", "How far ahead of now a clock may be; the default is 5m, and off lets all through."
    ) { $0.maxDrift = $1 }
  ]

  static let maxDelete: [Option<Settings>] = [
    .value(
      "max-delete",
      "Refuse a run that deletes more live records: a number, a share such as 20%, or off. The default is the "
        + "larger of 100 and 20%."
    ) { $0.maxDelete = $1 }
  ]

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
    _ settings: Settings, creating: Bool = false, _ body: (ChangeStore) throws -> ExitStatus
  ) throws -> ExitStatus {
    let path = settings.storePath
    do {
      return try body(try ChangeStore(path, creating: creating, wait: settings.wait))
    } catch let error as StoreError {
      throw Diagnostic(error, store: path)
    }
  }

  /// The state after a run that may have left changes in quarantine.
  static func report(_ quarantined: Int, _ settings: Settings, _ console: Console) -> ExitStatus {
    guard quarantined > 0 else { return .done }
    return console.report(
      Diagnostic(
        .quarantined, "changes in quarantine: \(quarantined)", file: settings.storePath,
        hint: "synclog quarantine list shows them"))
  }
}
