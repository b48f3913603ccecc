import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import Tables
import RecordInputs

/// The command line of `tablerows`.
enum TablerowsTool {
  /// The settings of commands about one table.
  struct TableSettings: Sendable {
    var database = ""
    var table = ""
    var columns: [String] = []
    var base64: [String] = []
    var boolean: [String] = []
    var nested: [String] = []
    var wait = Duration.seconds(10)
  }

  static let command = Command(
    "tablerows", "read and write the rows of an SQLite table as JSON lines",
    discussion: [
      "The tool does not add tables or triggers to the database, and an app may use the database at the same "
        + "time. read writes each row as an object. write stores such lines, or change lines, in the table. "
        + "watch reports when the database changes.",
      "Integers are exact, other numbers have a point or an exponent, and NULL becomes null. Columns with "
        + "bytes need --base64. Columns that are declared as BOOLEAN have false and true.",
    ],
    subcommands: [read, write, watch])

  /// Runs a body with the database; errors of the database become diagnostics about its file.
  static func withDatabase<Value>(
    _ path: String, readOnly: Bool, wait: Duration, _ body: (Database) throws -> Value
  ) throws -> Value {
    do {
      try requireNoFolder(path)
      guard FileMode.isFile(path), FileStamp(of: path) != nil else { throw StoreError.missing }
      return try body(
        try Database(path, readOnly: readOnly, belongsToOthers: true, wait: wait))
    } catch let error as StoreError {
      throw Diagnostic(error, of: .database, file: path)
    } catch let error as TableError {
      throw Diagnostic(error, file: path)
    }
  }

  /// Throws if a path exists but is not a file.
  static func requireNoFolder(_ path: String) throws {
    guard FileMode.exists(path), !FileMode.isFile(path) else { return }
    throw Diagnostic(.notReadable, "a folder or a device, not a database", file: path)
  }
}

extension TablerowsTool.TableSettings {
  /// The table with the requested columns, in the requested forms.
  func table(in database: Database) throws -> Table {
    var table = try Table(self.table, in: database)
    try table.setForm(.base64, of: base64)
    try table.setForm(.boolean, of: boolean)
    try table.setForm(.nested, of: nested)
    if !columns.isEmpty { try table.keep(columns) }
    return table
  }
}

/// Settings of a command about one table.
protocol TableConfigurable: Sendable {
  var table: TablerowsTool.TableSettings { get set }
}

extension Option where Settings: TableConfigurable {
  static var table: [Option] {
    [
      .repeated(
        "column", named: "COLUMN", "Use only this column (default: all columns)."
      ) {
        $0.table.columns.append($1)
      },
      .repeated("base64", named: "COLUMN", "Convert the bytes of this column to Base64 and back.") {
        $0.table.base64.append($1)
      },
      .repeated("bool", named: "COLUMN", "Convert 0 and 1 in this column to false and true, and back.") {
        $0.table.boolean.append($1)
      },
      .repeated("nested", named: "COLUMN", "Convert the JSON text of this column to a value and back.") {
        $0.table.nested.append($1)
      },
      .value("wait", "Wait up to this long while another process writes (default: 10s).") {
        $0.table.wait = $1
      },
    ]
  }
}
