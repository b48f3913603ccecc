import CommandLine
import JSONLines
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
      "read writes a consistent snapshot of the rows, in the table's own order. A value that JSON cannot "
        + "express ends the run, for example bytes without --base64, text that is not UTF-8 or an infinite "
        + "number. The last line ends in a line feed only if all rows were written, so synclog record "
        + "refuses the rows of a failed run."
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
    return try withDatabase(settings.table.database, readOnly: true, wait: settings.table.wait) { database in
      var output = RowOutput()
      do {
        try database.transaction(writing: false) {
          let reader = try TableReader(
            settings.table.table(in: database), where: settings.condition, in: database)
          try reader.forEachRow { row in
            if Interruption.pending != nil { throw SystemError.interrupted }
            try output.write(row)
          }
        }
      } catch {
        // Write the incomplete last line: a reader would treat an empty output as an empty table, but it refuses a line
        // without an end.
        try? output.flush()
        throw error
      }
      try output.finish()
      return .done
    }
  }
}

/// The rows on standard output.
///
/// Only ``finish()`` ends the last line.
///
/// If the process is killed before that, the output ends in a line without an end. So a reader does not mistake the
/// rows written so far for all rows.
private struct RowOutput {
  /// A pipe accepts all of this many bytes or none of them (PIPE_BUF), so it never cuts output after a line
  /// end.
  private static let atOnce = 4_096
  private var piece: [UInt8] = []
  private var isAny = false

  mutating func write(_ row: Span<UInt8>) throws(SystemError) {
    if piece.count + row.count >= Self.atOnce { try flush() }
    if isAny { piece.append(10) }
    piece.append(row)
    isAny = true
  }

  mutating func flush() throws(SystemError) {
    guard !piece.isEmpty else { return }
    defer { piece.removeAll(keepingCapacity: true) }
    try Descriptor.standardOutput.write(piece.span)
  }

  mutating func finish() throws(SystemError) {
    if isAny { piece.append(10) }
    try flush()
  }
}
