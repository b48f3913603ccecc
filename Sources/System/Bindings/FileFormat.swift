import JSONLines

/// The format of a bound file.
package enum FileFormat: Sendable {
  case lines, array
  /// The first line has the names, and all values are strings.
  case csv
  /// Each line is a separate record.
  case text

  /// Whether the format can express less than JSON.
  var isPartial: Bool { self == .csv || self == .text }

  /// The format of a text; an empty file has the format of its extension.
  ///
  /// A `.json` file that contains only a line feed is a file of lines whose records were all deleted.
  init(of text: [UInt8], named path: String) {
    if Self.isTable(path) {
      self = .csv
    } else if Self.isText(path) {
      self = .text
    } else if let start = Self.beginning(of: text) {
      self = text[start] == UInt8(ascii: "[") ? .array : .lines
    } else {
      self = text != [10] && Self.isJSON(path) ? .array : .lines
    }
  }

  /// The index of the first byte that is not blank, after a byte order mark; nil without such a byte.
  static func beginning(of text: [UInt8]) -> Int? {
    text.indices.dropFirst(mark(of: text).count).first { ![9, 10, 13, 32].contains(text[$0]) }
  }

  /// The byte order mark with which a text begins; empty without one.
  static func mark(of text: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return text.starts(with: mark) ? mark : []
  }

  // MARK: By its name

  /// Whether a file is a list of lines.
  static func isText(_ path: String) -> Bool { has(".txt", path) }

  /// Whether a file has separated values.
  package static func isTable(_ path: String) -> Bool { has(".csv", path) }

  /// Whether a file is JSON, and not explicitly JSON lines.
  static func isJSON(_ path: String) -> Bool { has(".json", path) }

  /// Whether a file is explicitly JSON lines.
  static func isLines(_ path: String) -> Bool { has(".jsonl", path) || has(".ndjson", path) }

  /// Whether a path ends with an extension, in upper or lower case.
  private static func has(_ end: String, _ path: String) -> Bool { path.lowercased().endsInBytes(of: end) }
}
