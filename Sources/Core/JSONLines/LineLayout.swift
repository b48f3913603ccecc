/// The known member names in the lines of one kind.
@usableFromInline
package protocol LineMemberName: Sendable {
  /// The member with this raw name; nil if it is unknown.
  init?(_ text: Span<UInt8>, _ raw: Range<Int>)
}

/// The members of the previous line, since most lines of a text have the same members in the same order.
@usableFromInline
package struct LineLayout<Name: LineMemberName>: Sendable {
  @usableFromInline
  struct Place: Sendable {
    @usableFromInline var spelling: ShortString?
    @usableFromInline var name: Name?

    @inlinable
    init(spelling: ShortString?, name: Name?) {
      self.spelling = spelling
      self.name = name
    }
  }

  /// The maximum number of remembered members; further ones are looked up each time.
  @usableFromInline static var limit: Int { 32 }

  @usableFromInline var places: [Place] = []
  @usableFromInline var position = 0

  @inlinable
  package init() {}

  @inlinable
  package mutating func begin() { position = 0 }

  /// The meaning of the next member of a line, based on the previous line.
  @inlinable @inline(__always)
  package mutating func next(_ text: Span<UInt8>, _ raw: Range<Int>) -> Name? {
    guard position < places.count, let spelling = places[position].spelling, spelling.isEqual(text, raw)
    else {
      return learn(text, raw)
    }
    position &+= 1
    return places[position &- 1].name
  }

  @inlinable
  mutating func learn(_ text: Span<UInt8>, _ raw: Range<Int>) -> Name? {
    let place = Place(spelling: ShortString(text, raw), name: Name(text, raw))
    if position < places.count {
      places[position] = place
    } else if position < Self.limit {
      places.append(place)
    }
    position += 1
    return place.name
  }
}

/// Up to 16 bytes in two words, for a fast comparison of short strings.
@usableFromInline
package struct ShortString: Equatable, Sendable {
  @usableFromInline package let count: Int
  @usableFromInline let low: UInt64
  @usableFromInline let high: UInt64
  /// The bits of the words that are part of the string.
  @usableFromInline let lowMask: UInt64
  @usableFromInline let highMask: UInt64

  package static let empty = {
    let nothing: [UInt8] = []; return ShortString(nothing.span, 0..<0)
  }()

  /// The bytes of a range; nil if there are more than 16.
  @usableFromInline
  package init?(_ text: Span<UInt8>, _ range: Range<Int>) {
    guard range.count <= 16 else { return nil }
    count = range.count
    low = Self.word(text, range.prefix(8))
    high = Self.word(text, range.dropFirst(8))
    lowMask = Self.mask(range.prefix(8).count)
    highMask = Self.mask(range.dropFirst(8).count)
  }

  /// Whether a range has the same bytes.
  @inlinable
  @inline(__always)
  package func isEqual(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == count else { return false }
    guard text.count &- range.lowerBound >= 16 else { return ShortString(text, range) == self }
    return text.word(at: range.lowerBound) & lowMask == low
      && text.word(at: range.lowerBound &+ 8) & highMask == high
  }

  /// Whether a range has the same bytes after 0x20, the lower-case bit, is set in each; false near the end of
  /// the text.
  @inlinable
  @inline(__always)
  package func isEqual(lowerCase text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == count, text.count &- range.lowerBound >= 16 else { return false }
    let bits: UInt64 = 0x2020_2020_2020_2020
    return (text.word(at: range.lowerBound) | bits) & lowMask == low
      && (text.word(at: range.lowerBound &+ 8) | bits) & highMask == high
  }

  private static func word(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    range.reversed().reduce(0) { $0 << 8 | UInt64(text[$1]) }
  }

  private static func mask(_ count: Int) -> UInt64 { (1 << UInt64(8 * count)) &- 1 }
}
