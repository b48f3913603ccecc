/// Equality of values, not of texts.
///
/// Numbers are exact decimals, strings are compared decoded, arrays in order, objects whatever the
/// order of their members. Members of one object with the same name keep their order: `{"a":1,"a":2}`
/// is not `{"a":2,"a":1}`.
package enum JSONEquality {
  /// Whether two validated values are equal; each range is a value without white space around it.
  ///
  /// The time is that of sorting the members, for hostile objects too.
  package static func isEqual(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    if ByteSearch.isEqual(a, aRaw, b, bRaw) { return true }
    guard JSONKind(firstByte: a[aRaw.lowerBound]) == JSONKind(firstByte: b[bRaw.lowerBound]) else {
      return false
    }
    let (aOutline, bOutline) = (JSONOutline(a, aRaw), JSONOutline(b, bRaw))
    guard aOutline.nodes.count == bOutline.nodes.count else { return false }
    return isEqual(a, aOutline, 0, b, bOutline, 0)
  }

  private static func isEqual(
    _ a: Span<UInt8>, _ aOutline: JSONOutline, _ aNode: Int,
    _ b: Span<UInt8>, _ bOutline: JSONOutline, _ bNode: Int
  ) -> Bool {
    let (aRaw, bRaw) = (aOutline.nodes[aNode].raw, bOutline.nodes[bNode].raw)
    let kind = JSONKind(firstByte: a[aRaw.lowerBound])
    guard kind == JSONKind(firstByte: b[bRaw.lowerBound]) else { return false }
    switch kind {
    case .string:
      return JSONString.isEqual(a, content(aRaw), b, content(bRaw))
    case .number:
      return ByteSearch.isEqual(a, aRaw, b, bRaw) || ExactDecimal(a, aRaw) == ExactDecimal(b, bRaw)
    case .array, .object:
      let (aItems, bItems) = (children(a, aOutline, aNode), children(b, bOutline, bNode))
      return aItems.count == bItems.count
        && zip(aItems, bItems).allSatisfy { isEqual(a, aOutline, $0, b, bOutline, $1) }
    default:
      return true
    }
  }

  /// The nodes to be compared in turn: elements in order, or names and values by the order of the names.
  private static func children(_ text: Span<UInt8>, _ outline: JSONOutline, _ node: Int) -> [Int] {
    let children = outline.children(of: node)
    guard text[outline.nodes[node].raw.lowerBound] == UInt8(ascii: "{") else { return children }
    let names = stride(from: 0, to: children.count, by: 2).map { children[$0] }
    let sorted = names.sorted { a, b in
      let order = JSONString.compare(
        text, content(outline.nodes[a].raw), text, content(outline.nodes[b].raw))
      return order != 0 ? order < 0 : a < b
    }
    return sorted.flatMap { [$0, $0 + 1] }
  }

  /// A string without its quotes.
  private static func content(_ raw: Range<Int>) -> Range<Int> {
    raw.lowerBound + 1..<raw.upperBound - 1
  }
}
