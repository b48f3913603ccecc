import ChangeFiles
import CommandLineTool
import History
import JSONLines
import SyncCore
import SystemIO

extension SynclogTool {
  static let record = Command(
    "record", "store what has changed since the last record",
    discussion: [
      "Compares SNAPSHOT with the baseline, which is what the last record read or dump --baseline wrote, so that "
        + "what came from peers meanwhile is no difference. What is new or differs is stored with a clock later than "
        + "the baseline's; what is missing is stored as a deletion. Writes the counts, one object.",
      "A change that its rule lets lose against what came from a peer is reported as a conflict and not stored, and "
        + "so is one that is older than what has been pruned.",
    ],
    settings: Settings(),
    options: place + present + drift + maxDelete + Option.records + Option.badLines + Option.reading,
    operands: Operands("SNAPSHOT", count: 1...1) { $1.operands = $0 }, statuses: stored,
    examples: [
      .init("Record the tasks that an app has exported:", "synclog record --entity-name Task tasks.jsonl")
    ],
    run: runRecord)

  static let put = Command(
    "put", "store changes that were made here",
    discussion: [
      "Each line is stored with a clock later than that of what it replaces: its own, or now where it has none. "
        + "Writes the counts, one object. A line that loses by its rule, or is older than what has been pruned, is "
        + "reported as a conflict and not stored."
    ],
    settings: Settings(),
    options: place + present + drift + maxDelete + Option.records + Option.badLines + Option.reading,
    operands: Operands("[FILE...]", count: 0...Int.max) { $1.operands = $0 }, statuses: stored,
    examples: [
      .init("Store one change:", #"echo '{"id":"7","entity":"Task","title":"Sweep"}' | synclog put"#)
    ],
    run: runPut)

  private static func runRecord(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings.badLines, inputs: settings.operands, on: console) { badLines in
      let changes = try SortedChanges(
        reading: settings.operands, shape, settings.reading, drift: settings.drift, isForStore: true,
        needsTermination: true,
        condensing: Delta.representatives, &badLines)
      return try withStore(settings, creating: true) { store in
        let intake = try store.write {
          let entity = settings.records.entityName
          var intake = try SnapshotIntake(
            store, shape, entity: entity.isEmpty ? nil : entity, withholdingDeletions: changes.leftOut[0] > 0,
            now: settings.present)
          try changes.forEachKey(KeyedLines()) { lines, reader, piece in
            if let duplicate = Delta.Duplicate(lines, of: 0) {
              throw Diagnostic(duplicate, in: settings.operands[0])
            }
            piece.append(0, of: lines, &reader)
          } take: { piece in
            try piece.forEach { try intake.take($0, $1, isTombstone: $2) }
          }
          try intake.finish(settings.maxDelete)
          return intake
        }
        try write(intake.counts, deletions: true)
        if intake.withheld > 0 {
          let message = "deletions left out: \(intake.withheld); the bad lines may be what is missing"
          console.report(Diagnostic(.partialRun, message, file: settings.operands[0]))
        }
        return report(intake.conflicts, refused: intake.refused, console)
      }
    }
  }

  private static func runPut(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    return try BadLines.collecting(settings.badLines, inputs: settings.operands, on: console) { badLines in
      let changes = try SortedChanges(
        reading: settings.inputs, shape, settings.reading, drift: settings.drift, isForStore: true, &badLines)
      console.note(passedOver: changes.checkpoints)
      return try withStore(settings, creating: true) { store in
        let (counts, conflicts, refused) = try store.write {
          let live = store.live
          var intake = try LocalIntake(store, shape, now: settings.present)
          var (conflicts, refused): ([[UInt8]], [[UInt8]]) = ([], [])
          try changes.forEachKey(KeyedLines()) { lines, reader, piece in
            for index in lines.indices { piece.append(index, of: lines, &reader) }
          } take: { piece in
            try piece.forEach { key, line, _ in
              let outcome = try intake.put(key, line)
              guard outcome == .conflict || outcome == .refused else { return }
              var bytes: [UInt8] = []
              bytes.append(key)
              if outcome == .conflict { conflicts.append(bytes) } else { refused.append(bytes) }
            }
          }
          try intake.check(settings.maxDelete, live: live)
          return (intake.counts, conflicts, refused)
        }
        try write(counts, deletions: false)
        return report(conflicts, refused: refused, console)
      }
    }
  }

  private static func write(_ counts: LocalIntake.Counts, deletions: Bool) throws {
    var members: [JSONMember] = [.init("stored", .integer(counts.stored))]
    if deletions { members.append(.init("deletions", .integer(counts.deletions))) }
    members += [
      .init("same", .integer(counts.same)), .init("conflicts", .integer(counts.conflicts)),
      .init("refused", .integer(counts.refused)),
    ]
    try Descriptor.standardOutput.write(JSONValue.object(members).text + "\n")
  }

  private static func report(
    _ conflicts: [[UInt8]], refused: [[UInt8]], _ console: Console
  ) -> ExitStatus {
    for key in conflicts {
      let name = String(decoding: key, as: UTF8.self)
      console.report(
        Diagnostic(.conflict, "\(name): the stored change wins by its rule; this one is not stored"))
    }
    for key in refused {
      let name = String(decoding: key, as: UTF8.self)
      console.report(
        Diagnostic(.conflict, "\(name): older than what has been pruned; this change is not stored"))
    }
    return conflicts.isEmpty && refused.isEmpty ? .done : .badData
  }
}
