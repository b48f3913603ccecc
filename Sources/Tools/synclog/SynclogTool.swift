import CommandLine
import CommonInputs
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

/// The command line of `synclog`.
enum SynclogTool {
  /// The settings of commands that need only the store and the current time.
  struct PlainSettings: StoreConfigurable, ListingConfigurable {
    var store = StoreSettings()
    var listing = ListingSettings()
  }

  /// The settings of commands that need one more value: a peer or a file.
  struct NamedSettings: StoreConfigurable {
    var store = StoreSettings()
    var name = ""
  }

  /// The settings of commands that need the numbers of changes, as a list prints them.
  struct NumberedSettings: StoreConfigurable {
    var store = StoreSettings()
    var words: [String] = []

    func numbers() throws(UsageError) -> [Int64] {
      var numbers: [Int64] = []
      for word in words {
        guard let number = Int64(word) else { throw .conflict("'\(word)' is not a number") }
        if !numbers.contains(number) { numbers.append(number) }
      }
      return numbers
    }
  }

  static let changeNumbers = Operands<NumberedSettings>("NUMBER...", count: 1...Int.max, completion: .nothing)
  {
    $1.words = $0
  }

  static let command = Command(
    "synclog", "store the newest change of every record, and write new changes",
    discussion: [
      "A store is one SQLite file. It has the newest change of every key, byte for byte, the origin of each "
        + "change, and the order of arrival. since writes the changes after a token. Its cost depends on the "
        + "number of changes, not of records. Stored data survives if a command is interrupted.",
      "record and put store local changes, apply stores a peer's changes, and request and respond sync two "
        + "stores. The default store is store.db below PEERSYNC_HOME, else in peersync below XDG_STATE_HOME.",
    ],
    subcommands: [
      initialize, record, put, since, pending, apply, dump, get, log, checkpoint, peers, conflicts,
      quarantine, stat, verify, compact, prune, backup, restore, reclock, rules, request, respond,
    ])

  static let asked: [ExitStatus] = [
    .no, .badData, .noInput, .inputOutput, .tryAgain, .refused, .configuration,
  ]
  static let stored: [ExitStatus] = [
    .badData, .noInput, .cannotCreate, .inputOutput, .tryAgain, .refused, .configuration,
  ]
}

extension StoreSettings {
  var bounds: WriteBounds {
    WriteBounds(
      now: present, isGiven: now != nil, drift: drift, maxDelete: maxDelete,
      conflictAge: keepConflicts.duration)
  }
}

extension SynclogTool {
  /// Runs a body with the store; errors of the store become diagnostics about its file.
  static func withStore(
    _ settings: StoreSettings, _ console: Console, creating: Bool = false, onlyRead: Bool = false,
    takingOlder: Bool = false, replacingLost: Bool = false, _ body: (ChangeStore) throws -> ExitStatus
  ) throws -> ExitStatus {
    console.warn(openFolderOf: settings.path)
    if creating, !replacingLost { try ChangeStore.requireNoLoss(of: settings.path) }
    return try Diagnostic.naming(store: settings.path) {
      let store = try ChangeStore(
        settings.path, creating: creating, wait: settings.wait, onlyRead: onlyRead, takingOlder: takingOlder)
      settings.bounds.tell(store)
      return try body(store)
    }
  }

  /// Runs a body with the store and the rules by which lines are read.
  static func withRules(
    _ settings: StoreSettings, _ records: RecordSettings, _ console: Console, replacingLost: Bool = false,
    _ body: (RuledStore) throws -> ExitStatus
  ) throws -> ExitStatus {
    console.warn(openFolderOf: settings.path)
    if !replacingLost { try ChangeStore.requireNoLoss(of: settings.path) }
    let choice = try records.choice()
    return try Diagnostic.naming(store: settings.path) {
      try body(try RuledStore(settings.path, wait: settings.wait, choice))
    }
  }

  /// Reports the state after a run that may have left changes in quarantine.
  static func report(_ quarantined: Int, _ settings: StoreSettings, _ console: Console) -> ExitStatus {
    Diagnostic(quarantined: quarantined, store: settings.path).map { console.report($0) } ?? .done
  }
}
