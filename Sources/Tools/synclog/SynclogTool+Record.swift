import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import ToolInputs

/// Settings of a command that reads lines and stores them.
protocol WriteConfigurable: BadLineConfigurable, RecordConfigurable, ReadingConfigurable, StoreConfigurable {
  var files: [String] { get set }
}

extension Option where Settings: WriteConfigurable {
  static var writing: [Option] {
    storePlace + present + drift + maxDelete + records + badLines + reading
  }
}

extension SynclogTool {
  struct WriteSettings: WriteConfigurable {
    var records = RecordSettings()
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var store = StoreSettings()
    var isDryRun = false
    /// Of `record` the snapshot.
    var files: [String] = []
  }

  static let record = Command(
    "record", "store what has changed since the last record",
    discussion: [
      "Compares SNAPSHOT with the baseline, which is what the last record read or dump --baseline wrote, so that "
        + "what came from peers meanwhile is not a difference. What is new or differs is stored with a clock later than "
        + "the baseline's; what is missing is stored as a deletion. Writes the counts, one object.",
      "A change that its rule lets lose against what came from a peer is reported as a conflict and not stored, and "
        + "so is one that is older than what has been pruned.",
    ],
    settings: WriteSettings(),
    options: [
      .flag("dry-run", "Say what would be stored, and store nothing.") { $0.isDryRun = true },
      Option.keepConflicts,
    ] + Option.writing,
    operands: Operands("SNAPSHOT", count: 1...1) { $1.files = $0 }, statuses: stored,
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
    settings: WriteSettings(), options: Option.writing,
    operands: .files { $1.files = $0 }, statuses: stored,
    examples: [
      .init("Store one change:", #"echo '{"id":"7","entity":"Task","title":"Sweep"}' | synclog put"#)
    ],
    run: runPut)

  private static func runRecord(_ settings: WriteSettings, on console: Console) throws -> ExitStatus {
    try withRules(settings.store, settings.records, console) { ruled in
      try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
        let changes = try SortedChanges(
          reading: settings.files, ruled.shape, settings.reading, use: .write, needsTermination: true,
          condensing: Delta.representatives, &badLines)
        console.note(passedOver: changes.checkpoints)
        console.note(changes.likelyClocks)
        let intake = try ruled.record(
          settings.store.bounds, entity: settings.records.entityName,
          withholdingDeletions: changes.leftOut[0] > 0, isPage: changes.checkpoints > 0,
          isTrial: settings.isDryRun
        ) { take in
          try changes.forEachKey(KeyedLines()) { lines, reader, piece in
            if let duplicate = DuplicateKey(lines, of: 0) {
              throw Diagnostic(duplicate, in: settings.files[0])
            }
            piece.append(0, of: lines, &reader)
          } take: {
            try $0.forEach(take)
          }
        }
        try write(intake.counts, deletions: true)
        note(intake.counts, intake.replaced, console)
        noteUnread(intake, console)
        console.report(withheldDeletions: intake.withheld, in: settings.files[0])
        return report(intake.unstored, console)
      }
    }
  }

  private static func runPut(_ settings: WriteSettings, on console: Console) throws -> ExitStatus {
    try withRules(settings.store, settings.records, console) { ruled in
      try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
        let changes = try SortedChanges(
          reading: settings.files, ruled.shape, settings.reading, use: .write, &badLines)
        console.note(passedOver: changes.checkpoints)
        console.note(changes.likelyClocks)
        let intake = try ruled.put(settings.store.bounds) { take in
          try changes.forEachKey(KeyedLines()) { lines, reader, piece in
            for index in lines.indices { piece.append(index, of: lines, &reader) }
          } take: {
            try $0.forEach(take)
          }
        }
        try write(intake.counts, deletions: false)
        note(intake.counts, intake.replaced, console)
        return report(intake.unstored, console)
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
    try Descriptor.standardOutput.write(line: .object(members))
  }

  private static func note(_ counts: LocalIntake.Counts, _ replaced: Conflicts, _ console: Console) {
    console.note(replaced)
    if counts.ahead > 0 {
      console.note(
        "stored with clocks ahead of now, as those of what was there are: \(counts.ahead); "
          + "synclog reclock --ahead brings them back")
    }
    if counts.belowFloor > 0 {
      console.note(
        "stored, and older than deletions that compact has removed: \(counts.belowFloor); a peer that still has such "
          + "a deletion deletes its record again")
    }
  }

  /// Changes that arrived meanwhile, from peers or through `put`, are not differences, unless `dump --baseline` gave them to
  /// the app.
  private static func noteUnread(_ intake: SnapshotIntake, _ console: Console) {
    let counts = [
      (intake.unread, "not in this one, and stay"), (intake.replacedUnread, "replaced by this one"),
    ]
    for (count, text) in counts where count > 0 {
      console.note(
        "records that came after the last snapshot and are \(text): \(count); synclog dump --baseline makes one "
          + "with them")
    }
  }

  private static func report(_ unstored: [UnstoredChange], _ console: Console) -> ExitStatus {
    for change in unstored {
      console.report(
        Diagnostic(
          change.code, "\(Key.shown(change.key.span)): \(change.reason)",
          hint: change.code == .lineTooLarge ? "make it shorter" : nil))
    }
    return unstored.isEmpty ? .done : .badData
  }
}
