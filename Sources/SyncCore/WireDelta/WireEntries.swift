import JSONLines

/// Steps through a delta: the upserts in their order, then the deletes in theirs.
package struct WireEntries: Sendable {
  private let deletes: Range<Int>
  private var kind = WireEntry.Kind.upsert
  private var cursor: ContainerCursor
  private var count = 0

  package init(_ delta: WireDelta) {
    deletes = delta.deletes
    cursor = ContainerCursor(opening: delta.upserts.lowerBound)
  }

  package mutating func next(in text: Span<UInt8>) -> WireEntry? {
    while !cursor.hasNext(in: text) {
      guard kind == .upsert else { return nil }
      kind = .delete
      cursor = ContainerCursor(opening: deletes.lowerBound)
      count = 0
    }
    defer { count += 1 }
    return WireEntry(kind: kind, index: count, raw: cursor.passValue(in: text))
  }
}
