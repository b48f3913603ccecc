import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import Tables
import RecordInputs

extension TablerowsTool {
  struct WriteSettings: TableConfigurable, BadLineConfigurable {
    var table = TableSettings()
    var badLines = BadLineSettings()
    var key: [JSONPointer] = []
    var only: String?
    var maxDelete = DeleteLimit.default
    var files: [String] = []
    var neededFiles: [String] {
      ["", "-wal", "-shm", "-journal"].map { FileMode.target(of: table.database) + $0 }
    }
  }

  static let write = Command(
    "write", "write rows into a table",
    discussion: [
      "A line is a row, as read writes it, or a change line, as synclog since and deltadiff write it. write "
        + "inserts, updates or deletes the row with the key of the line. It does not touch equal rows, and "
        + "columns that the line lacks keep their values. It skips checkpoint lines.",
      "write stores all lines in one transaction. The table's constraints, foreign keys and triggers apply. "
        + "A row that the table refuses is a bad line, and so is a row with a key or an integer that a column "
        + "would store as another value. With --on-error skip the rest is written. write "
        + "prints the counts as one object.",
    ],
    settings: WriteSettings(),
    options: [
      .repeated(
        "key", "Identify rows by this column, a JSON Pointer (default: the primary key)."
      ) { $0.key.append($1) },
      .value("only", named: "NAME", "Write only the records of this entity.") { $0.only = $1 },
      .value(
        "max-delete",
        "Refuse to delete more rows of a table than this: a number, a share like 20%, or off (default: the "
          + "larger of 100 and 20%). Tables whose rows are deleted with these rows count too."
      ) { $0.maxDelete = $1 },
    ] + Option.table + Option.badLines,
    operands: Operands("DATABASE TABLE [FILE...]", count: 2...Int.max) {
      ($1.table.database, $1.table.table) = ($0[0], $0[1])
      $1.files = $0.count > 2 ? Array($0[2...]) : ["-"]
    },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .tryAgain, .refused],
    examples: [
      .init(
        "Write a peer's changes into the table:",
        "synclog since | tablerows write --only Contact app.db contacts")
    ],
    run: runWrite)

  private static func runWrite(_ settings: WriteSettings, on console: Console) throws -> ExitStatus {
    for pointer in settings.key where pointer.tokens.count != 1 {
      throw UsageError.conflict("'--key \(pointer.text)' does not name a column: use /COLUMN")
    }
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let intake = try withDatabase(
        settings.table.database, readOnly: false, wait: settings.table.wait
      ) { database in
        try database.run("PRAGMA foreign_keys = ON")
        // Skipped lines must be known before the transaction if they would end it.
        if settings.badLines.policy == .skip, try TableWriter.canRollBack(in: database) {
          var lines = try RowRepetition(reading: settings.files)
          return try lines.write(in: database, &badLines) { try begin(settings, in: database) }
        }
        return try database.transaction { try written(settings, in: database, &badLines) }
      }
      try Descriptor.standardOutput.write(line: intake.counts(refused: badLines.count))
      console.note(passedOver: intake.checkpoints)
      return .done
    }
  }

  private static func begin(_ settings: WriteSettings, in database: Database) throws -> RowIntake {
    var table = try settings.table.table(in: database)
    if !settings.key.isEmpty { try table.setKey(settings.key.compactMap(\.tokens.first)) }
    let writer = try TableWriter(table, in: database, isSelective: !settings.table.columns.isEmpty)
    return try RowIntake(
      table, writer, DeletionCount(table, in: database), settings.maxDelete, only: settings.only)
  }

  /// Writes the lines as they are read.
  private static func written(
    _ settings: WriteSettings, in database: Database, _ badLines: inout BadLines
  ) throws -> RowIntake {
    var intake = try begin(settings, in: database)
    var none = ByteOutput.standardOutput
    do {
      try InputLines.forEach(ofAll: settings.files, flushing: &none) { file, line, number, _ in
        try intake.add(line, .init(file: file, line: number)) {
          try badLines.leaveOut($0.text.span, because: $1)
        }
      }
      try intake.finish { try badLines.leaveOut($0.text.span, because: $1) }
    } catch let error as RolledBack {
      throw error.diagnostic
    }
    try badLines.save()
    return intake
  }
}
