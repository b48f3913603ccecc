import JSONLines

/// The places of the members of one object of a delta.
struct WireObject: MemberSink {
  private var values = [Range<Int>](repeating: 0..<0, count: WireName.allCases.count)
  private var present: WireNameSet = []
  private var repeated: WireNameSet = []
  /// The first name unknown to the wire, and the number of unknown names.
  private var unknown = 0..<0
  private var unknownCount = 0

  mutating func clear() {
    present = []
    repeated = []
    unknown = 0..<0
    unknownCount = 0
  }

  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    guard let known = WireName(text, name) else {
      if unknownCount == 0 { unknown = name }
      return unknownCount += 1
    }
    if present.contains(known) { return repeated.insert(known) }
    present.insert(known)
    values[known.rawValue] = value
  }

  /// Reads the validated object at `raw`.
  mutating func read(_ text: Span<UInt8>, _ raw: Range<Int>) throws(WireError) {
    guard text.isObject(raw) else { throw .notAnObject }
    clear()
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) {
      let name = cursor.readName(in: text)
      member(in: text, name: name, value: cursor.passValue(in: text))
    }
  }

  /// Rejects a duplicate name of the set, because two readers might use different members.
  func requireSingle(_ names: WireNameSet) throws(WireError) {
    if let name = repeated.common(with: names) { throw .duplicateMember(name.spelling.description) }
  }

  /// The number of members with names outside the set; unless `isAccepted`, any such member is an error.
  func foreign(to names: WireNameSet, in text: Span<UInt8>, isAccepted: Bool) throws(WireError) -> Int {
    let name = present.first(without: names)
    guard unknownCount > 0 || name != nil else { return 0 }
    guard isAccepted else {
      throw .unknownMember(name?.spelling.description ?? JSONString.decoded(text, unknown))
    }
    return unknownCount + present.count(without: names)
  }

  func has(_ name: WireName) -> Bool { present.contains(name) }

  func value(_ name: WireName) throws(WireError) -> Range<Int> {
    guard present.contains(name) else { throw .missingMember(name.spelling.description) }
    return values[name.rawValue]
  }

  /// The raw string, with its quotes.
  func string(_ name: WireName, in text: Span<UInt8>) throws(WireError) -> Range<Int> {
    let raw = try value(name)
    guard text.isString(raw) else { throw .wrongType(name.spelling.description, expected: "a string") }
    return raw
  }

  func array(_ name: WireName, in text: Span<UInt8>) throws(WireError) -> Range<Int> {
    let raw = try value(name)
    guard text.isArray(raw) else { throw .wrongType(name.spelling.description, expected: "an array") }
    return raw
  }
}

/// The raw names of one object, of any kind, for finding a duplicate.
struct WireNames {
  private var names: [Range<Int>] = []

  mutating func clear() { names.removeAll(keepingCapacity: true) }

  mutating func append(_ name: Range<Int>) { names.append(name) }

  /// A duplicate name, nil if all names differ; takes as long as sorting, even for a hostile object.
  mutating func firstRepeated(in text: Span<UInt8>) -> Range<Int>? {
    names.sort { a, b in JSONString.compare(text, a, text, b) < 0 }
    for (a, b) in zip(names, names.dropFirst()) where JSONString.isEqual(text, a, text, b) { return b }
    return nil
  }
}
