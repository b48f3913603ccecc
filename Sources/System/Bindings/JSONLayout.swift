import JSONLines

/// The layout of the records in a JSON array: each on one line, or indented.
struct JSONLayout {
  /// The text between a name and its value.
  private var colon: [UInt8] = [UInt8(ascii: ":")]
  /// The text between two members, without a line end.
  private(set) var comma: [UInt8] = [UInt8(ascii: ",")]
  /// The line end and the indents of records that take several lines.
  private var lines: Lines?

  private struct Lines {
    /// The line end with the indent of the record.
    var start: [UInt8]
    /// The additional indent of each level.
    var indent: [UInt8]
  }

  /// Each record on one line, without spaces.
  init() {}

  /// The layout of a record: the text of an object with a member.
  ///
  /// The result is nil for other values.
  init?(of record: Span<UInt8>) {
    guard record.count > 2, record[0] == UInt8(ascii: "{") else { return nil }
    let inner = Self.space(in: record, from: 1)
    let name = inner.upperBound
    guard record[name] == UInt8(ascii: "\"") else { return nil }
    // Skip the name; a backslash escapes the next byte.
    var end = name + 1
    while record[end] != UInt8(ascii: "\"") { end += record[end] == UInt8(ascii: "\\") ? 2 : 1 }
    let before = Self.space(in: record, from: end + 1)
    let after = Self.space(in: record, from: before.upperBound + 1)
    colon = Array(copying: record.extracting((end + 1)..<after.upperBound))
    let first = Array(copying: record.extracting(inner))
    guard first.contains(10) else {
      if !after.isEmpty { comma.append(UInt8(ascii: " ")) }
      return
    }
    var last = record.count - 1
    while Self.isSpace(record[last - 1]) { last -= 1 }
    let start = Array(copying: record.extracting(last..<(record.count - 1)))
    guard start.contains(10), first.starts(with: start) else { return }
    lines = Lines(start: start, indent: Array(first.dropFirst(start.count)))
  }

  private static func space(in record: Span<UInt8>, from start: Int) -> Range<Int> {
    var end = start
    while end < record.count, isSpace(record[end]) { end += 1 }
    return start..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

  /// The text of a record in this layout.
  func text(of record: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    append(record, at: 1, to: &bytes)
    return bytes
  }

  private func append(_ value: JSONValue, at depth: Int, to bytes: inout [UInt8]) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      append(elements, between: "[", "]", at: depth, to: &bytes) { append($0, at: depth + 1, to: &$1) }
    case .object(let members) where !members.isEmpty:
      append(members, between: "{", "}", at: depth, to: &bytes) { member, bytes in
        JSONValue.string(member.name).append(to: &bytes)
        bytes += colon
        append(member.value, at: depth + 1, to: &bytes)
      }
    default: value.append(to: &bytes)
    }
  }

  private func append<Part>(
    _ parts: [Part], between open: Unicode.Scalar, _ close: Unicode.Scalar, at depth: Int,
    to bytes: inout [UInt8], _ append: (Part, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes += comma }
      breakLine(at: depth, in: &bytes)
      append(part, &bytes)
    }
    breakLine(at: depth - 1, in: &bytes)
    bytes.append(UInt8(ascii: close))
  }

  private func breakLine(at depth: Int, in bytes: inout [UInt8]) {
    guard let lines else { return }
    bytes += lines.start
    for _ in 0..<depth { bytes += lines.indent }
  }
}
