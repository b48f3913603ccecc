/// The scalars of the objects of one mold in canonical order, which is the same for all its objects.
struct MoldOrder: Sendable {
  private struct Scalar: Sendable {
    let range: MoldRange
    /// The byte after the scalar in the canonical form.
    let follower: UInt8
  }

  private var scalars: [Scalar] = []

  /// The order of the mold of a validated object with these marks.
  init(_ text: Span<UInt8>, _ object: Range<Int>, _ marks: [Int]) {
    append(text, object, before: 0, marks)
  }

  private mutating func append(
    _ text: Span<UInt8>, _ value: Range<Int>, before follower: UInt8, _ marks: [Int]
  ) {
    let kind = JSONKind(firstByte: text[value.lowerBound])
    guard kind == .object || kind == .array else {
      return scalars.append(Scalar(range: MoldRange(value, marks), follower: follower))
    }
    var parts: [(name: Range<Int>, value: Range<Int>)] = []
    var cursor = ContainerCursor(opening: value.lowerBound)
    while cursor.hasNext(in: text) {
      let name = kind == .object ? cursor.readName(in: text) : 0..<0
      parts.append((name, cursor.passValue(in: text)))
    }
    parts.sort { a, b in
      let order = JSONString.compare(text, a.name, text, b.name)
      return order != 0 ? order < 0 : a.value.lowerBound < b.value.lowerBound
    }
    let close = UInt8(ascii: kind == .object ? "}" : "]")
    for (index, part) in parts.enumerated() {
      append(text, part.value, before: index == parts.count - 1 ? close : UInt8(ascii: ","), marks)
    }
  }

  /// Compares the canonical forms of two objects of the mold as bytes: the first differing scalars decide.
  func compare(_ a: Span<UInt8>, _ aMarks: [Int], _ b: Span<UInt8>, _ bMarks: [Int]) -> Int {
    for scalar in scalars {
      let (aRaw, bRaw) = (scalar.range.range(aMarks), scalar.range.range(bMarks))
      if ByteSearch.isEqual(a, aRaw, b, bRaw) { continue }
      let order = CanonicalWalk.compareScalars(a, aRaw, b, bRaw, follower: scalar.follower) ?? 0
      if order != 0 { return order }
    }
    return 0
  }
}
