/// The names that have a meaning in the lines of one kind.
@usableFromInline
package protocol LineMemberName: Sendable {
  /// The member of this raw name, nil where it has no meaning.
  init?(_ text: Span<UInt8>, _ raw: Range<Int>)
}

/// The members of the line before, since most lines of a text have the same ones in the same order.
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

  /// As many places as are worth remembering; members beyond are looked up each time.
  @usableFromInline static var limit: Int { 32 }

  @usableFromInline var places: [Place] = []
  @usableFromInline var position = 0

  @inlinable
  package init() {}

  @inlinable
  package mutating func begin() { position = 0 }

  /// The meaning of the next member of a line, told by what the one before had in its place.
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
