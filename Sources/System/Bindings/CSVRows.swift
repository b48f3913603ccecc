import JSONLines

/// The rows of a text of separated values (RFC 4180).
///
/// The delimiter is `,`, `;` or tab, whichever is most frequent in the first line.
struct CSVRows {
  struct Row {
    var values: [String]
    /// The row without its line end.
    var range: Range<Int>
    /// The offset after the line end.
    var end: Int
    /// The line of the row, counted from 1.
    var line: Int
  }

  let delimiter: UInt8
  private let text: [UInt8]
  private var position: Int
  private var line = 1

  init(_ text: [UInt8]) {
    self.text = text
    // Skip a byte order mark.
    position = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let header = text.prefix { $0 != 10 }
    delimiter =
      [UInt8(ascii: ","), UInt8(ascii: ";"), 9].max { a, b in
        header.count { $0 == a } < header.count { $0 == b }
      } ?? UInt8(ascii: ",")
  }

  /// The next row, nil at the end.
  ///
  /// Blank lines are skipped. A last line without its end is an error.
  mutating func next() throws(BindingError) -> Row? {
    while position < text.count, text[position] == 10 || text[position] == 13 {
      if text[position] == 10 { line += 1 }
      position += 1
    }
    guard position < text.count else { return nil }
    let (start, first) = (position, line)
    var values: [String] = []
    while true {
      values.append(try value(from: first))
      guard position < text.count else {
        throw .halfWritten(line: line)
      }
      let byte = text[position]
      if byte == delimiter {
        position += 1
        continue
      }
      let end = position
      position += byte == 13 ? 2 : 1
      line += 1
      return Row(values: values, range: start..<end, end: min(position, text.count), line: first)
    }
  }

  /// Reads a value up to a delimiter, a line end, or the end of the text.
  private mutating func value(from first: Int) throws(BindingError) -> String {
    var bytes: [UInt8] = []
    if position < text.count, text[position] == UInt8(ascii: "\"") {
      position += 1
      while true {
        guard position < text.count else {
          throw BindingError(.unterminatedLine, "a quote that is not closed", line: first)
        }
        let byte = text[position]
        position += 1
        if byte == UInt8(ascii: "\"") {
          guard position < text.count, text[position] == byte else { break }
          position += 1
        } else if byte == 10 {
          line += 1
        }
        bytes.append(byte)
      }
    }
    while position < text.count, !isEnd(position) {
      bytes.append(text[position])
      position += 1
    }
    guard let value = String(validating: bytes, as: UTF8.self) else {
      throw .notUTF8(line: first)
    }
    return value
  }

  private func isEnd(_ offset: Int) -> Bool {
    switch text[offset] {
    case delimiter, 10: true
    case 13: offset + 1 < text.count && text[offset + 1] == 10
    default: false
    }
  }

  static func append(_ value: String, delimiter: UInt8, to bytes: inout [UInt8]) {
    let special: Set<UInt8> = [delimiter, 10, 13, UInt8(ascii: "\"")]
    guard value.utf8.contains(where: special.contains) else { return bytes += value.utf8 }
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
