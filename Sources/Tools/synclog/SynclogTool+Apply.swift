import CommonInputs
import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  struct ApplySettings: WriteConfigurable {
    var records = RecordSettings()
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var store = StoreSettings()
    var files: [String] = []
    var from: String?
  }

  static let apply = Command(
    "apply", "store changes from a peer",
    discussion: [
      "apply keeps the newer change of each key. In the same transaction, the token of the last checkpoint "
        + "line becomes the checkpoint for the next fetch. A change that cannot be applied is kept in "
        + "quarantine, and retried at every apply. While quarantine is not empty, the exit status is 65. "
        + "apply writes the counts as one object.",
      "Text that is not JSON, or is longer than a store accepts, is a bad line. If a bad line was left out "
        + "and not kept by --rejects, the checkpoint does not move.",
    ],
    settings: ApplySettings(),
    options: [
      .value("from", named: "PEER", "Name the id of the peer that sent the changes.", completion: .stores) {
        $0.from = $1
      },
      Option.keepConflicts,
    ] + Option.writing,
    operands: .files { $1.files = $0 }, statuses: stored,
    examples: [
      .init(
        "Copy the changes of another store:", "synclog since --store phone.db | synclog apply --from phone")
    ],
    run: runApply)

  private static func runApply(_ settings: ApplySettings, on console: Console) throws -> ExitStatus {
    guard let from = settings.from else { throw UsageError.conflict("apply needs --from") }
    guard !from.isEmpty else {
      throw UsageError.invalidValue(option: "from", value: from, expected: "an id that is not empty")
    }
    return try withRules(settings.store, settings.records, console) { ruled in
      try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
        var batch = PeerBatch(from: from)
        let changes = try SortedChanges(
          reading: settings.files, ruled.shape, settings.reading, drift: settings.store.drift, use: .apply,
          condensing: Merge.representatives, aside: { batch.setAside($0, $1) }, &badLines)
        console.note(changes.likelyClocks)
        try badLines.save()
        let hasGaps = badLines.count > 0 && settings.badLines.rejects == nil
        if !hasGaps { batch.checkpoint = changes.lastCheckpoint }
        // Conflicts among the lines; the store counts the conflicts with its records.
        var conflicts = Conflicts()
        let applied = try ruled.apply(batch, settings.store.bounds) { take in
          try changes.forEachKey(KeyedLines()) { lines, reader, piece in
            piece.appendWinner(of: lines, &reader)
          } take: {
            conflicts.add($0.conflicts)
            try $0.forEach(take)
          }
        }
        conflicts.add(applied.counts.conflicts)
        try write(applied.counts, released: applied.released, conflicts: conflicts.count)
        console.note(conflicts)
        return report(applied.quarantined, settings.store, console)
      }
    }
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
