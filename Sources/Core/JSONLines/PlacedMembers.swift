/// The known names in the objects of one kind, at most 64, numbered from 0.
@usableFromInline
package protocol PlacedName: LineMemberName, RawRepresentable<Int> {
  /// The spellings of the names, sorted by number.
  static var spellings: PlacedSpellings { get }
}

extension PlacedName {
  /// The name as it is written.
  @usableFromInline
  package var name: String { String(decoding: Self.spellings.bytes[rawValue], as: UTF8.self) }

  /// The member that the raw name decodes to; nil if it is unknown.
  @inlinable
  package init?(_ text: Span<UInt8>, _ raw: Range<Int>) {
    guard let number = Self.spellings.find(text, raw) else { return nil }
    self.init(rawValue: number)
  }
}

/// The bytes of names.
@usableFromInline
package struct PlacedSpellings: Sendable {
  package let bytes: [[UInt8]]
  /// Length and first byte of each, which settle most comparisons.
  private let keys: [UInt16]

  package init(_ names: [String]) {
    bytes = names.map { Array($0.utf8) }
    keys = bytes.map { Self.key($0.count, $0[0]) }
  }

  private static func key(_ count: Int, _ first: UInt8) -> UInt16 {
    UInt16(truncatingIfNeeded: count) &<< 8 | UInt16(first)
  }

  /// The number of the name that a raw name decodes to; nil if it is unknown.
  @usableFromInline
  package func find(_ text: Span<UInt8>, _ raw: Range<Int>) -> Int? {
    guard !raw.isEmpty else { return nil }
    let key = Self.key(raw.count, text[raw.lowerBound])
    for number in keys.indices where keys[number] == key {
      if JSONString.isEqual(text, raw, to: bytes[number]) { return number }
    }
    // A name with an escape is longer than its decoded form.
    guard JSONString.hasEscape(text, raw) else { return nil }
    for number in keys.indices where JSONString.isEqual(text, raw, to: bytes[number]) { return number }
    return nil
  }
}

/// The places of the known members in one object of a text; reused from object to object.
///
/// As for ``Members``, null counts as absent, and a member that is read must not appear twice.
@usableFromInline
package struct PlacedMembers<Name: PlacedName, Failure: MemberFailure>: MemberSink, Sendable {
  @usableFromInline var places = [Range<Int>](repeating: 0..<0, count: Name.spellings.bytes.count)
  @usableFromInline var seen: UInt64 = 0
  @usableFromInline var repeated: UInt64 = 0
  @usableFromInline var layout = LineLayout<Name>()

  package init() {}

  /// Reads a validated object.
  package init(_ text: Span<UInt8>, _ raw: Range<Int>) throws(Failure) {
    guard text.isObject(raw) else { throw .notAnObject }
    read(text, raw)
  }

  @inlinable
  package mutating func clear() {
    (seen, repeated) = (0, 0)
    layout.begin()
  }

  // This is not inlined: the variables of the scanner's loop would no longer fit into registers.
  @inlinable @inline(never)
  package mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    guard let member = layout.next(text, name) else { return }
    let bit = Self.bit(member)
    guard seen & bit == 0 else {
      repeated |= bit
      return
    }
    seen |= bit
    places[member.rawValue] = value
  }

  /// Takes the members of the validated object at `raw`, replacing those of the previous one.
  @inlinable
  package mutating func read(_ text: Span<UInt8>, _ raw: Range<Int>) {
    clear()
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) {
      let name = cursor.readName(in: text)
      member(in: text, name: name, value: cursor.passValue(in: text))
    }
  }

  @inlinable @inline(__always)
  static func bit(_ name: Name) -> UInt64 { 1 &<< UInt64(name.rawValue) }

  /// Rejects an object with a duplicate known member.
  @inlinable @inline(__always)
  package func requireSingle() throws(Failure) {
    if repeated != 0 { throw firstRepeated }
  }

  @usableFromInline
  var firstRepeated: Failure { .duplicateMember(Name(rawValue: repeated.trailingZeroBitCount)?.name ?? "") }

  /// Whether a member appears, whatever its value.
  @inlinable @inline(__always)
  package func has(_ name: Name) -> Bool { seen & Self.bit(name) != 0 }

  // MARK: Values

  /// The raw value; nil if the member is absent.
  @inlinable @inline(__always)
  package func find(_ name: Name, in text: Span<UInt8>) throws(Failure) -> Range<Int>? {
    if repeated & Self.bit(name) != 0 { throw .duplicateMember(name.name) }
    guard has(name), !text.isNull(places[name.rawValue]) else { return nil }
    return places[name.rawValue]
  }

  @inlinable @inline(__always)
  package func require(_ name: Name, in text: Span<UInt8>) throws(Failure) -> Range<Int> {
    guard let raw = try find(name, in: text) else { throw .missingMember(name.name) }
    return raw
  }

  /// The content of a string, without its quotes.
  @inlinable @inline(__always)
  package func content(_ name: Name, in text: Span<UInt8>) throws(Failure) -> Range<Int> {
    let raw = try require(name, in: text)
    guard text.isString(raw) else { throw .wrongType(name.name, expected: "a string") }
    return text.content(raw)
  }

  @inlinable
  package func string(_ name: Name, in text: Span<UInt8>) throws(Failure) -> String {
    JSONString.decoded(text, try content(name, in: text))
  }

  @inlinable
  package func optionalString(_ name: Name, in text: Span<UInt8>) throws(Failure) -> String? {
    try find(name, in: text) == nil ? nil : try string(name, in: text)
  }
}
