import JSONLines
import SystemIO

/// What a file is that has JSON in it and not a JSON text on each line.
enum ForeignText {
  case byteOrderMark, utf16, array, pretty, prettyArray

  /// What the line shows that cannot be used; nil where it is merely wrong.
  init?(_ line: Span<UInt8>, because code: ErrorCode) {
    let head = line.indices.prefix(3).map { line[$0] }
    let inked = line.indices.filter { ![9, 10, 13, 32].contains(line[$0]) }
    let first = inked.first.map { line[$0] }
    switch code {
    case .unexpectedByte where head == [0xEF, 0xBB, 0xBF]: self = .byteOrderMark
    case .unexpectedByte where head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]):
      self = .utf16
    case .notAnObject where first == UInt8(ascii: "["): self = .array
    case .unexpectedEnd where inked.count == 1 && first == UInt8(ascii: "["): self = .prettyArray
    case .unexpectedEnd where inked.count == 1 && first == UInt8(ascii: "{"): self = .pretty
    default: return nil
    }
  }

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
