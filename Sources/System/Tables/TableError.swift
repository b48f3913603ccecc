package import JSONLines
package import Store

/// The reason why rows cannot be read or written.
package enum TableError: Explained, Equatable, Sendable {
  case noTable(String, others: [String])
  case noColumn(String, table: String, others: [String])
  /// The table does not have a primary key, so its rows cannot be distinguished.
  case noKey(table: String)
  /// Several rows have the same values in the columns of the key.
  case sharedKey([String], table: String)
  /// The identity and the fields of a line have different values for a column of the key.
  case twoKeys(column: String)
  /// A view cannot be written to.
  case isView(String)
  /// The condition is not valid SQL.
  case condition(String)
  /// The condition has a parameter such as `$NAME`, which would be NULL.
  case parameter
  /// JSON cannot express a value of a row.
  case unwritable(column: String, String, remedy: ValueRemedy?)
  /// The error is in a row that was read; the row does not have members if its key is unknown or cannot be
  /// written.
  indirect case inRow(KeyedRow, TableError)
  /// A line is not a row.
  case member(MemberError)
  /// The column does not accept a value.
  case unfit(column: String, String, remedy: ValueRemedy?)
  case missingKey(column: String)
  /// The table has refused a row, for the reason that SQLite gives.
  case refused(String)
  /// The table has refused a row, because another row has one of its unique values.
  case valueTaken(String)
  /// The table has refused a row, because it refers to a row that does not exist.
  case lacksRow(String, KeyedRow)
  /// A row cannot be deleted, because rows of this table refer to it.
  case isReferred(by: String)
  /// A row cannot be deleted, because rows of this table refer to it and would be deleted too.
  case hasDependents(String)
  /// A row cannot be deleted, because a trigger or a cascade would also delete rows of this table.
  case takesAlong(String)
  /// The table, or a trigger, refers to another table that does not exist.
  case missingTable(String, referrer: String)
  /// The lines have several entities, but the table can have only one.
  case severalEntities(String, String)
  /// Too many rows would be deleted; `table` is the table whose rows would be deleted too, nil for the
  /// written table itself.
  case tooManyDeletions(Int, of: Int, table: String?)
}

extension TableError: MemberFailure {}

extension TableError {
  package var code: ErrorCode {
    switch self {
    case .noTable: .unknownTable
    case .noColumn: .unknownColumn
    case .noKey, .missingKey, .sharedKey: .noKey
    case .twoKeys: .unfitValue
    case .isView: .unknownTable
    case .condition, .parameter: .invalidOptionValue
    case .unwritable, .unfit: .unfitValue
    case .inRow(_, let error): error.code
    case .member(let error): error.code
    case .refused, .valueTaken, .lacksRow, .isReferred, .hasDependents, .takesAlong, .missingTable:
      .rowRefused
    case .severalEntities: .missingEntity
    case .tooManyDeletions: .tooManyDeletions
    }
  }

  package var message: String {
    switch self {
    case .noTable(let name, _): "no table '\(name)'"
    case .noColumn(let name, let table, _): "table '\(table)' has no column '\(name)'"
    case .noKey(let table): "table '\(table)' has no primary key"
    case .sharedKey(let columns, let table):
      "rows of table '\(table)' have the same \(columns.map { "'\($0)'" }.joined(separator: " and "))"
    case .twoKeys(let column): "'\(column)' differs between the identity and the fields"
    case .isView(let name): "'\(name)' is a view, which cannot be written to"
    case .condition(let reason): "'--where' is not a condition: \(reason)"
    case .parameter: "'--where' is not a condition: a parameter such as $NAME has no value"
    case .unwritable(let column, let reason, _), .unfit(let column, let reason, _): "'\(column)': \(reason)"
    case .inRow(let row, let error): "\(row.place): \(error.message)"
    case .member(let error): error.message
    case .missingKey(let column): "no key: '\(column)' is missing"
    case .refused(let reason), .valueTaken(let reason): "the table refuses the row: \(reason)"
    case .lacksRow(let reason, let row):
      "the table refuses the row: \(reason): '\(row.table)' has no row \(JSONValue.object(row.members).text.shown)"
    case .isReferred(let table): "not deleted: rows of '\(table)' refer to it"
    case .takesAlong(let table):
      "not deleted: a trigger or a cascade would also delete rows of '\(table)'"
    case .hasDependents(let table):
      "not deleted: rows of '\(table)' refer to it, and would be deleted with it"
    case .missingTable(let name, let referrer):
      "'\(referrer)' refers to '\(name)', which this database does not have"
    case .severalEntities(let first, let second):
      "lines of several entities, '\(first)' and '\(second)', for one table"
    case .tooManyDeletions(let count, let rows, nil):
      "\(count) of \(rows) rows would be deleted; the table is unchanged"
    case .tooManyDeletions(let count, let rows, let table?):
      "\(count) of \(rows) rows of table '\(table)' would be deleted too; both tables are unchanged"
    }
  }

  package var remedy: String? {
    switch self {
    case .noTable(_, let others):
      others.isEmpty ? "the database has no tables" : "existing tables: " + Self.list(others)
    case .noColumn(_, _, let others): "existing columns: " + Self.list(others)
    case .noKey: "use --key /COLUMN to name the column that identifies its rows"
    case .sharedKey: "name columns with --key that together identify each row"
    case .isView: "name the table that the view shows"
    case .parameter: "in double quotes, the shell replaces $NAME"
    case .unwritable(let column, _, let remedy), .unfit(let column, _, let remedy): remedy?.text(for: column)
    case .inRow(_, let error): error.remedy
    case .takesAlong: "delete these rows too, or change them so that they are not deleted"
    case .valueTaken: "another row has this value; change the value in one of the two rows"
    case .isReferred, .hasDependents: "delete the referring rows too, or make them refer to another row"
    case .missingTable(let name, _): "make the table '\(name)' too, even if its rows are not synced"
    case .severalEntities: "use --only NAME to write the lines of one entity"
    case .tooManyDeletions: "check what would be deleted; --max-delete allows more"
    default: nil
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }
}

extension KeyedRow {
  /// The table, and the key of the row if it is known.
  package var place: String {
    let key = members.isEmpty ? "" : ", row \(JSONValue.object(members).text.shown)"
    return "table '\(table)'\(key)"
  }
}

extension TableError {
  /// The refusal by a trigger that has rolled the transaction back.
  package init(ofRollback error: any Error) {
    switch error {
    case StoreError.other(_, let message): self = .refused(message)
    case let error as StoreError: self = .refused(Diagnostic(error, of: .database, file: "").message)
    case let error as any Explained: self = .refused(error.message)
    default: self = .refused("\(error)")
    }
  }
}

extension StoreError {
  /// SQLite's message about an invalid statement; nil for a fault in the file.
  var reasonOfStatement: String? {
    switch self {
    case .corrupt(let reason) where reason.hasPrefix("no such "): reason
    // The code is SQLITE_ERROR.
    case .other(1, let reason): reason
    default: nil
    }
  }
}

extension StoreError {
  /// The table that a statement needs although it does not name the table; nil for other errors.
  ///
  /// Only for such a table, SQLite's message contains the database's name, `main`.
  var missingTable: String? {
    let beginning = "no such table: main."
    guard case .corrupt(let reason) = self, reason.hasPrefix(beginning) else { return nil }
    return String(reason.dropFirst(beginning.count))
  }
}

extension StoreWords {
  /// The words for a database that belongs to another program.
  package static let database = StoreWords(
    one: "an SQLite database", noun: "database", tool: "SQLite", makers: "the app makes it",
    origin: "name the file in which the app keeps its tables", isOfApps: true)
}
