import JSONLines
import Store

/// The values of a row's key, or of a reference to it; two of them are equal if SQLite treats the values as
/// equal.
struct RowKey: Hashable {
  /// Bytes, because Swift does not distinguish all texts that SQLite distinguishes.
  private let spellings: [[UInt8]]

  init(_ values: [ColumnValue], as comparisons: [ValueComparison]) {
    spellings = zip(values, comparisons).map { $1.spelling(of: $0) }
  }
}

/// How SQLite compares the values of a column.
struct ValueComparison {
  /// Whether `a` equals `A` (`COLLATE NOCASE`).
  private let ignoresCase: Bool
  /// Whether spaces at the end are ignored, so `a` equals `a` followed by spaces (`COLLATE RTRIM`).
  private let ignoresLastSpaces: Bool
  /// Whether the number 1 equals the text `1`.
  private let convertsNumbers: Bool
  /// Whether the number 1 equals the text `01`, because the column has numbers.
  private let convertsTexts: Bool

  init(of column: String, in table: Table, _ database: Database) {
    let name = column.quotedName
    // A materialized query compares as the column does, even if the table is empty. It fails if the column
    // has a collation of the app. In newer versions of SQLite, a text stays a text even if the column has
    // numbers.
    let found = try? database.statement(
      "WITH one (a, b, c) AS MATERIALIZED (SELECT \(name), \(name), \(name) "
        + "FROM main.\(table.quotedName) WHERE 0 UNION ALL SELECT 'a', '1', 1) "
        + "SELECT a = 'A', a = 'a ', b = 1 OR c = '01', c = '01' FROM one"
    ).first { row in (row.integer(0) == 1, row.integer(1) == 1, row.integer(2) == 1, row.integer(3) == 1) }
    (ignoresCase, ignoresLastSpaces, convertsNumbers, convertsTexts) =
      (found ?? nil) ?? (false, false, false, false)
  }

  /// The bytes that represent a value; equal values have the same bytes.
  ///
  /// In a column of texts, a number with an exponent or many digits is not recognized as equal to its text,
  /// because SQLite spells such numbers in its own way.
  fileprivate func spelling(of value: ColumnValue) -> [UInt8] {
    let isText = convertsNumbers && !convertsTexts
    switch value {
    case .null: return []
    case .integer(let number): return Array("\(isText ? "t" : "n")\(number)".utf8)
    case .real(let number):
      if isText { return Array("t\(number)".utf8) }
      return Array((Int64(exactly: number).map { "n\($0)" } ?? "n\(number)").utf8)
    case .text(let text):
      if convertsTexts, let number = Self.number(text) { return spelling(of: number) }
      return Array("t".utf8) + folded(text)
    case .blob(let bytes): return Array("b".utf8) + bytes
    }
  }

  /// The reason why a value of a key would be read back as the key of another record; nil if it would not.
  func misreading(of value: JSONValue, as form: Column.Form) -> (reason: String, remedy: ValueRemedy?)? {
    let isText = convertsNumbers && !convertsTexts
    switch (value, form) {
    case (.bool, .plain): return ("the column stores \(value.text) as a number", .boolean)
    case (.bool, .boolean) where isText, (.number, .plain) where isText, (.number, .boolean) where isText:
      return ("the column stores \(value.text) as text", .text)
    case (.number("0"), .boolean), (.number("1"), .boolean):
      return ("the column stores \(value.text) as a boolean", nil)
    case (.string(let text), .boolean) where Bool(spelled: text) != nil:
      return ("the column stores the text '\(text)' as a boolean", nil)
    case (.string(let text), .plain) where convertsTexts && Self.number(text) != nil,
      (.string(let text), .boolean) where convertsTexts && Self.number(text) != nil:
      return ("the column stores the text '\(text.shown)' as a number", .number)
    default: return nil
    }
  }

  /// Whether the column treats different texts as equal.
  var foldsTexts: Bool { ignoresCase || ignoresLastSpaces }

  /// The number to which SQLite converts a text in a column of numbers; nil if it stays a text.
  private static func number(_ text: String) -> ColumnValue? {
    let parts = text.split(separator: " ")
    guard parts.count == 1, let part = parts.first,
      part.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
    else { return nil }
    return Int64(part).map(ColumnValue.integer) ?? Double(part).map(ColumnValue.real)
  }

  private func folded(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    if ignoresLastSpaces { while bytes.last == UInt8(ascii: " ") { bytes.removeLast() } }
    // SQLite ignores the case of ASCII letters only.
    return ignoresCase ? bytes.map { (65...90).contains($0) ? $0 | 32 : $0 } : bytes
  }
}
