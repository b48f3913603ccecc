import JSONLines

/// Change lines.
extension LineReader {
  mutating func changeKey(_ line: Span<UInt8>) throws(ChangeError) -> Key {
    try members.requireSingle([.identity, .entityName])
    guard let name = members[.entityName], line.isString(name) else {
      throw .noKey("'entityName' is missing or not a string")
    }
    guard let identity = members[.identity], line[identity.lowerBound] == UInt8(ascii: "{") else {
      throw .noKey("'identity' is not an object")
    }
    if let value = plainValue(line, identity) {
      enter(line, name)
      return key(line, .object(identity, isPlain: true), plain: value)
    }
    guard let plain = PlainObject(line, identity) else { return try oddKey(line, name, identity) }
    enter(line, name)
    let value = plain.count == 1 ? plain.lastValue : nil
    setOpening(value.flatMap { ShortString(line, identity.lowerBound..<$0.lowerBound) })
    return key(line, .object(identity, isPlain: true), plain: value)
  }

  /// The key of a line whose identity is written in an unusual way.
  private mutating func oddKey(
    _ line: Span<UInt8>, _ name: Range<Int>, _ identity: Range<Int>
  ) throws(ChangeError) -> Key {
    try requireUniqueNames(line, identity)
    enter(line, name)
    setOpening(nil)
    let value = Self.onlyValue(line, of: identity)
    return key(
      line, .object(identity, isPlain: false),
      plain: value.flatMap { CanonicalJSON.isPlain(line, $0) ? $0 : nil })
  }

  /// The value of the only member of an identity; nil for any other identity.
  private static func onlyValue(_ line: Span<UInt8>, of identity: Range<Int>) -> Range<Int>? {
    var cursor = ContainerCursor(opening: identity.lowerBound)
    guard cursor.hasNext(in: line) else { return nil }
    _ = cursor.readName(in: line)
    let value = cursor.passValue(in: line)
    return cursor.hasNext(in: line) ? nil : value
  }

  @inline(__always)
  private func readVersion(_ line: Span<UInt8>) throws(ChangeError) -> Range<Int>? {
    guard let version = members[.version], !line.isNull(version) else { return nil }
    guard line.isNumber(version) else { throw .invalidVersion }
    return version
  }

  mutating func readChange(_ line: Span<UInt8>, into change: inout ChangeLine) throws(ChangeError) {
    try members.requireSingle(MemberName.clocks + [.version, .fields])
    change.version = try readVersion(line)
    if try members.readClock(line, into: &change) { return }
    if !members.has(.modifiedAt), !members.has(.modified_at), let range = members[.fields] {
      try readFieldsClock(line.extracting(range), into: &change)
    }
  }

  /// A change line without a clock uses the clock of its fields, unless it has a null `modifiedAt`.
  private mutating func readFieldsClock(
    _ text: Span<UInt8>, into change: inout ChangeLine
  ) throws(ChangeError) {
    fields.clear()
    // The text is part of a line that has been validated, so this cannot fail.
    _ = try? JSONScanner.scan(text, from: 0, into: &fields)
    try fields.requireSingle(MemberName.clocks)
    _ = try fields.readClock(text, into: &change)
  }

  /// Rejects duplicate names in an identity: two readers might identify different records.
  func requireUniqueNames(_ line: Span<UInt8>, _ identity: Range<Int>) throws(ChangeError) {
    var names = IdentityNames()
    // The identity is part of a line that has been validated, so this cannot fail.
    _ = try? JSONScanner.scan(line.extracting(identity), from: 0, into: &names)
    if let name = names.repeated { throw .duplicateMember(name) }
  }
}

/// The decoded names of an identity's members.
private struct IdentityNames: MemberSink {
  private var names: Set<[UInt8]> = []
  private var first: [UInt8]?
  private(set) var repeated: String?

  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    var decoded: [UInt8] = []
    JSONString.appendDecoded(text, name, to: &decoded)
    guard let first else { return self.first = decoded }
    names.insert(first)
    if !names.insert(decoded).inserted, repeated == nil {
      repeated = String(decoding: decoded, as: UTF8.self)
    }
  }
}
