extension LineMolds {
  /// Learns the form of a validated object on one line; returns the number of its mold, nil if it was not
  /// learned.
  ///
  /// `marks` then holds the marks of the object. A number below the previous count means an existing mold.
  package mutating func learn(_ text: Span<UInt8>, _ object: Range<Int>, marks: inout [Int]) -> Int? {
    guard text[object.lowerBound] == UInt8(ascii: "{") else { return nil }
    marks.removeAll()
    var (last, start) = (-1, object.lowerBound)
    while true {
      let (end, kind) = Self.endOfGap(text, start..<object.upperBound)
      repeat {
        let piece = start..<min(end, start + Piece.limit)
        guard marks.count < Self.depthLimit, text.count - start > Piece.limit,
          let node = node(Piece(text, piece), piece.upperBound < end ? .nothing : kind, after: last)
        else { return nil }
        marks.append(start)
        (last, start) = (node, piece.upperBound)
      } while start < end
      switch kind {
      case .string: start = ValidatedText.endOfString(text, from: end) + 1
      case .scalar: start = ValidatedText.endOfScalar(text, from: end)
      case .nothing, .end:
        return Int(nodes[last].next)
      }
    }
  }

  /// The end of the gap after a scalar, and the kind that follows the gap; the gap includes names and the
  /// opening quote of a string.
  private static func endOfGap(_ text: Span<UInt8>, _ rest: Range<Int>) -> (end: Int, Kind) {
    var position = rest.lowerBound
    while position < rest.upperBound {
      switch text[position] {
      case UInt8(ascii: "\""):
        let end = ValidatedText.endOfString(text, from: position + 1) + 1
        guard text[text.skippingWhitespace(from: end)] == UInt8(ascii: ":") else {
          return (position + 1, .string)
        }
        position = end
      case 0...0x20, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: ","), UInt8(ascii: ":"):
        position += 1
      default: return (position, .scalar)
      }
    }
    return (position, .end)
  }

  private var root: Int { nodes.isEmpty ? -1 : 0 }

  /// The node with this piece among those after `parent`, where -1 is the root; nil if the tree is full.
  private mutating func node(_ piece: Piece, _ kind: Kind, after parent: Int) -> Int? {
    var (place, last, breadth) = (parent < 0 ? root : Int(nodes[parent].next), -1, 0)
    while place >= 0 {
      if nodes[place].piece == piece, nodes[place].kind == kind { return place }
      (last, place, breadth) = (place, Int(nodes[place].other), breadth + 1)
    }
    guard nodes.count < Self.nodeLimit, breadth < Self.breadthLimit else { return nil }
    let new = Int32(nodes.count)
    if last >= 0 { nodes[last].other = new } else if parent >= 0 { nodes[parent].next = new }
    nodes.append(Node(piece: piece, kind: kind, next: kind == .end ? Int32(moldCount) : -1))
    if kind == .end { moldCount += 1 }
    return Int(new)
  }
}
