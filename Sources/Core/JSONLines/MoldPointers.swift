/// A range in the objects of one mold: each end is so far after one of the marks.
@usableFromInline
package struct MoldRange: Sendable {
  @usableFromInline let start: (mark: Int32, distance: Int32)
  @usableFromInline let end: (mark: Int32, distance: Int32)

  /// The range in all objects that is `range` in the one with these marks.
  package init(_ range: Range<Int>, _ marks: [Int]) {
    (start, end) = (
      Self.last(of: marks, before: range.lowerBound), Self.last(of: marks, before: range.upperBound)
    )
  }

  /// The range in the object with these marks.
  @inlinable @inline(__always)
  package func range(_ marks: [Int]) -> Range<Int> {
    marks[Int(start.mark)] &+ Int(start.distance)..<marks[Int(end.mark)] &+ Int(end.distance)
  }

  /// The last of the marks at or before an offset, and how far before.
  private static func last(of marks: [Int], before offset: Int) -> (mark: Int32, distance: Int32) {
    let mark = (marks.firstIndex { $0 > offset } ?? marks.count) - 1
    return (Int32(mark), Int32(offset - marks[mark]))
  }
}

/// Where pointers lead in the objects of each mold, which all have the same names: they are followed once for each mold.
@usableFromInline
package struct MoldPointers: Sendable {
  @usableFromInline
  enum Place: Sendable {
    case absent
    case found(MoldRange)
    /// To be followed in each object.
    case unknown
  }

  let pointers: [JSONPointer]
  /// So many are followed for each mold, the first ones.
  @usableFromInline let count: Int
  /// Those of each mold one after the other.
  @usableFromInline var places: [Place] = []

  package init(_ pointers: [JSONPointer]) { (self.pointers, count) = (pointers, min(pointers.count, 64)) }

  /// Follows the pointers in an object of the next mold.
  package mutating func learn(_ text: Span<UInt8>, _ object: Range<Int>, _ marks: [Int]) {
    for pointer in pointers.prefix(count) {
      switch pointer.find(in: text, object) {
      case .absent: places.append(.absent)
      case .found(let range): places.append(.found(MoldRange(range, marks)))
      case .duplicate: places.append(.unknown)
      }
    }
  }

  /// Where the pointer at this place of the list leads in the object with these marks; nil if it has to be
  /// followed.
  @inlinable @inline(__always)
  package func find(_ pointer: Int, mold: Int, _ marks: [Int]) -> JSONPointer.Match? {
    guard pointer < count else { return nil }
    switch places[mold &* count &+ pointer] {
    case .absent: return .absent
    case .found(let range): return .found(range.range(marks))
    case .unknown: return nil
    }
  }
}
