import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

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
    /// The input files; for `record`, the snapshot.
    var files: [String] = []
  }

  static let record = Command(
    "record", "store the changes since the last record",
    discussion: [
      "record compares SNAPSHOT with the baseline: the last snapshot that record has read or dump --baseline "
        + "has written. Changes from peers are therefore not differences. record stores new and changed "
        + "records with a clock later than the baseline's, and missing records as deletions. It writes the "
        + "counts as one object.",
      "If a change loses against a peer's change by the rule of its entity, record reports a conflict and "
        + "does not store the change. The same applies to a change older than the time of the last prune.",
      "record refuses a snapshot of an entity bound to an app's file or table, because its baseline is the "
        + "content that peersync run read there. To store changes of that entity, use put.",
    ],
    settings: WriteSettings(),
    options: [
      .flag("dry-run", "Print the counts without storing anything.") { $0.isDryRun = true },
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
      "put stores each line with its own clock, or now if it lacks a clock, but always later than the "
        + "version that it replaces. put writes the counts as one object. If a line loses by the rule of its "
        + "entity, put reports a conflict and does not store the line. The same applies to a line older than "
        + "the time of the last prune."
    ],
    settings: WriteSettings(), options: Option.writing,
    operands: .files { $1.files = $0 }, statuses: stored,
    examples: [
      .init("Store one change:", #"echo '{"id":"7","entity":"Task","title":"Sweep"}' | synclog put"#)
    ],
    run: runPut)

  private static func runRecord(_ settings: WriteSettings, on console: Console) throws -> ExitStatus {
    return try withRules(settings.store, settings.records, console) { ruled in
      try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
        let changes = try SortedChanges(
          reading: settings.files, ruled.shape, settings.reading, use: .write, needsTermination: true,
          condensing: Delta.representatives, &badLines)
        console.note(passedOver: changes.checkpoints)
        console.note(changes.likelyClocks)
        try badLines.save()
        let intake = try ruled.record(
          settings.store.bounds, entity: settings.records.entityName,
          withholdingDeletions: changes.leftOut[0] > 0, isPage: changes.checkpoints > 0,
          emptyInput: changes.lines == 0 && !FileMode.isFile(settings.files[0]) ? settings.files[0] : nil,
          isDryRun: settings.isDryRun
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
        console.note(intake.replaced)
        note(intake.counts, console)
        noteUnread(intake, console)
        console.report(withheldDeletions: intake.withheld, in: settings.files[0])
        return report(intake.unstored, console)
      }
    }
  }

  private static func runPut(_ settings: WriteSettings, on console: Console) throws -> ExitStatus {
    return try withRules(settings.store, settings.records, console) { ruled in
      try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
        let changes = try SortedChanges(
          reading: settings.files, ruled.shape, settings.reading, use: .write, &badLines)
        console.note(passedOver: changes.checkpoints)
        console.note(changes.likelyClocks)
        try badLines.save()
        let intake = try ruled.put(settings.store.bounds) { take in
          try changes.forEachKey(KeyedLines()) { lines, reader, piece in
            for index in lines.indices { piece.append(index, of: lines, &reader) }
          } take: {
            try $0.forEach(take)
          }
        }
        try write(intake.counts, deletions: false)
        console.note(intake.replaced)
        note(intake.counts, console)
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

  /// Reports stored changes whose clocks are ahead, or below those of removed deletions.
  static func note(_ counts: LocalIntake.Counts, _ console: Console) {
    if counts.ahead > 0 {
      console.note(
        "stored with clocks ahead of now, because the replaced versions were ahead: \(counts.ahead)",
        hint: "'synclog reclock --ahead' sets them back")
    }
    if counts.belowFloor > 0 {
      console.note(
        "stored, but older than deletions that compact has removed: \(counts.belowFloor); a peer that still has "
          + "such a deletion deletes the record again")
    }
  }

  /// Reports changes from peers or `put` that the app has not read: they do not count as differences.
  private static func noteUnread(_ intake: SnapshotIntake, _ console: Console) {
    let counts = [
      (intake.unread, "not in this snapshot, but kept"), (intake.replacedUnread, "replaced by this snapshot"),
    ]
    for (count, text) in counts where count > 0 {
      console.note(
        "records that arrived after the last snapshot and are \(text): \(count)",
        hint: "'synclog dump --baseline' writes a snapshot with them")
    }
  }

  private static func report(_ unstored: [UnstoredChange], _ console: Console) -> ExitStatus {
    for change in unstored {
      console.report(
        Diagnostic(
          change.code, "\(Key.shown(change.key.span)): \(change.reason)",
          hint: change.code == .lineTooLarge ? "shorten the record" : nil))
    }
    return unstored.isEmpty ? .done : .badData
  }
}
