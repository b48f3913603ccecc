import CommandLine
import Store
import SystemIO
import Tables

extension TablerowsTool {
  struct ReadSettings: TableConfigurable {
    var table = TableSettings()
    var condition: String?
  }

  static let read = Command(
    "read", "write the rows of a table",
    discussion: [
      "Writes a consistent snapshot of the rows, in the table's own order. A value that JSON cannot express "
        + "ends the run, for example bytes without --base64, text that is not UTF-8 or an infinite number."
    ],
    settings: ReadSettings(),
    options: [
      .value(
        "where", named: "CONDITION", "Write only the rows that meet CONDITION, an SQL expression."
      ) { $0.condition = $1 }
    ] + Option.table,
    operands: Operands("DATABASE TABLE", count: 2...2) {
      ($1.table.database, $1.table.table) = ($0[0], $0[1])
    },
    statuses: [.badData, .noInput, .inputOutput, .tryAgain],
    examples: [
      .init("Write the contacts of an app:", "tablerows read app.db contacts"),
      .init(
        "Record the changes of the contacts since the last run:",
        "tablerows read app.db contacts | synclog record --entity-name Contact -"),
    ],
    run: runRead)

  private static func runRead(_ settings: ReadSettings, on console: Console) throws -> ExitStatus {
    try withDatabase(settings.table.database, readOnly: true, wait: settings.table.wait) { database in
      var output = ByteOutput.standardOutput
      var isAny = false
      do {
        try database.transaction(writing: false) {
          let reader = try TableReader(
            settings.table.table(in: database), where: settings.condition, in: database)
          try reader.forEachRow { row in
            try output.write(row)
            try output.write(10)
            isAny = true
          }
        }
      } catch {
        // A reader must not take the part for all rows: a line that does not end is refused.
        if isAny {
          try? output.write(UInt8(ascii: "{"))
          try? output.flush()
        }
        throw error
      }
      try output.flush()
      return .done
    }
  }
}
