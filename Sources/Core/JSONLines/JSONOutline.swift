/// The places of all values inside a value, found in one pass over validated text.
///
/// One look-up then skips a value. So a comparison that collects an object's members before comparing their
/// values does not read the text again at every level.
struct JSONOutline {
  /// A value, or a member's name with its quotes.
  struct Node {
    /// The bytes of the value in the text.
    var raw: Range<Int>

    /// The index of the node after this one and all inside it.
    var next: Int
  }

  /// All nodes in the order of the text; each name is just before its value.
  private(set) var nodes: [Node] = []

  /// Containers not yet closed, while reading.
  private var open: [Int] = []

  /// Reads the outline of the value at `raw`, which becomes node 0.
  mutating func read(_ text: Span<UInt8>, _ raw: Range<Int>) {
    nodes.removeAll(keepingCapacity: true)
    var offset = raw.lowerBound
    while offset < raw.upperBound {
      switch text[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(nodes.count)
        offset = append(offset..<offset + 1)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        offset += 1
        close(open.removeLast(), at: offset)
      case UInt8(ascii: "\""):
        offset = append(offset..<ValidatedText.endOfString(text, from: offset + 1) + 1)
      case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ":"):
        offset += 1
      default:
        offset = append(offset..<ValidatedText.endOfScalar(text, from: offset))
      }
    }
  }

  /// The nodes of an object's names, in the order of the text; each value is the node after its name.
  func names(of index: Int) -> [Int] {
    var names: [Int] = []
    names.reserveCapacity(min(16, nodes[index].next - index))
    var name = index + 1
    while name < nodes[index].next {
      names.append(name)
      name = nodes[name + 1].next
    }
    return names
  }

  /// Appends a node and returns the offset just after it.
  private mutating func append(_ raw: Range<Int>) -> Int {
    nodes.append(Node(raw: raw, next: nodes.count + 1))
    return raw.upperBound
  }

  private mutating func close(_ index: Int, at end: Int) {
    nodes[index] = Node(raw: nodes[index].raw.lowerBound..<end, next: nodes.count)
  }
}

extension JSONOutline {
  /// Compares two scalars of the same kind.
  static func isEqualScalar(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    switch JSONKind(firstByte: a[aRaw.lowerBound]) {
    case .string: JSONString.isEqual(a, content(aRaw), b, content(bRaw))
    case .number: isEqualNumber(a, aRaw, b, bRaw)
    default: true
    }
  }

  private static func isEqualNumber(
    _ a: Span<UInt8>, _ aRaw: Range<Int>, _ b: Span<UInt8>, _ bRaw: Range<Int>
  ) -> Bool {
    if ByteSearch.isEqual(a, aRaw, b, bRaw) { return true }
    // Integers in plain digits with different texts have different values, so decimals are unnecessary.
    if ExactDecimal.isCanonicalInteger(a, aRaw), ExactDecimal.isCanonicalInteger(b, bRaw) { return false }
    return ExactDecimal(a, aRaw) == ExactDecimal(b, bRaw)
  }

  /// Compares two nodes of outlines.
  static func areEqual(
    _ a: Span<UInt8>, _ aOutline: JSONOutline, _ i: Int, _ b: Span<UInt8>, _ bOutline: JSONOutline, _ j: Int
  ) -> Bool {
    let (aNode, bNode) = (aOutline.nodes[i], bOutline.nodes[j])
    let kind = JSONKind(firstByte: a[aNode.raw.lowerBound])
    // Equal values have the same number of nodes, so the following code may step through both to the end of
    // one.
    guard kind == JSONKind(firstByte: b[bNode.raw.lowerBound]), aNode.next - i == bNode.next - j else {
      return false
    }
    switch kind {
    case .array: return areEqualElements(a, aOutline, i, b, bOutline, j)
    case .object: return areEqualMembers(a, aOutline, i, b, bOutline, j)
    default: return isEqualScalar(a, aNode.raw, b, bNode.raw)
    }
  }

  private static func areEqualElements(
    _ a: Span<UInt8>, _ aOutline: JSONOutline, _ i: Int, _ b: Span<UInt8>, _ bOutline: JSONOutline, _ j: Int
  ) -> Bool {
    var (aChild, bChild) = (i + 1, j + 1)
    while aChild < aOutline.nodes[i].next {
      guard areEqual(a, aOutline, aChild, b, bOutline, bChild) else { return false }
      aChild = aOutline.nodes[aChild].next
      bChild = bOutline.nodes[bChild].next
    }
    return true
  }

  private static func areEqualMembers(
    _ a: Span<UInt8>, _ aOutline: JSONOutline, _ i: Int, _ b: Span<UInt8>, _ bOutline: JSONOutline, _ j: Int
  ) -> Bool {
    var (aNames, bNames) = (aOutline.names(of: i), bOutline.names(of: j))
    guard aNames.count == bNames.count else { return false }
    // Compares names before values, so that each value is compared once even if the order differs.
    if !areEqualNames(a, aOutline, aNames, b, bOutline, bNames) {
      sort(&aNames, a, aOutline)
      sort(&bNames, b, bOutline)
      guard areEqualNames(a, aOutline, aNames, b, bOutline, bNames) else { return false }
    }
    for (aName, bName) in zip(aNames, bNames) {
      guard areEqual(a, aOutline, aName + 1, b, bOutline, bName + 1) else { return false }
    }
    return true
  }

  private static func areEqualNames(
    _ a: Span<UInt8>, _ aOutline: JSONOutline, _ aNames: [Int],
    _ b: Span<UInt8>, _ bOutline: JSONOutline, _ bNames: [Int]
  ) -> Bool {
    for (aName, bName) in zip(aNames, bNames) {
      let (aRaw, bRaw) = (content(aOutline.nodes[aName].raw), content(bOutline.nodes[bName].raw))
      guard JSONString.isEqual(a, aRaw, b, bRaw) else { return false }
    }
    return true
  }

  /// Sorts by name; members with the same name keep their order.
  private static func sort(_ names: inout [Int], _ text: Span<UInt8>, _ outline: JSONOutline) {
    names.sort { a, b in
      let order = JSONString.compare(text, content(outline.nodes[a].raw), text, content(outline.nodes[b].raw))
      return order != 0 ? order < 0 : a < b
    }
  }

  /// A string without its quotes.
  private static func content(_ raw: Range<Int>) -> Range<Int> {
    raw.lowerBound + 1..<raw.upperBound - 1
  }
}
