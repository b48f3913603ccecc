import JSONLines
import Store

/// A column, and the JSON form of its values.
package struct Column: Sendable {
  /// The conversion of values in addition to the conversion for their type.
  package enum Form: Sendable {
    case plain
    /// Bytes, as a string of Base64.
    case base64
    /// The numbers 0 and 1, as false and true.
    case boolean
    /// A text of JSON, as the value that it contains.
    case nested
  }

  package let name: String
  package var form: Form
  /// Whether the database computes the column from others, so that it can be read but not written.
  package let isGenerated: Bool
  /// The SQL expression of the default, which can be used in any place; nil for null.
  let fallback: String?
  /// Whether a value is required.
  let isRequired: Bool
  /// The declared type.
  let type: String

  /// Whether the column is declared for bytes, which JSON cannot express without Base64.
  package var needsBase64: Bool { form == .plain && type.uppercased().contains("BLOB") }
}

extension Column {
  /// The SQL expression of a default, from the text that SQLite has kept.
  ///
  /// SQLite keeps the text of an expression without its parentheses. A name, in quotes or not, means a text and
  /// not a column.
  static func expression(ofDefault text: String) -> String {
    let words = SQLWords(of: text).words
    // The name of a function can be in quotes too, but then more follows.
    let endsWithQuote = text.utf8.last.map { "\"`]".utf8.contains($0) } ?? false
    if let word = words.first, words.count == 1, word.isQuoted ? endsWithQuote : isName(word, text) {
      return word.text.quotedText
    }
    // The line end also ends a comment.
    return "(\(text)\n)"
  }

  private static func isName(_ word: SQLWords.Word, _ text: String) -> Bool {
    let values = ["NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"]
    guard word.text.utf8.elementsEqual(text.utf8), let first = text.utf8.first else { return false }
    let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    return !isNumber && !values.contains { word.isKeyword($0) }
  }
}

/// A value in the form of SQLite.
enum ColumnValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension Bool {
  /// A boolean in a cell of text; spreadsheets write it in capitals.
  package init?(spelled text: String) {
    guard let value = Bool(text.lowercased()) else { return nil }
    self = value
  }
}

// MARK: From JSON

extension Column {
  /// Converts a value of a line for this column.
  func value(_ value: JSONValue) throws(TableError) -> ColumnValue {
    switch value {
    // The text `null` is a value too, for a column that requires one.
    case .null: return form == .nested && isRequired ? .text("null") : .null
    case .bool(let bool): return form == .nested ? .text(value.text) : .integer(bool ? 1 : 0)
    case .number(let text): return try number(text)
    case .string(let string):
      if form == .nested { return .text(value.text) }
      // The line may come from a file in which all values are strings.
      if form == .boolean, let bool = Bool(spelled: string) { return .integer(bool ? 1 : 0) }
      guard form == .base64 else { return .text(string) }
      var bytes: [UInt8] = []
      do throws(Base64.Failure) {
        try Base64.decode(Array(string.utf8).span, into: &bytes)
      } catch {
        throw .unfit(column: name, "not Base64: \(error.message)", remedy: nil)
      }
      return .blob(bytes)
    case .array, .object:
      guard form == .nested else {
        throw .unfit(column: name, "an array or object, which a column cannot hold", remedy: .nested)
      }
      return .text(value.text)
    }
  }

  /// A number without point and exponent is an integer, which must fit into 64 bits.
  private func number(_ text: String) throws(TableError) -> ColumnValue {
    if form == .nested { return .text(text) }
    if let integer = Int64(text) { return .integer(integer) }
    guard text.utf8.contains(where: { ".eE".utf8.contains($0) }) else {
      throw .unfit(column: name, "\(text) is beyond an integer of 64 bits", remedy: nil)
    }
    guard let real = Double(text), real.isFinite else {
      throw .unfit(column: name, "\(text) is beyond a double", remedy: nil)
    }
    return .real(real)
  }
}

// MARK: To JSON

extension Column.Form {
  /// Appends a value of a row as JSON; `name` is the column's name, for errors, and `deepest` is
  /// ``Table/deepest``.
  func append(
    _ row: Statement, _ index: Int32, _ name: String, deepest: Int, to line: inout [UInt8]
  ) throws(TableError) {
    switch row.kind(index) {
    case .null: line += "null".utf8
    case .integer:
      let number = row.integer(index)
      if self == .boolean, number == 0 || number == 1 {
        line += (number == 1 ? "true" : "false").utf8
      } else {
        line += "\(number)".utf8
      }
    case .real:
      let number = row.real(index)
      guard number.isFinite else {
        throw .unwritable(column: name, "JSON cannot express \(number)", remedy: nil)
      }
      line += "\(number)".utf8
    case .text: try appendText(row.span(index), name, deepest: deepest, to: &line)
    case .blob:
      guard self == .base64 else {
        throw .unwritable(column: name, "bytes, which JSON cannot express", remedy: .base64)
      }
      line.append(UInt8(ascii: "\""))
      Base64.append(row.span(index), to: &line)
      line.append(UInt8(ascii: "\""))
    }
  }

  private func appendText(
    _ text: Span<UInt8>, _ name: String, deepest: Int, to line: inout [UInt8]
  ) throws(TableError) {
    if self == .base64 {
      throw .unwritable(
        column: name, "text in a column that is declared to have bytes", remedy: .notBase64)
    }
    if self == .nested { return try appendNested(text, name, deepest: deepest, to: &line) }
    let start = line.count
    JSONString.appendQuoted(utf8: text, to: &line)
    guard (try? JSONScanner.validate(line.span.extracting(start..<line.count))) != nil else {
      throw .unwritable(column: name, "text that is not UTF-8", remedy: nil)
    }
  }

  /// Appends compact JSON, because a line end between tokens would end the line.
  private func appendNested(
    _ text: Span<UInt8>, _ name: String, deepest: Int, to line: inout [UInt8]
  ) throws(TableError) {
    func tooDeep() -> TableError {
      .unwritable(column: name, "nested deeper than \(deepest) levels", remedy: .tooDeep)
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      if error.code == .nestingTooDeep { throw tooDeep() }
      throw .unwritable(column: name, "not JSON: \(error.message(in: ""))", remedy: .notNested)
    }
    // Each level has two brackets.
    if text.count > 2 * deepest, JSONDepth.deepest(in: text) > deepest { throw tooDeep() }
    value.append(to: &line)
  }
}
