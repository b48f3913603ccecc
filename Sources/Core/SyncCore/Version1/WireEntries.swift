import JSONLines

/// Steps through a delta as version 1 applies it: the deletes in their order, then the upserts in theirs.
package struct WireEntries: Sendable {
  private let upserts: Range<Int>
  private var kind = WireEntry.Kind.delete
  private var cursor: ContainerCursor
  private var count = 0

  package init(_ delta: WireDelta) {
    upserts = delta.upserts
    cursor = ContainerCursor(opening: delta.deletes.lowerBound)
  }

  package mutating func next(in text: Span<UInt8>) -> WireEntry? {
    while !cursor.hasNext(in: text) {
      guard kind == .delete else { return nil }
      kind = .upsert
      cursor = ContainerCursor(opening: upserts.lowerBound)
      count = 0
    }
    defer { count += 1 }
    return WireEntry(kind: kind, index: count, raw: cursor.passValue(in: text))
  }
}
