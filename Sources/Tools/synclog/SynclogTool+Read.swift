import CommandLineTool
import History
import JSONLines
import StoreFiles
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

  static let dump = Command(
    "dump", "write the newest line of every record",
    discussion: [
      "In the order of the keys, byte for byte. What is deleted is left out. So is a damaged row, which is reported; "
        + "the status is 65 then. With --baseline it ends the run."
    ],
    settings: Settings(),
    options: [
      .flag("tombstones", "Write deletions too.") { $0.tombstones = true },
      .flag(
        "baseline",
        "Take what is written as the baseline of the next record: for an app that reads all of it."
      ) { $0.baseline = true },
    ] + place,
    statuses: asked,
    examples: [.init("Hand all records to an app:", "synclog dump --baseline > tasks.jsonl")],
    run: runDump)

  static let get = Command(
    "get", "write the newest line of one record",
    discussion: [
      "ID is the text of the id, a number, or a whole identity object. The line may be a tombstone. Status 1 where "
        + "there is none."
    ],
    settings: Settings(),
    options: [
      .value("entity-name", named: "NAME", "Only of this entity.") { $0.entity = $1 }
    ] + place,
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
      let end = try store.changes(after: token, for: asker, limits: limits) { line in
        try output.write(line)
        try output.write(10)
      }
      try output.write(Array("{\"newTokenData\":\"\(end.token.text)\"}\n".utf8))
      try output.flush()
      return .done
    }
  }

  private static func runDump(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try withStore(settings) { store in
      var output = ByteOutput.standardOutput
      var status = ExitStatus.done
      try store.forEachLine(
        tombstones: settings.tombstones, isBaseline: settings.baseline,
        leavingOut: settings.baseline
          ? nil : { status = console.report(Diagnostic(.corrupt($0), store: settings.storePath)) }
      ) { line in
        try output.write(line)
        try output.write(10)
      } finish: {
        try output.flush()
      }
      return status
    }
  }

  private static func runGet(_ settings: Settings, on console: Console) throws -> ExitStatus {
    try withStore(settings) { store in
      let wanted = IdentityPattern(settings.operands[0], entity: settings.entity)
      var keys: [[UInt8]] = []
      try store.forEachKey { span in
        var key: [UInt8] = []
        key.append(span)
        if wanted.matches(key[...]) { keys.append(key) }
      }
      var output = ByteOutput.standardOutput
      var status = ExitStatus.done
      for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        do {
          if let line = try store.line(of: key.span) { try output.write(line + [10]) }
        } catch let error as StoreError {
          guard case .corrupt = error else { throw error }
          status = console.report(Diagnostic(error, store: settings.storePath))
        }
      }
      try output.flush()
      if keys.isEmpty { console.note("no record has the identity '\(settings.operands[0])'") }
      return keys.isEmpty ? .no : status
    }
  }
}
