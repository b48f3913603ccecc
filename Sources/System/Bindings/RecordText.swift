import JSONLines

/// Reads the records in the text of a file, and composes such a text.
///
/// Unchanged records keep every byte; blank lines are removed.
struct RecordText {
  /// The member with the line's text, in a list of lines.
  static let lineMember = "line"

  /// A record: its line and its text.
  struct Piece {
    var range: Range<Int>
    /// The text of an object, on one line.
    var record: [UInt8]
    /// The line of the record, counted from 1.
    var line: Int
  }

  let text: [UInt8]
  let format: FileFormat
  /// Whether the file's name means that each line is a record.
  private let isOfLines: Bool
  private(set) var pieces: [Piece] = []
  /// The text before, between and after the records.
  private var opening: [UInt8] = []
  private var separator: [UInt8]
  private var closing: [UInt8]
  private var layout = JSONLayout()
  private var columns: [String] = []
  private var delimiter = UInt8(ascii: ",")
  /// The text of a file without records; an empty file would have the format of its extension.
  private var remainder: [UInt8] = []

  /// Reads a text; an empty file has the format of its extension.
  init(_ text: [UInt8], named path: String) throws(BindingError) {
    self.text = text
    format = FileFormat(of: text, named: path)
    isOfLines = FileFormat.isLines(path)
    if format == .lines, FileFormat.isJSON(path) { remainder = [10] }
    (separator, closing) = ([10], [10])
    if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) { throw .utf16 }
    switch format {
    case .lines: try readLines()
    case .array: try readArray()
    case .csv: try readTable()
    case .text: try readText()
    }
  }

  // MARK: Reading

  private mutating func readLines() throws(BindingError) {
    opening = FileFormat.mark(of: text)
    var cursor = LineCursor()
    while let line = cursor.next(in: text.span) {
      let content = max(line.content.lowerBound, opening.count)..<line.content.upperBound
      if text.span.extracting(content).isBlankLine { continue }
      guard line.isTerminated else {
        throw wholeValue(in: content) ?? .halfWritten(line: line.number)
      }
      add(line, content, Array(text[content]))
    }
    if pieces.isEmpty { closing = [] }
    // A record with an id only needs to be written on one line.
    if pieces.count > 1, let last = pieces.last, let error = wholeValue(in: last.range),
      (try? JSONValue(parsing: text.span.extracting(opening.count...)))?["id"] == nil
    {
      throw error
    }
  }

  /// The error for a text that is one JSON value, over several lines or without a line feed at its end.
  ///
  /// The result is nil for a file of lines whose only line is complete: a line feed makes it a list of
  /// records.
  private func wholeValue(in lastLine: Range<Int>) -> BindingError? {
    let all = text.span.extracting(opening.count...)
    let isOneLine = lastLine.lowerBound == opening.count
    guard !(isOneLine && isOfLines), (try? JSONScanner.validate(all)) != nil else { return nil }
    let line = text.prefix(FileFormat.beginning(of: text) ?? 0).count { $0 == 10 } + 1
    return FileFormat.beginning(of: text).map { text[$0] } == UInt8(ascii: "{")
      ? BindingError(
        .wrongType, "a JSON object, not a list of records", line: line,
        hint: BindingError.remedy(ofObject: all))
      : BindingError(.wrongType, "one JSON value, not a list of records", line: line)
  }

  /// Reads the lines of a text; the last line may lack its line end, because some editors write it that way.
  private mutating func readText() throws(BindingError) {
    opening = FileFormat.mark(of: text)
    var cursor = LineCursor()
    while let line = cursor.next(in: text.span) {
      let content = max(line.content.lowerBound, opening.count)..<line.content.upperBound
      if text.span.extracting(content).isBlankLine { continue }
      guard let string = String(validating: text[content], as: UTF8.self) else {
        throw .notUTF8(line: line.number)
      }
      var record: [UInt8] = []
      JSONValue.object([JSONMember(Self.lineMember, .string(string))]).append(to: &record)
      add(line, content, record)
    }
    if pieces.isEmpty { closing = [] }
  }

  private mutating func add(_ line: LineCursor.Line, _ content: Range<Int>, _ record: [UInt8]) {
    if pieces.isEmpty, line.isTerminated, text[line.content.upperBound] == 13 {
      (separator, closing) = ([13, 10], [13, 10])
    }
    pieces.append(Piece(range: content, record: record, line: line.number))
  }

  private mutating func readArray() throws(BindingError) {
    let bytes = text
    let all = bytes.span
    let mark = FileFormat.mark(of: text)
    (opening, separator, closing) = (mark + "[\n  ".utf8, Array(",\n  ".utf8), Array("\n]\n".utf8))
    guard let start = FileFormat.beginning(of: text) else { return }
    do throws(JSONError) {
      try JSONScanner.validate(all.extracting(mark.count...))
    } catch {
      throw fault(error, at: mark.count + error.offset)
    }
    var cursor = ContainerCursor(opening: start)
    var line = 1
    var counted = 0
    while cursor.hasNext(in: all) {
      let range = cursor.passValue(in: all)
      line += text[counted..<range.lowerBound].count { $0 == 10 }
      counted = range.lowerBound
      let value: JSONValue
      do throws(JSONError) { value = try JSONValue(parsing: all.extracting(range)) } catch {
        throw BindingError(error.code.errorCode, error.message, line: line)
      }
      var record: [UInt8] = []
      value.append(to: &record)
      pieces.append(Piece(range: range, record: record, line: line))
    }
    guard let first = pieces.first, let last = pieces.last else { return }
    opening = Array(text[..<first.range.lowerBound])
    closing = Array(text[last.range.upperBound...])
    for piece in pieces {
      guard let found = JSONLayout(of: all.extracting(piece.range)) else { continue }
      layout = found
      break
    }
    let margin = opening.dropFirst(start + 1)
    separator =
      pieces.count > 1
      ? Array(text[first.range.upperBound..<pieces[1].range.lowerBound])
      : margin.isEmpty ? layout.comma : [UInt8(ascii: ",")] + margin
  }

  /// The error for an array that is not JSON, with the place in its line.
  private func fault(_ error: JSONError, at offset: Int) -> BindingError {
    let before = text[..<offset]
    let number = before.count { $0 == 10 } + 1
    if error.code == .unexpectedEnd {
      return BindingError(
        .unexpectedEnd, error.message + "; the file may be half written", line: number)
    }
    let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
    let line = Array(text[start...].prefix { $0 != 10 })
    let place = JSONError(error.code, at: offset - start)
    let isTrailing =
      before.last { ![9, 10, 13, 32].contains($0) } == UInt8(ascii: ",")
      && offset < text.count && "]}".utf8.contains(text[offset])
    let message = "\(place.message(in: "line")), near '\(place.excerpt(of: line.span))'"
    return BindingError(
      error.code.errorCode, message, line: number,
      hint: isTrailing ? "JSON does not allow a comma before a closing bracket: remove it" : nil)
  }

  private mutating func readTable() throws(BindingError) {
    if text.contains(13), !text.contains(10) { throw .carriageReturns }
    var rows = CSVRows(text)
    guard let header = try rows.next() else {
      throw BindingError(
        .missingMember, "the header line with the names of the columns is missing", line: 1,
        hint: "the first line must name the columns, such as id,title,updatedAt")
    }
    (columns, delimiter) = (header.values, rows.delimiter)
    var names: Set<String> = []
    if let name = columns.first(where: { !names.insert($0).inserted }) {
      throw BindingError(
        .duplicateMember, "two columns have the name '\(name.shown)'", line: 1,
        hint: "give each column a different name")
    }
    opening = Array(text[..<header.end])
    closing = []
    separator = opening.suffix(2).elementsEqual([13, 10]) ? [13, 10] : [10]
    while let row = try rows.next() {
      guard row.values.count == columns.count else {
        throw BindingError(
          .wrongType, "\(row.values.count) values for \(columns.count) columns", line: row.line)
      }
      var record: [UInt8] = []
      let members = zip(columns, row.values).map { JSONMember($0, $1.isEmpty ? .null : .string($1)) }
      JSONValue.object(members).append(to: &record)
      pieces.append(Piece(range: row.range, record: record, line: row.line))
    }
    if !pieces.isEmpty { closing = separator }
  }

  // MARK: Writing

  /// Divides a record into the members that this file can contain and the others.
  func divided(_ record: JSONValue) -> (shown: JSONValue, hidden: [JSONMember]) {
    let places: [String]
    switch format {
    case .csv: places = columns
    case .text: places = [Self.lineMember]
    case .lines, .array: return (record, [])
    }
    let members = record.objectValue ?? []
    let names = Set(places)
    return (
      .object(members.filter { names.contains($0.name) }), members.filter { !names.contains($0.name) }
    )
  }

  /// The reason why this file cannot express a record.
  func unfitness(of record: JSONValue) -> String {
    if format == .text { return "its '\(Self.lineMember)' is not one line of text" }
    let nested = (record.objectValue ?? []).first { member in
      columns.contains(member.name) && (member.value.arrayValue != nil || member.value.objectValue != nil)
    }
    return "\(nested.map { "'\($0.name.shown)' is " } ?? "")an array or object, which a cell cannot hold"
  }

  /// A record in this file's format; nil if the format cannot express it.
  func rendered(_ record: JSONValue) -> [UInt8]? {
    var bytes: [UInt8] = []
    let members = record.objectValue ?? []
    switch format {
    case .csv: break
    case .lines:
      record.append(to: &bytes)
      return bytes
    case .array: return layout.text(of: record)
    case .text:
      guard let line = members[named: Self.lineMember]?.stringValue else { return nil }
      bytes = Array(line.utf8)
      let isOne = !bytes.contains { $0 == 10 || $0 == 13 } && !bytes.span.isBlankLine
      return isOne ? bytes : nil
    }
    for (index, column) in columns.enumerated() {
      if index > 0 { bytes.append(delimiter) }
      let text: String
      switch members[named: column] ?? .null {
      case .null: text = ""
      case .string(let string): text = string
      case .bool(let bool): text = bool ? "true" : "false"
      case .number(let number): text = number
      case .array, .object: return nil
      }
      CSVRows.append(text, delimiter: delimiter, to: &bytes)
    }
    return bytes
  }

  /// The text with some of its records replaced or, with nil, removed, and others added at the end.
  func replacing(_ changes: [Int: [UInt8]?], adding: [[UInt8]]) -> [UInt8] {
    var bytes = opening
    var isFirst = true
    func append(_ piece: some Collection<UInt8>) {
      if !isFirst { bytes += separator }
      isFirst = false
      bytes += piece
    }
    for (index, piece) in pieces.enumerated() {
      if let change = changes[index] {
        if let new = change { append(new) }
      } else {
        append(text[piece.range])
      }
    }
    for piece in adding { append(piece) }
    if format == .array || !isFirst {
      bytes += closing.isEmpty ? separator : closing
    } else {
      bytes += remainder
    }
    return bytes
  }
}
