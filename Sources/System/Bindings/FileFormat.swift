/// The format of a bound file.
enum FileFormat: Sendable {
  case lines, array
  /// The first line has the names, and all values are strings.
  case csv
  /// Each line is a separate record.
  case text

  /// Whether the format can express less than JSON.
  var isPartial: Bool { self == .csv || self == .text }

  /// The format of a text; an empty file has the format of its extension.
  init(of text: [UInt8], named path: String) {
    if path.hasSuffix(".csv") {
      self = .csv
    } else if Self.isText(path) {
      self = .text
    } else if let start = Self.beginning(of: text) {
      self = text[start] == UInt8(ascii: "[") ? .array : .lines
    } else {
      self = path.hasSuffix(".json") ? .array : .lines
    }
  }

  /// The index of the first byte that is not blank; nil without such a byte.
  static func beginning(of text: [UInt8]) -> Int? { text.firstIndex { ![9, 10, 13, 32].contains($0) } }

  /// Whether a file is a list of lines, by its name.
  static func isText(_ path: String) -> Bool { path.hasSuffix(".txt") }
}
