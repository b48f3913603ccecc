/// A range in the objects of one mold: each end is at a fixed distance after one of the marks.
@usableFromInline
package struct MoldRange: Sendable {
  @usableFromInline let start: (mark: Int32, distance: Int32)
  @usableFromInline let end: (mark: Int32, distance: Int32)

  /// The range in all objects that corresponds to `range` in the object with these marks.
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

  /// The last mark at or before an offset, and the distance from the mark to the offset.
  private static func last(of marks: [Int], before offset: Int) -> (mark: Int32, distance: Int32) {
    let mark = (marks.firstIndex { $0 > offset } ?? marks.count) - 1
    return (Int32(mark), Int32(offset - marks[mark]))
  }
}

/// The targets of pointers in the objects of each mold.
///
/// All objects of a mold have the same names, so pointers are followed once for each mold.
@usableFromInline
package struct MoldPointers: Sendable {
  @usableFromInline
  enum Place: Sendable {
    case absent
    case found(MoldRange)
    /// The target is not known for the mold; the pointer must be followed in each object.
    case unknown
  }

  let pointers: [JSONPointer]
  /// How many pointers, from the start of the list, are followed for each mold.
  @usableFromInline let count: Int
  /// The places of each mold, one mold after the other.
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

  /// The target of the pointer at this index in the object with these marks; nil if it must be followed.
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
