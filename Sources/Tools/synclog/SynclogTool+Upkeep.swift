import CommandLine
import CommonInputs
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  struct CompactSettings: CompactConfigurable {
    var store = StoreSettings()
    var retireAfter = defaultRetirement
  }

  struct PruneSettings: StoreConfigurable {
    var store = StoreSettings()
    var before: Instant?
    var only: String?
  }

  static let compact = Command(
    "compact", "remove deletions that every peer has",
    discussion: [
      "Tokens older than a removed deletion expire. compact ignores a peer without contact for "
        + "--retire-after. It writes the count as one object. A record written again later gets a clock "
        + "after that of its removed deletion. compact cannot guarantee this for deletions with clocks "
        + "further ahead than --max-drift allows; it reports them."
    ],
    settings: CompactSettings(),
    options: [Option.retireAfter] + Option.storePlace + Option.present + Option.drift,
    statuses: stored, examples: [.init("Compact once a month:", "synclog compact")], run: runCompact)

  static let stat = Command(
    "stat", "count the stored records", settings: PlainSettings(), options: Option.storePlace,
    statuses: asked,
    examples: [.init("Count the records:", "synclog stat | jq .records")], run: runStat)

  static let verify = Command(
    "verify", "check a store for damage",
    discussion: [
      "verify checks the database and its indexes, the checksum, key and sequence of every row, and the "
        + "counts. It also finds clocks further ahead than --max-drift allows. The exit status is 65 if a "
        + "check fails."
    ],
    settings: PlainSettings(), options: Option.storePlace + Option.present + Option.drift, statuses: asked,
    examples: [.init("Check a store on an old disk:", "synclog verify")], run: runVerify)

  static let prune = Command(
    "prune", "drop old records",
    discussion: [
      "prune drops records with a clock before TIME, of the entity given with --only or of all append-only "
        + "entities of the store's profile. It does not make tombstones. From then on, the store refuses "
        + "such records. prune leaves existing tombstones to compact. TIME must be in the past, because a "
        + "prune cannot be undone. prune writes the count as one object.",
      "If one of the entities is bound to an app's file or table, prune does not drop records. The app still "
        + "has them, and the next run would store them again as new edits. Remove the records in the app, or "
        + "end the binding first.",
    ],
    settings: PruneSettings(),
    options: [
      .value("before", "Drop records with a clock before TIME.") { $0.before = $1 },
      .value("only", named: "NAME", "Drop only the records of this entity.", completion: .entities) {
        $0.only = $1
      },
    ] + Option.storePlace + Option.present + Option.maxDelete,
    statuses: stored,
    examples: [
      .init(
        "Keep the completions since 2025:",
        "synclog prune --only CompletionEvent --before 2025-01-01T00:00:00Z")
    ],
    run: runPrune)

  private static func runCompact(_ settings: CompactSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console) { store in
      let (bounds, now) = (settings.store, settings.store.present)
      let done = try store.write {
        try store.compact(retireAfter: settings.retireAfter, now: now, drift: bounds.maxDrift.duration)
      }
      try console.write(removed: done.removed, ahead: done.ahead)
      return .done
    }
  }

  private static func runStat(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      try Descriptor.standardOutput.write(line: store.statistics())
      return .done
    }
  }

  private static func runVerify(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      var faults = 0
      try store.verify(store.rules() ?? RecordShape()) { fault in
        faults += 1
        console.report(Diagnostic(.storeCorrupt, fault, file: settings.store.path))
      }
      let ahead =
        try settings.store.drift.latest.map { latest in try store.read { try store.changes(ahead: latest) } }
        ?? []
      try Descriptor.standardOutput.write(
        line: ["faults": .integer(faults), "ahead": .integer(ahead.count)])
      if let diagnostic = Diagnostic(ahead: ahead, store: settings.store.path) { console.report(diagnostic) }
      return faults == 0 && ahead.isEmpty ? .done : .badData
    }
  }

  private static func runPrune(_ settings: PruneSettings, on console: Console) throws -> ExitStatus {
    let before = try settings.store.past(settings.before)
    return try withStore(settings.store, console) { store in
      guard let removed = try store.prune(settings.only, before: before, settings.store.maxDelete) else {
        throw UsageError.conflict("prune needs --only: no entity of the store is append-only")
      }
      try Descriptor.standardOutput.write(line: ["removed": .integer(removed)])
      return .done
    }
  }
}
