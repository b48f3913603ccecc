import JSONLines
import SystemIO

/// What a file is that has JSON in it and not a JSON text on each line.
enum ForeignText {
  case byteOrderMark, utf16, array, pretty, prettyArray

  /// What the first line of a file shows that could not be used; nil where it is merely wrong.
  init?(_ line: Span<UInt8>) {
    let head = line.indices.prefix(3).map { line[$0] }
    let inked = line.indices.filter { ![9, 10, 13, 32].contains(line[$0]) }.map { line[$0] }
    guard let first = inked.first, let last = inked.last else { return nil }
    // What can stand last only where the text goes on.
    let goesOn = "{[,:".utf8.contains(last)
    switch first {
    case _ where head == [0xEF, 0xBB, 0xBF]: self = .byteOrderMark
    case _ where head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]): self = .utf16
    case UInt8(ascii: "["): self = goesOn ? .prettyArray : .array
    case UInt8(ascii: "{") where goesOn: self = .pretty
    default: return nil
    }
  }

  /// The same of a line that a diagnostic is about: only the first one shows it.
  init?(_ line: Span<UInt8>, of diagnostic: Diagnostic) {
    guard diagnostic.line == 1, Self.faults.contains(diagnostic.code) else { return nil }
    self.init(line)
  }

  /// The same of a file that a diagnostic is about.
  static func beginning(_ diagnostic: Diagnostic) -> ForeignText? {
    guard diagnostic.line == 1, let path = diagnostic.file, FileMode.exists(path), FileMode.isFile(path),
      let head = try? ByteInput.beginning(of: path, limit: 4_096)
    else { return nil }
    let line = Array(head.prefix { $0 != UInt8(ascii: "\n") })
    return ForeignText(line.span, of: diagnostic)
  }

  /// What a line that is no JSON object is called.
  private static let faults: Set<ErrorCode> = [
    .unexpectedByte, .unexpectedEnd, .notAnObject, .damagedRecord, .invalidStory, .notAMessage,
  ]

  /// What it is, and the command that makes lines of it.
  func remedy(for file: String?) -> String {
    let name = file.flatMap { $0 == "-" ? nil : ShellWord.posix($0) }
    let operand = name.map { " " + $0 } ?? ""
    return switch self {
    case .byteOrderMark: "a byte order mark stands before the text: tail -c +4\(operand) leaves it out"
    case .utf16: "the text is UTF-16: iconv -f UTF-16 -t UTF-8\(operand) changes that"
    case .array: "a JSON array: jq -c '.[]'\(operand) makes a line of each element"
    case .pretty: "JSON over several lines: jq -c .\(operand) makes one line of it"
    case .prettyArray: "a JSON array over several lines: jq -c '.[]'\(operand) makes a line of each element"
    }
  }
}
