import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO

extension SynclogTool {
  static let since = Command(
    "since", "write what has changed after a token",
    discussion: [
      "Writes the newest change of each key that has changed after TOKEN, in the order in which they arrived, and "
        + "a checkpoint line with the token to ask with next time. Without TOKEN, or with an empty one, it writes "
        + "all changes."
    ],
    settings: Settings(),
    options: [
      .value("limit", "Write at most so many changes; the checkpoint says where to go on.") { $0.limit = $1 },
      .value("max-bytes", "Write at most so many bytes of changes, at least one change.") {
        $0.maxBytes = $1
      },
      .value(
        "for", named: "PEER", "Leave out what came from this peer, unless all changes are asked for."
      ) { $0.peer = $1 },
    ] + place,
    operands: Operands("[TOKEN]", count: 0...1) { $1.operands = $0 }, statuses: asked,
    examples: [.init("All changes, and the token of the present:", "synclog since > all")],
    run: runSince)

  private static let only: [Option<Settings>] = [
    .value("only", named: "NAME", "Only the records of this entity.") { $0.only = $1 }
  ]

  static let dump = Command(
    "dump", "write the records",
    discussion: [
      "Each record as it was put in, if record would take that for the same record; else as a change line, of which "
        + "the number is told. In a store with several entities, records that do not name theirs need --only, or "
        + "--changes. In the order of the keys, without what is deleted.",
      "A damaged row is left out and reported; the status is 65 then. With --baseline it ends the run.",
    ],
    settings: Settings(),
    options: [
      .flag("changes", "Write change lines, deletions too.") { $0.changes = true },
      .flag(
        "baseline",
        "Take what is written as the baseline of the next record: for an app that reads all of it."
      ) { $0.baseline = true },
    ] + only + place,
    statuses: asked,
    examples: [.init("Hand all records to an app:", "synclog dump --baseline > tasks.jsonl")],
    run: runDump)

  static let get = Command(
    "get", "write one record",
    discussion: [
      "ID is the text of the id, a number, or a whole identity object. The record is written as by dump. Status 1 if "
        + "there is none, or it is deleted."
    ],
    settings: Settings(),
    options: [.flag("changes", "Write the change line, a deletion too.") { $0.changes = true }] + only
      + place,
    operands: Operands("ID", count: 1...1) { $1.operands = $0 }, statuses: asked,
    examples: [.init("What is known of record 2:", "synclog get 2")],
    run: runGet)

  private static func runSince(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try withStore(settings) { store in
      let text = settings.operands.first ?? ""
      let token = StoreToken(text)
      if token == nil, !text.isEmpty { throw StoreError.invalidToken }
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

  private static func runDump(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try withStore(settings, takingOlder: !settings.baseline) { store in
      var output = try RecordOutput(store, settings)
      var status = ExitStatus.done
      try store.forEachLine(
        of: settings.only, tombstones: settings.changes, isBaseline: settings.baseline,
        leavingOut: settings.baseline
          ? nil : { status = console.report(Diagnostic(.corrupt($0), store: settings.storePath)) }
      ) { line, key in
        try output.write(line, key)
      } finish: {
        try output.flush()
      }
      output.tell(console)
      return status
    }
  }

  private static func runGet(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try withStore(settings, takingOlder: true) { store in
      let wanted = IdentityPattern(settings.operands[0], entity: settings.only)
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
          status = console.report(Diagnostic(error, store: settings.storePath))
        }
      }
      try output.flush()
      output.tell(console)
      let name = settings.operands[0].escapingControls
      if hasDeleted {
        console.note("'\(name)' is deleted; --changes writes the deletion")
      } else if status == .no {
        console.note("no record has the identity '\(name)'")
      }
      return status
    }
  }
}

/// Writes the records of a store as they were put in, or the change lines that the store has.
struct RecordOutput: ~Copyable {
  private var output = ByteOutput.standardOutput
  private var records: StoredRecords
  private let store: ChangeStore

  /// Lines of an earlier version are written as they are.
  init(_ store: ChangeStore, _ settings: SynclogTool.Settings) throws {
    self.store = store
    let writesChanges = settings.changes || store.isOlder
    records = try writesChanges ? StoredRecords(nil) : StoredRecords(store, entity: settings.only)
  }

  mutating func write(_ line: Span<UInt8>, _ key: Span<UInt8>) throws {
    try output.write(line.extracting(range(of: line, key)))
    try output.write(10)
  }

  mutating func flush() throws { try output.flush() }

  /// Says what was written in another way than was asked for.
  func tell(_ console: Console) {
    if store.isOlder {
      console.note("\(store.path): written by an earlier version; the lines are as it has them")
    }
    if records.wrapped > 0 {
      console.note(
        "written as change lines, as they would not be the same records without: \(records.wrapped)")
    }
  }

  private mutating func range(of line: Span<UInt8>, _ key: Span<UInt8>) throws -> Range<Int> {
    do throws(ChangeError) {
      return try records.range(of: line, key)
    } catch {
      throw Diagnostic(
        .missingEntity, "records of several entities do not name theirs", file: store.path,
        hint: "--only NAME writes those of one, and --changes writes change lines")
    }
  }
}
