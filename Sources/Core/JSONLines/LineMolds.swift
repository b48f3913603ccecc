/// Molds: the texts between the scalars of earlier objects, because the objects of a file differ mostly in
/// their scalars.
///
/// An object that fits a mold is valid if its scalars are valid. The molds of a text form one tree, because
/// many have a common prefix.
@usableFromInline
package struct LineMolds: Sendable {
  /// The number of the mold that an object fits, and the offset just after the object.
  @usableFromInline
  package struct Fit: Sendable {
    @usableFromInline package let mold: Int
    @usableFromInline package let end: Int
  }

  var nodes: [Node] = []
  var moldCount = 0

  /// The maximum number of nodes: in a row, in total, and as alternatives in one place.
  static let depthLimit = 64
  static let nodeLimit = 192
  static let breadthLimit = 8

  /// An array of marks that is long enough for any object.
  @usableFromInline package static var noMarks: [Int] { [Int](repeating: 0, count: depthLimit) }

  @usableFromInline
  package init() {}

  /// The mold that the object at `start` fits; nil if it does not fit one, or is not valid.
  ///
  /// `marks` receives the place of each piece of the object, one for each node on its path.
  @usableFromInline
  package func fit(_ text: Span<UInt8>, from start: Int, marks: inout [Int]) -> Fit? {
    // This is checked first, because an empty array is not aligned as nodes are and cannot provide a span.
    guard !nodes.isEmpty, marks.count >= Self.depthLimit else { return nil }
    let nodes = nodes.span
    var marks = marks.mutableSpan
    var (place, depth, position) = (0, 0, start)
    while true {
      // The tree ends early if it was full when an object was learned.
      guard place >= 0, text.count &- position > Piece.limit else { return nil }
      // Node numbers are from the tree itself, and the number of marks is at least its depth.
      let piece = Piece.bytes(text, at: position)
      while !(unsafe nodes[unchecked: place].accepts(piece, text, at: position)) {
        place = unsafe Int(nodes[unchecked: place].other)
        guard place >= 0 else { return nil }
      }
      unsafe marks[unchecked: depth] = position
      depth &+= 1
      let length = unsafe Int(nodes[unchecked: place].piece.count)
      let kind = unsafe nodes[unchecked: place].kind
      place = unsafe Int(nodes[unchecked: place].next)
      position &+= length
      switch kind {
      case .string:
        guard let end = Self.endOfString(text, from: position) else { return nil }
        position = end
      case .scalar:
        guard let end = Self.endOfScalar(text, from: position) else { return nil }
        position = end
      case .nothing: break
      case .end: return Fit(mold: place, end: position)
      }
    }
  }

  @inline(__always)
  private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int? {
    do throws(JSONError) { return try StringScanner.end(text, from: start) &+ 1 } catch { return nil }
  }

  @inline(__always)
  private static func endOfScalar(_ text: Span<UInt8>, from start: Int) -> Int? {
    do throws(JSONError) {
      return text.byte(at: start) >= UInt8(ascii: "a")
        ? try LiteralScanner.end(text, from: start) : try NumberScanner.end(text, from: start)
    } catch {
      return nil
    }
  }
}

extension LineMolds {
  /// The kind of value after a piece.
  enum Kind: UInt8 {
    /// The content of a string; the piece ends with the opening quote.
    case string
    /// A number or a literal.
    case scalar
    /// Another piece, since this one has the maximal length.
    case nothing
    /// The end of the object.
    case end
  }

  /// A piece and the nodes that may follow it.
  struct Node: Sendable {
    let piece: Piece
    let kind: Kind
    /// The first node after this one; -1 if missing.
    ///
    /// After the last piece, the number of the mold.
    var next: Int32 = -1
    /// The node with an alternative piece in the same place; -1 if missing.
    var other: Int32 = -1

    /// Whether the text continues with this node.
    @inline(__always)
    func accepts(_ bytes: SIMD4<UInt64>, _ text: Span<UInt8>, at position: Int) -> Bool {
      guard piece.begins(bytes) else { return false }
      return kind != .scalar || Self.beginsScalar(text.byte(at: position &+ Int(piece.count)))
    }

    /// Whether the byte can begin a number, `true`, `false` or `null`, among all bytes that can begin a value.
    @inline(__always)
    private static func beginsScalar(_ byte: UInt8) -> Bool {
      byte &- 0x2D < 13 || byte &- UInt8(ascii: "a") < 26
    }
  }

  /// At most 32 of the bytes between two scalars.
  struct Piece: Equatable, Sendable {
    static let limit = 32

    private let bytes: SIMD4<UInt64>
    /// The bits of the words that are part of the piece.
    private let mask: SIMD4<UInt64>
    let count: Int32

    /// The bytes of a range of at most 32 bytes; the text must have 32 bytes after its beginning.
    init(_ text: Span<UInt8>, _ range: Range<Int>) {
      var mask = SIMD32<UInt8>()
      for index in 0..<range.count { mask[index] = 0xFF }
      self.mask = unsafe unsafeBitCast(mask, to: SIMD4<UInt64>.self)
      bytes = Self.bytes(text, at: range.lowerBound) & self.mask
      count = Int32(range.count)
    }

    /// The 32 bytes from `offset`, followed by at least one more.
    @inline(__always)
    static func bytes(_ text: Span<UInt8>, at offset: Int) -> SIMD4<UInt64> {
      // The caller has compared the offset with the length of the text; every bit pattern is a valid vector.
      unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD4<UInt64>.self)
    }

    /// Whether these bytes begin with the piece.
    @inline(__always)
    func begins(_ other: SIMD4<UInt64>) -> Bool {
      let difference = (other ^ bytes) & mask
      return difference[0] | difference[1] | difference[2] | difference[3] == 0
    }
  }
}
