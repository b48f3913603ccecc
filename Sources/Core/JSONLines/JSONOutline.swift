/// Where every value inside a value lies, found in one pass over validated text.
///
/// It makes stepping over a value a matter of one look-up, so that a comparison that needs an object's
/// members before it goes into them does not read the text again at every level.
struct JSONOutline {
  /// A value, or a member's name with its quotes.
  struct Node {
    /// The bytes of the value in the text.
    var raw: Range<Int>

    /// The index of the node after this one and all inside it.
    var next: Int
  }

  /// All nodes in the order of the text; each name comes just before its value.
  private(set) var nodes: [Node] = []

  /// Containers not yet closed, while reading.
  private var open: [Int] = []

  /// Becomes the outline of the value at `raw`, which is node 0.
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
