import JSONLines

/// Goes through ranges of sorted blocks key by key; one for each thread.
package struct KeyWalk {
  package var lines: ChangeReader
  private var order: KeyOrder

  package init(_ shape: RecordShape) {
    lines = ChangeReader(shape)
    order = KeyOrder(shape)
  }

  /// Hands over the lines of each key of one range, in the order of keys.
  package mutating func forEachKey(
    of range: Int, in plan: RangePlan, _ table: LineTable,
    _ body: (KeyLines, inout ChangeReader) throws -> Void
  ) rethrows {
    var entries = plan.entries(of: range, in: table)
    order.sort(&entries, in: table)
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].flags.contains(.sameKey) { end += 1 }
      try body(KeyLines(entries, start..<end, in: table), &lines)
      start = end
    }
  }
}

/// Reads again what the rules need of lines that have been read before.
package struct ChangeReader {
  private var reader: LineReader
  private var key: [UInt8] = []

  init(_ shape: RecordShape) { reader = LineReader(shape) }

  /// The change that a line stands for; places in it are within the line.
  package mutating func change(_ line: Span<UInt8>) -> ChangeLine {
    key.removeAll(keepingCapacity: true)
    guard let change = try? reader.read(line, key: &key) else {
      preconditionFailure("the line was no change")
    }
    return change
  }

  /// The canonical key of a line.
  package mutating func key(of line: Span<UInt8>) -> [UInt8] {
    _ = change(line)
    return key
  }
}
