import JSONLines

/// Reads again what the rules need of lines that have been read before.
package struct ChangeReader {
  private var reader: LineReader
  private var key: [UInt8] = []

  package init(_ shape: RecordShape) { reader = LineReader(shape) }

  /// The change that a line stands for; places in it are within the line.
  package mutating func change(_ line: Span<UInt8>) -> ChangeLine {
    key.removeAll(keepingCapacity: true)
    guard let change = try? reader.read(line, key: &key) else {
      preconditionFailure("the line was no change")
    }
    return change
  }

  /// Its canonical key.
  package mutating func key(of line: Span<UInt8>) -> [UInt8] {
    _ = change(line)
    return key
  }

  /// Appends `"entityName":…,"identity":…`, spelled as in the line.
  package mutating func appendKeyMembers(of line: Span<UInt8>, to bytes: inout [UInt8]) {
    // It has been read before, so that this cannot fail.
    try? reader.appendKeyMembers(of: line, to: &bytes)
  }

  /// Whether two lines of one key are the same by value.
  func isEqual(_ a: Int, _ b: Int, in lines: KeyLines) -> Bool {
    !MergeOrder.differInContent(lines.text(a), lines.text(b))
  }
}
