import CommandLine
import CommonInputs
import JSONLines
import Postgres
import Server
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Commands for the stores of households in files and databases; `synclog` has more commands, but only for
/// files.
extension SyncserveTool {
  struct UpkeepSettings: PlaceConfigurable, CompactConfigurable {
    var store = StoreSettings()
    var retireAfter = defaultRetirement
    /// How long clients of `/changes` that do not name their store can be offline.
    var deletionAge = Duration.seconds(400 * 86_400)
    var place: FilePath?
    var database = DatabaseSettings()
    var household: String?
    var names: [String] = []
    var target: FilePath?
    var takesBack = false
    var before: Instant?
    var only: String?
  }

  private static let householdName = Option<UpkeepSettings>.value(
    "household", named: "NAME",
    "Use only this household; required if the server has several. dump and backup also accept the name of a "
      + "removed household."
  ) { $0.household = $1 }

  static let status = Command(
    "status", "count the records of households",
    discussion: [
      "status prints one JSON line per household: its records, deletions, last sequence, peers and lines in "
        + "quarantine. The line of a household that is being moved has the member moving."
    ],
    settings: UpkeepSettings(), options: Option.place + [householdName],
    statuses: [.badData, .noInput, .inputOutput],
    examples: [.init("Print the number of records:", "syncserve status --store server/ | jq .records")],
    run: runStatus)

  static let dump = Command(
    "dump", "write the change lines of a household",
    discussion: [
      "dump prints change lines in the order of the keys, deletions included, as 'synclog apply' reads them. "
        + "For plain records, make a backup and use 'synclog dump'."
    ],
    settings: UpkeepSettings(), options: Option.place + [householdName],
    statuses: [.badData, .noInput, .inputOutput],
    examples: [.init("Look at the changes:", "syncserve dump --household home --store server/ > home.jsonl")],
    run: runDump)

  static let backup = Command(
    "backup", "copy the store of a household into a file",
    discussion: [
      "The copy is consistent even if others write meanwhile, and synclog can read it. If a household is "
        + "restored from the copy, devices notice this and send the missing records. FILE must not exist "
        + "yet, nor FILE-wal, FILE-shm or FILE-journal, which belong to another database."
    ],
    settings: UpkeepSettings(), options: Option.place + [householdName],
    operands: Operands("FILE", count: 1...1) { $1.target = FilePath(argument: $0[0]) },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Make a backup:", "syncserve backup --household home --store server/ home-backup.db")
    ],
    run: runBackup)

  static let prune = Command(
    "prune", "drop old records of a household",
    discussion: [
      "prune drops records with a clock before TIME, of the entity given with --only or of all append-only "
        + "entities of the household's profile. From then on, the household refuses such records. TIME must "
        + "be in the past, because a prune cannot be undone. prune writes the count as one object."
    ],
    settings: UpkeepSettings(),
    options: Option.place + [
      householdName,
      .value("before", "Drop the records before TIME.") { $0.before = $1 },
      .value("only", named: "NAME", "Drop only the records of this entity.") { $0.only = $1 },
    ] + Option.present + Option.maxDelete,
    statuses: [.badData, .noInput, .inputOutput, .tryAgain, .refused],
    examples: [
      .init(
        "Keep the completions since 2025:",
        "syncserve prune --household home --store server/ --only CompletionEvent --before 2025-01-01T00:00:00Z > pruned.json"
      )
    ],
    run: runPrune)

  static let compact = Command(
    "compact", "remove deletions of a household that every device has",
    discussion: [
      "Tokens older than a removed deletion expire. compact ignores a device without contact for "
        + "--retire-after. Clients of /changes without the header Peersync-Store do not confirm their reads, "
        + "so compact keeps every deletion for --keep-deletions. It writes the count as one object."
    ],
    settings: UpkeepSettings(),
    options: Option.place + [
      householdName, Option.retireAfter,
      .value(
        "keep-deletions",
        "Keep each deletion for this long after it was stored (default: 400d). Use 0s if every client sends "
          + "Peersync-Store."
      ) { $0.deletionAge = $1 },
    ] + Option.drift,
    statuses: [.badData, .noInput, .inputOutput, .tryAgain],
    examples: [
      .init("Compact monthly:", "syncserve compact --household home --store server/ > compacted.json")
    ],
    run: runCompact)

  static let move = Command(
    "move", "move households to another place",
    discussion: [
      "The command moves all households, or the named ones, between files and a database, or from one folder "
        + "to another. Each household keeps its id, and devices continue from their checkpoints. It does not "
        + "move the keys: give their folder to 'syncserve run' with --keys. A removed household is moved "
        + "only if you give the name that 'household remove' printed.",
      "The command first closes each household for writing, then copies it as a whole. It renames the old "
        + "store to NAME.moved-TIME. If the command is interrupted, the household stays closed. Run the "
        + "command again to finish, or with --cancel to open the household in the old place. A server with "
        + "the old place refuses requests for moved households; restart it with the new place.",
    ],
    settings: UpkeepSettings(),
    options: Option.place + [
      .value("to", "Move to this file, folder or postgresql://…, as for --store.") { $0.target = $1 },
      .flag("cancel", "Undo interrupted moves, unless the new place already has the household.") {
        $0.takesBack = true
      },
    ],
    operands: Operands("NAME", count: 0...Int.max, completion: .nothing) { $1.names = Array($0) },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .tryAgain],
    examples: [
      .init(
        "Move to another folder:",
        "syncserve move --store server/ --to other/ > moved.jsonl")
    ],
    run: runMove)

  // MARK: Runs

  /// The selected household, and its store.
  private static func withStore(
    _ settings: UpkeepSettings, onlyRead: Bool = false, _ body: (ChangeStore) throws -> Void
  ) throws -> ExitStatus {
    let households = try settings.households()
    try settings.requirePlace(households)
    let names = try settings.names(of: households)
    guard let wanted = settings.household ?? (names.count == 1 ? names[0] : nil) else {
      throw UsageError.conflict("--household is required: the server has \(names.count) households")
    }
    let (name, label) = try household(wanted, in: households.places)
    try Diagnostic.naming(store: label) {
      guard try households.exists(name) else { throw try missing(name, households, settings.place?.path) }
      try body(households.open(name, onlyRead: onlyRead))
    }
    return .done
  }

  private static func runStatus(_ settings: UpkeepSettings, on console: Console) throws -> ExitStatus {
    let households = try settings.households()
    try settings.requirePlace(households)
    let (names, moving) = (try settings.names(of: households), try settings.movingNames(of: households))
    if let wanted = settings.household, !(names + moving).contains(wanted) {
      throw try missing(wanted, households, settings.place?.path)
    }
    let all = names.map { ($0, $0) } + moving.map { ($0, $0 + ChangeStore.movingEnd) }
    var round = HouseholdRound(on: console)
    for (name, place) in all where settings.household ?? name == name {
      try round.visit(households.places.label(of: place)) {
        guard try households.exists(place) else { throw unfinished(place, households, settings.place?.path) }
        let store = try households.open(place, onlyRead: true)
        var members = try store.statistics().objectValue ?? []
        if try place != name || store.isFenced { members.insert(.init("moving", .bool(true)), at: 0) }
        try Descriptor.standardOutput.write(line: .object([.init("household", .string(name))] + members))
      }
    }
    return round.status
  }

  private static func runDump(_ settings: UpkeepSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings, onlyRead: true) { store in
      var output = ByteOutput.standardOutput
      try store.forEachLine(tombstones: true, isBaseline: false) { line, _ in
        try output.write(line)
        try output.write(10)
      } finish: {
      }
      try output.flush()
    }
  }

  private static func runBackup(_ settings: UpkeepSettings, on console: Console) throws -> ExitStatus {
    let target = settings.target?.path ?? ""
    guard !FileMode.exists(target) else {
      throw Diagnostic(.cannotCreate, "the file already exists", file: target, hint: "give another name")
    }
    try ChangeStore.refuseDatabase(target)
    return try withStore(settings, onlyRead: true) { store in
      // A killed run may have left an incomplete copy.
      AtomicFile.removeLeftovers(of: target)
      let file = try AtomicFile(creating: target, mode: 0o600, isNamed: true)
      guard let place = file.temporary else { throw UsageError.conflict("'\(target)' is not a regular file") }
      try store.backup(to: place)
      try file.commit()
    }
  }

  private static func runPrune(_ settings: UpkeepSettings, on console: Console) throws -> ExitStatus {
    let before = try settings.store.past(settings.before)
    return try withStore(settings) { store in
      let removed = try store.prune(settings.only, before: before, settings.store.maxDelete)
      guard let removed else {
        throw UsageError.conflict("prune needs --only: no entity of the store is append-only")
      }
      try Descriptor.standardOutput.write(line: ["removed": .integer(removed)])
    }
  }

  private static func runCompact(_ settings: UpkeepSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings) { store in
      let (bounds, now) = (settings.store, settings.store.present)
      let done = try store.write {
        try store.compact(
          retireAfter: settings.retireAfter, keepingFor: settings.deletionAge, now: now,
          drift: bounds.maxDrift.duration)
      }
      try console.write(removed: done.removed, ahead: done.ahead)
    }
  }

  private static func runMove(_ settings: UpkeepSettings, on console: Console) throws -> ExitStatus {
    guard let target = settings.target else { throw UsageError.conflict("move needs --to") }
    let places = try placesOfMove(settings, target)
    let (source, new) = (
      Households(places.source, wait: settings.store.wait),
      Households(places.target, wait: settings.store.wait)
    )
    try settings.requirePlace(source)
    let move = HouseholdMove(from: source, to: new)
    let names =
      try !settings.names.isEmpty
      ? settings.names : settings.takesBack ? move.interruptedNames() : move.names()
    for name in names {
      guard try settings.takesBack ? move.isInterrupted(name) : move.has(name) else {
        throw try missing(name, source, settings.place?.path)
      }
    }
    for name in names {
      let store = try settings.takesBack ? move.cancel(name) : move.move(name, at: settings.store.present)
      let live = try Diagnostic.naming(store: store.path) { try store.read { store.live } }
      let records = JSONMember("records", .integer(live))
      try Descriptor.standardOutput.write(line: line(HouseholdPlaces.base(of: name), store.path, [records]))
    }
    return .done
  }

  /// The source and the target; the password is used for both if both are databases.
  private static func placesOfMove(
    _ settings: UpkeepSettings, _ target: FilePath
  ) throws -> (source: HouseholdPlaces, target: HouseholdPlaces) {
    guard let store = settings.place else {
      // Reports that the option is required.
      return (try settings.places(), HouseholdPlaces(target.path))
    }
    guard target.path != store.path else { throw UsageError.conflict("--store and --to name the same place") }
    let areDatabases = [store, target].map { PostgresAddress.isURL($0.path) }
    if settings.database.password != nil, !areDatabases.contains(true) {
      throw UsageError.conflict("'--password-file' is for a database, and --store and --to name files")
    }
    // The password is read once, because its file may be a pipe.
    let password = try areDatabases.contains(true) ? settings.password() : nil
    func place(_ path: FilePath) throws -> HouseholdPlaces {
      guard PostgresAddress.isURL(path.path) else {
        try UpkeepSettings.refuseLikeness(path)
        return HouseholdPlaces(path.path)
      }
      return .database(try PostgresAddress(path.path, password: password))
    }
    return (try place(store), try place(target))
  }
}
