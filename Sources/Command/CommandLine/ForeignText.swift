package import JSONLines
import SystemIO

/// A file that contains JSON, but not one JSON text per line.
enum ForeignText {
  case byteOrderMark, utf16, array, pretty, prettyArray
  /// An array after other lines; these may be records.
  case laterArray
  /// A record followed by a comma, as in an array without its brackets.
  case comma

  /// Classifies a file by its first unusable line; nil if the line is merely malformed.
  init?(_ line: Span<UInt8>) {
    guard let ink = line.ink else { return nil }
    let head = (0..<min(line.count, 3)).map { line[$0] }
    // A line can end in one of these characters only if the text continues.
    let goesOn = "{[,:".utf8.contains(line[ink.upperBound - 1])
    switch line[ink.lowerBound] {
    case _ where head == [0xEF, 0xBB, 0xBF]: self = .byteOrderMark
    case _ where head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]): self = .utf16
    case UInt8(ascii: "["): self = goesOn ? .prettyArray : .array
    case UInt8(ascii: "{") where goesOn: self = .pretty
    default: return nil
    }
  }

  /// Classifies the line that a diagnostic names.
  ///
  /// A line after other lines, even blank ones, is classified only if its form is certain. `isFirst` means
  /// that all earlier lines were valid.
  init?(_ line: Span<UInt8>, of diagnostic: Diagnostic, isFirst: Bool = true) {
    let isCoded = Self.codedFaults.contains(diagnostic.code)
    guard isCoded || Self.faults.contains(diagnostic.code) else { return nil }
    self.init(line)
    let isAtStart = diagnostic.line == 1
    if diagnostic.code == .trailingBytes {
      guard case .pretty = self, isFirst, line.endsRecordWithComma else { return nil }
      self = .comma
    }
    let isPlain =
      switch self {
      case .byteOrderMark, .utf16: isAtStart
      case .array: !isCoded && diagnostic.code != .unexpectedEnd && line.mayBeJSON
      case .pretty: !isCoded && !diagnostic.isOfText && (isAtStart || isFirst && line.isAllOpening)
      case .prettyArray: !isCoded && (isAtStart || isFirst)
      case .laterArray, .comma: true
      }
    guard isPlain else { return nil }
    if !isAtStart, self == .array || self == .prettyArray { self = .laterArray }
  }

  /// The remedy for the file that a diagnostic names.
  static func remedy(_ diagnostic: Diagnostic) -> String? {
    guard diagnostic.line != nil, let path = diagnostic.file, FileMode.exists(path), FileMode.isFile(path),
      let head = try? ByteInput.beginning(of: path, limit: 4_096),
      let line = head.span.firstLine, line.number == diagnostic.line
    else { return nil }
    return ForeignText(head.span.extracting(line.content), of: diagnostic)?.remedy(for: path, with: head.span)
  }

  /// The codes for lines that are not a JSON object.
  private static let faults: Set<ErrorCode> = [
    .unexpectedByte, .unexpectedEnd, .trailingBytes, .notAnObject, .damagedRecord, .invalidStory,
    .notAMessage, .notAMeshMessage, .missingMember,
  ]

  /// The codes for lines that are neither hex nor Base64.
  private static let codedFaults: Set<ErrorCode> = [.invalidBase64, .invalidHex]

  /// The name of the form, and a command that converts it to lines.
  ///
  /// `text` is the known part of the file: jq before version 1.7 rounds numbers of more digits than a double has.
  func remedy(for file: String?, with text: Span<UInt8>) -> String {
    let needsJQ = self != .byteOrderMark && self != .utf16 && self != .comma
    return command(for: file)
      + (needsJQ && text.hasLongNumber ? " (use jq 1.7 or later for its long numbers)" : "")
  }

  private func command(for file: String?) -> String {
    let name = file.flatMap { $0 == "-" ? nil : ShellWord.path($0) }
    let operand = name.map { " " + $0 } ?? ""
    return switch self {
    case .byteOrderMark: "the text begins with a byte order mark: tail -c +4\(operand) leaves it out"
    case .utf16: "the text is UTF-16: iconv -f UTF-16 -t UTF-8\(operand) converts it"
    case .array: "a JSON array: jq -c '.[]'\(operand) writes each element as a line"
    case .pretty: "JSON over several lines: jq -c .\(operand) writes it as one line"
    case .laterArray: "a JSON array: jq -c 'arrays[], objects'\(operand) writes each element as a line"
    case .comma: "a comma follows the record: sed 's/,[[:space:]]*$//'\(operand) leaves it out"
    case .prettyArray: "a JSON array over several lines: jq -c '.[]'\(operand) writes each element as a line"
    }
  }
}

extension Diagnostic {
  /// The same diagnostic, with a hint if the first nonblank line shows the form of the text.
  package func hinting(at text: Span<UInt8>) -> Diagnostic {
    guard hint == nil, let first = text.firstLine, line == first.number else { return self }
    var diagnostic = self
    diagnostic.hint = ForeignText(text.extracting(first.content), of: self)?.remedy(for: file, with: text)
    return diagnostic
  }

  /// The same diagnostic, with a hint if the text has a byte order mark or is UTF-16.
  package func hinting(atEncodingOf text: Span<UInt8>, in file: String) -> Diagnostic {
    guard let foreign = ForeignText(text), foreign == .byteOrderMark || foreign == .utf16 else { return self }
    var diagnostic = self
    diagnostic.hint = foreign.remedy(for: file, with: text)
    return diagnostic
  }
}

extension Span<UInt8> {
  /// The range without white space at both ends; nil for a blank line.
  fileprivate var ink: Range<Int>? {
    var (start, end) = (0, count)
    while start < end, self[start].isBlank { start += 1 }
    while end > start, self[end - 1].isBlank { end -= 1 }
    return start < end ? start..<end : nil
  }

  /// Whether the line is JSON, or can become JSON if it continues.
  fileprivate var mayBeJSON: Bool {
    do throws(JSONError) {
      try JSONScanner.validate(self)
    } catch {
      return error.code == .unexpectedEnd || error.code == .trailingBytes
    }
    return true
  }

  /// Whether the line ends with a closing bracket and a comma.
  fileprivate var endsRecordWithComma: Bool {
    guard let ink, ink.count > 1, self[ink.upperBound - 1] == UInt8(ascii: ",") else { return false }
    let record = extracting(0..<ink.upperBound - 1)
    return record.ink.map { record[$0.upperBound - 1] == UInt8(ascii: "}") } ?? false
  }

  /// Whether the line has only opening brackets, like the first line of a text over several lines.
  fileprivate var isAllOpening: Bool {
    for index in indices where !self[index].isBlank && !"[{".utf8.contains(self[index]) { return false }
    return true
  }

  /// Whether a number, or another run of digits, has more of them than a double is sure to keep.
  fileprivate var hasLongNumber: Bool {
    var run = 0
    for index in indices {
      if self[index] &- 48 < 10 { run += 1 } else if self[index] != UInt8(ascii: ".") { run = 0 }
      if run > 15 { return true }
    }
    return false
  }

  /// The first line that is not blank.
  fileprivate var firstLine: LineCursor.Line? {
    var lines = LineCursor()
    while let line = lines.next(in: self) {
      if !extracting(line.content).isBlankLine { return line }
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 32 || 9...10 ~= self || self == 13 }
}
