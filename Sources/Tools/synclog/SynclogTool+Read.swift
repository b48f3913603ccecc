import CoreInputs
import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import ToolInputs

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
    "since", "write what has changed after a token",
    discussion: [
      "Writes the newest change of each key that has changed after TOKEN, in the order in which they arrived, and "
        + "a checkpoint line with the token to ask with next time. Without TOKEN, or with an empty one, it writes "
        + "all changes."
    ],
    settings: SinceSettings(),
    options: [
      .value("limit", "Write at most so many changes; the checkpoint says where to go on.") { $0.limit = $1 },
      .value("max-bytes", "Write at most so many bytes of changes, at least one change.") {
        $0.maxBytes = $1
      },
      .value(
        "for", named: "PEER", "Leave out what came from this peer, unless all changes are asked for.",
        completion: .stores
      ) { $0.peer = $1 },
    ] + Option.storePlace,
    operands: Operands("[TOKEN]", count: 0...1, completion: .nothing) { $1.token = $0.first ?? "" },
    statuses: asked,
    examples: [.init("All changes, and the token of the present:", "synclog since > all")],
    run: runSince)

  static let pending = Command(
    "pending", "write the changes that a peer does not have",
    discussion: [
      "Those that were made here, or came from others, and that the peer has not acknowledged, in the order in which "
        + "they arrived. PEER is an id or the beginning of one, of at least 4 characters; status 66 where it is not "
        + "known, as it lacks everything then."
    ],
    settings: NamedSettings(), options: Option.storePlace,
    operands: Operands("PEER", count: 1...1, completion: .stores) { $1.name = $0[0] }, statuses: asked,
    examples: [.init("How many changes wait for the phone:", "synclog pending phone | wc -l")],
    run: runPending)

  static let dump = Command(
    "dump", "write the records",
    discussion: [
      "Each record as it was put in, if record would take that for the same record; else as a change line, of which "
        + "the number is told. In a store with several entities, records that do not name theirs need --only, or "
        + "--changes. In the order of the keys, without what is deleted.",
      "A damaged row is left out and reported; the status is 65 then. With --baseline it ends the run.",
    ],
    settings: DumpSettings(),
    options: [
      .flag("changes", "Write change lines, deletions too.") { $0.changes = true },
      .flag(
        "baseline",
        "Take what is written as the baseline of the next record: for an app that reads all of it."
      ) { $0.baseline = true },
    ] + Option.only + Option.storePlace,
    statuses: asked,
    examples: [.init("Hand all records to an app:", "synclog dump --baseline > tasks.jsonl")],
    run: runDump)

  static let get = Command(
    "get", "write one record",
    discussion: [
      "ID is the text of the id, a number, or a whole identity object. The record is written as by dump. Status 1 if "
        + "there is none, or it is deleted."
    ],
    settings: GetSettings(),
    options: [.flag("changes", "Write the change line, a deletion too.") { $0.changes = true }]
      + Option.only + Option.storePlace,
    operands: Operands("ID", count: 1...1, completion: .nothing) { $1.id = $0[0] }, statuses: asked,
    examples: [.init("What is known of record 2:", "synclog get 2")],
    run: runGet)

  private static func runSince(_ settings: SinceSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console) { store in
      let token = StoreToken(settings.token)
      if token == nil, !settings.token.isEmpty { throw StoreError.invalidToken }
      let asker = settings.peer.isEmpty ? nil : try store.knownPeer(orNil: settings.peer)
      var output = ByteOutput.standardOutput
      let limits = ChangeStore.PageLimits(lines: settings.limit?.value, bytes: settings.maxBytes?.bytes)
      let end = try store.changes(
        after: token, for: asker, leavingOutEcho: token?.isOfDifference ?? false, limits: limits
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
    try withStore(settings.store, console) { store in
      var output = ByteOutput.standardOutput
      try store.forEachPending(for: store.knownPeer(settings.name)) { line in
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
        console.note("no record has the identity '\(name)'")
      }
      return status
    }
  }
}
