import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import ToolInputs

extension SynclogTool {
  static let apply = Command(
    "apply", "store changes that come from a peer",
    discussion: [
      "In one transaction: of each key the newer change stays, and the token of the last checkpoint line becomes "
        + "the checkpoint for what is fetched next. A change that cannot be applied is kept in quarantine, and tried "
        + "again at every apply; as long as there are any, the status is 65. Writes the counts, one object.",
      "Text that is no JSON, or longer than a store takes, is a bad line. Where one was left out and not kept by --rejects, the checkpoint does "
        + "not move.",
    ],
    settings: Settings(),
    options: [
      .value("from", named: "PEER", "The id of the peer that the changes come from.") { $0.from = $1 }
    ] + place + present + drift + maxDelete + Option.records + Option.badLines + Option.reading,
    operands: Operands("[FILE...]", count: 0...Int.max) { $1.operands = $0 }, statuses: stored,
    examples: [
      .init(
        "Take over what another store has:", "synclog since --store phone.db | synclog apply --from phone")
    ],
    run: runApply)

  /// A line that is a change, but cannot be applied.
  fileprivate struct Aside {
    var line: [UInt8]
    var reason: String
  }

  private static func runApply(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard !settings.from.isEmpty else { throw UsageError.conflict("apply needs --from") }
    return try withRules(settings) { ruled in
      let shape = ruled.shape
      return try BadLines.collecting(settings, inputs: settings.operands, on: console) { badLines in
        var asides: [Aside] = []
        // Of the lines among themselves; the store counts those with what it has.
        var conflicts = Conflicts()
        let changes = try SortedChanges(
          reading: settings.inputs, shape, settings.reading, drift: settings.drift, use: .apply,
          condensing: Merge.representatives,
          aside: { line, reason in
            guard let aside = Aside(line, reason) else { return false }
            asides.append(aside)
            return true
          }, &badLines)
        console.note(changes.likelyClocks)
        let hasGaps = badLines.count > 0 && settings.badLines.rejects == nil
        let store = try ruled.open()
        let (counts, released) = try store.write {
          try ruled.settle(store)
          let live = store.live
          let retried = try store.retryQuarantine(shape, settings.drift)
          let peer = try store.peer(seen: settings.from, now: settings.present)
          var intake = try PeerIntake(store, from: peer, shape)
          try changes.forEachKey(KeyedLines()) { lines, reader, piece in
            piece.appendWinner(of: lines, &reader)
          } take: { piece in
            conflicts.add(piece.conflicts)
            try piece.forEach { try intake.take($0, $1, $2) }
          }
          try settings.maxDelete.check(retried.deletions + intake.counts.deletions, of: live)
          var reader = LineReader(shape)
          for aside in asides {
            var key: [UInt8] = []
            let change = try? reader.read(aside.line.span, key: &key)
            let clock = aside.reason == "clockAhead" ? change?.clock : nil
            try intake.keepAside(aside.line.span, key, aside.reason, until: clock, settings.present)
          }
          if let line = changes.lastCheckpoint, !hasGaps, let token = Self.token(line) {
            try store.setCheckpoint(peer, .outgoing, token, now: settings.present)
          }
          return (intake.counts, retried.released)
        }
        conflicts.add(counts.conflicts)
        try write(counts, released: released, conflicts: conflicts.count)
        console.note(conflicts)
        return report(try store.quarantineCount(), settings, console)
      }
    }
  }

  /// The token of a checkpoint line; nil where it is empty.
  private static func token(_ line: [UInt8]) -> String? {
    guard let value = try? JSONValue(parsing: line.span), let token = value["newTokenData"]?.stringValue,
      !token.isEmpty
    else { return nil }
    return token
  }

  private static func write(_ counts: PeerIntake.Counts, released: Int, conflicts: Int) throws {
    var members: [JSONMember] = [
      .init("taken", .integer(counts.taken)), .init("deletions", .integer(counts.deletions)),
      .init("same", .integer(counts.same)), .init("lost", .integer(counts.lost)),
      .init("refused", .integer(counts.refused)), .init("quarantined", .integer(counts.quarantined)),
      .init("released", .integer(released)),
    ]
    if conflicts > 0 { members.append(.init("conflicts", .integer(conflicts))) }
    try Descriptor.standardOutput.write(line: .object(members))
  }
}

extension SynclogTool.Aside {
  /// Nil for text that is no JSON, as there is no telling what it was to be, and for what is too long to be kept.
  fileprivate init?(_ text: Span<UInt8>, _ reason: BlockReader.Reason) {
    switch reason {
    case .error(.json), .error(.notAnObject), .excess(.length): return nil
    case .excess(.depth): self.reason = "nestingTooDeep"
    case .error(let error): self.reason = error.code.rawValue
    case .clockAhead: self.reason = "clockAhead"
    }
    line = []
    line.append(text)
  }
}
