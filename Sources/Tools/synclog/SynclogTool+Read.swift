import CommonInputs
import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  struct SinceSettings: StoreConfigurable {
    var store = StoreSettings()
    var token = ""
    var limit: PositiveCount?
    var maxBytes: ByteSize?
    var peer = ""
  }

  struct DumpSettings: RecordOutputConfigurable {
    var store = StoreSettings()
    var only: String?
    var changes = false
    var baseline = false
  }

  struct GetSettings: RecordOutputConfigurable {
    var store = StoreSettings()
    var only: String?
    var changes = false
    var id = ""
  }

  static let since = Command(
    "since", "write the changes after a token",
    discussion: [
      "since writes the newest change of each key changed after TOKEN, in order of arrival. Then it writes a "
        + "checkpoint line with the next TOKEN. Without TOKEN, or with an empty one, it writes all changes."
    ],
    settings: SinceSettings(),
    options: [
      .value("limit", "Write at most N changes; the next run can continue from the checkpoint.") {
        $0.limit = $1
      },
      .value("max-bytes", "Write changes up to SIZE in total, but at least one change.") {
        $0.maxBytes = $1
      },
      .value(
        "for", named: "PEER", "Leave out the changes from this peer, unless all changes are requested.",
        completion: .stores
      ) { $0.peer = $1 },
    ] + Option.storePlace,
    operands: Operands("[TOKEN]", count: 0...1, completion: .nothing) { $1.token = $0.first ?? "" },
    statuses: asked,
    examples: [.init("Write all changes, and the current token:", "synclog since > all")],
    run: runSince)

  static let pending = Command(
    "pending", "write the changes that a peer does not have",
    discussion: [
      "pending writes the changes, made here or by others, that the peer has not acknowledged, in order of "
        + "arrival. PEER is an id (at least its first 4 characters), or the name of a trusted device. If the "
        + "peer is unknown, the exit status is 66."
    ],
    settings: NamedSettings(), options: Option.storePlace,
    operands: Operands("PEER", count: 1...1, completion: .stores) { $1.name = $0[0] }, statuses: asked,
    examples: [.init("Count the changes that the phone lacks:", "synclog pending phone | wc -l")],
    run: runPending)

  static let dump = Command(
    "dump", "write the records",
    discussion: [
      "dump writes each record in its original form if 'synclog record' would read the same record from it. "
        + "Otherwise it writes a change line, and reports the number of such lines. If a store has several "
        + "entities, records that do not name their entity need --only or --changes. The output is in key "
        + "order, without deleted records.",
      "dump leaves out and reports a damaged row, and the exit status is 65. With --baseline, a damaged row "
        + "ends the run. dump --baseline refuses an entity bound to an app's file or table, because its "
        + "baseline is the content that peersync run read there. --only selects another entity.",
    ],
    settings: DumpSettings(),
    options: [
      .flag("changes", "Write change lines, including deletions.") { $0.changes = true },
      .flag(
        "baseline",
        "Use the output as the baseline of the next 'synclog record'. The app must read all of the output."
      ) { $0.baseline = true },
    ] + Option.only + Option.storePlace,
    statuses: asked,
    examples: [.init("Give all records to an app:", "synclog dump --baseline > tasks.jsonl")],
    run: runDump)

  static let get = Command(
    "get", "write one record",
    discussion: [
      "ID is the text of the id, a number, or a whole identity object. get writes the record as dump does. "
        + "The exit status is 1 if the record does not exist or is deleted."
    ],
    settings: GetSettings(),
    options: [.flag("changes", "Write the change line, even if it is a deletion.") { $0.changes = true }]
      + Option.only + Option.storePlace,
    operands: Operands("ID", count: 1...1, completion: .nothing) { $1.id = $0[0] }, statuses: asked,
    examples: [.init("Show record 2:", "synclog get 2")],
    run: runGet)

  private static func runSince(_ settings: SinceSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      let token = StoreToken(settings.token)
      if token == nil, !settings.token.isEmpty { throw StoreError.invalidToken }
      let requester =
        settings.peer.isEmpty
        ? nil
        : try store.id(ofPeerCalled: settings.peer).flatMap {
          try store.peer(known: $0)
        }
      var output = ByteOutput.standardOutput
      let limits = ChangeStore.PageLimits(lines: settings.limit?.value, bytes: settings.maxBytes?.bytes)
      let end = try store.changes(
        after: token, for: requester, leavingOutEcho: token?.isOfDifference ?? false, limits: limits
      ) { line in
        try output.write(line)
        try output.write(10)
      }
      try output.write(Array("{\"newTokenData\":\"\(end.token.text)\"}\n".utf8))
      try output.flush()
      return .done
    }
  }

  private static func runPending(_ settings: NamedSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      var output = ByteOutput.standardOutput
      try store.forEachPending(for: store.peer(called: settings.name)) { line in
        try output.write(line)
        try output.write(10)
      }
      try output.flush()
      return .done
    }
  }

  private static func runDump(_ settings: DumpSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, takingOlder: !settings.baseline) { store in
      var output = try RecordOutput(store, settings)
      var status = ExitStatus.done
      try store.forEachLine(
        of: settings.only, tombstones: settings.changes, isBaseline: settings.baseline,
        leavingOut: settings.baseline
          ? nil : { status = console.report(Diagnostic(.corrupt($0), store: settings.store.path)) }
      ) { line, key in
        try output.write(line, key)
      } finish: {
        try output.flush()
      }
      output.tell(console)
      return status
    }
  }

  private static func runGet(_ settings: GetSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, takingOlder: true) { store in
      let wanted = IdentityPattern(settings.id, entity: settings.only)
      var keys: [[UInt8]] = []
      try store.forEachKey { span in
        var key: [UInt8] = []
        key.append(span)
        if wanted.matches(key[...]) { keys.append(key) }
      }
      var output = try RecordOutput(store, settings)
      var (status, hasDeleted) = (ExitStatus.no, false)
      for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        do {
          guard let row = try store.line(of: key.span) else { continue }
          if row.isTombstone, !settings.changes {
            hasDeleted = true
            continue
          }
          try output.write(row.line.span, key.span)
          if status == .no { status = .done }
        } catch let error as StoreError {
          guard case .corrupt = error else { throw error }
          status = console.report(Diagnostic(error, store: settings.store.path))
        }
      }
      try output.flush()
      output.tell(console)
      let name = settings.id.escapingControls
      if hasDeleted {
        console.note("'\(name)' is deleted; --changes writes the deletion")
      } else if status == .no {
        console.note("no record with the identity '\(name)'")
      }
      return status
    }
  }
}
