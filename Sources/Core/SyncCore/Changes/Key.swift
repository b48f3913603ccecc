import JSONLines

/// The subject of a line: an entity and an identity.
package struct Key: Sendable {
  enum Identity {
    /// The `identity` of a change line, and whether it is already canonical.
    case object(Range<Int>, isPlain: Bool)
    /// The `id` of a plain record, or the value at its only pointer.
    case value(Range<Int>, isPlain: Bool)
    /// The values at the pointers of a plain record, in the order of their names.
    case values([Range<Int>])
  }

  let identity: Identity
  let form: EntityForm

  /// Appends the canonical JSON of `[entityName, identity]`, by which keys are compared unless values are
  /// rewritten.
  @inline(__always)
  func appendCanonical(_ line: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: form.opening)
    switch identity {
    case .object(let range, isPlain: true):
      bytes.append(line.extracting(range))
    case .object(let range, isPlain: false):
      CanonicalJSON.append(line, range, to: &bytes)
    case .value(let range, isPlain: true):
      bytes.append(contentsOf: form.partNames[0])
      bytes.append(line.extracting(range))
      bytes.append(UInt8(ascii: "}"))
    case .value, .values:
      appendParts(to: &bytes) { CanonicalJSON.append(line, $0, to: &$1) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// The entity of a canonical key.
  package static func entity(of key: Span<UInt8>) -> String {
    var cursor = ContainerCursor(opening: 0)
    guard cursor.hasNext(in: key) else { return "" }
    let name = cursor.passValue(in: key)
    return JSONString.decoded(key, name.lowerBound + 1..<name.upperBound - 1)
  }

  /// The names of the members in the identity of a canonical key, in canonical order.
  static func identityMembers(of key: Span<UInt8>) -> [String]? {
    var cursor = ContainerCursor(opening: 0)
    guard cursor.hasNext(in: key) else { return nil }
    _ = cursor.passValue(in: key)
    guard cursor.hasNext(in: key) else { return nil }
    var (members, list) = (ContainerCursor(opening: cursor.position), [String]())
    while members.hasNext(in: key) {
      list.append(JSONString.decoded(key, members.readName(in: key)))
      _ = members.passValue(in: key)
    }
    return list
  }

  /// A canonical key for messages, shortened because a long one would fill a screen.
  package static func shown(_ key: Span<UInt8>) -> String {
    let bytes = Array(copying: key.extracting(..<min(key.count, 200)))
    return String(decoding: bytes, as: UTF8.self) + (key.count > 200 ? "…" : "")
  }

  /// Appends the first two members of a change line, each value in the line's spelling.
  func appendMembers(_ line: Span<UInt8>, else fallback: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\"entityName\":".utf8)
    if form.spelling.isEmpty {
      JSONString.appendQuoted(fallback, to: &bytes)
    } else {
      bytes.append(contentsOf: form.spelling)
    }
    bytes.append(contentsOf: ",\"identity\":".utf8)
    if case .object(let range, _) = identity {
      bytes.append(line.extracting(range))
    } else {
      appendParts(to: &bytes) { $1.append(line.extracting($0)) }
    }
  }

  /// Makes an identity from the values of a plain record.
  private func appendParts(to bytes: inout [UInt8], append: (Range<Int>, inout [UInt8]) -> Void) {
    for (name, value) in zip(form.partNames, values) {
      bytes.append(contentsOf: name)
      append(value, &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private var values: [Range<Int>] {
    switch identity {
    case .object: []
    case .value(let value, _): [value]
    case .values(let values): values
    }
  }
}

/// Keys with values that a profile converts for comparison.
extension LineReader {
  @inline(__always)
  mutating func key(_ line: Span<UInt8>, _ identity: Key.Identity, plain: Range<Int>?) -> Key {
    plainIdentity = plain
    if let identityForm = form.identity { compare(line, by: identityForm) }
    return Key(identity: identity, form: form)
  }

  /// Determines whether the key has the line's values unchanged.
  @inline(never)
  private mutating func compare(_ line: Span<UInt8>, by form: IdentityForm) {
    rewriting = form
    guard let plain = plainIdentity else { return }
    switch form.standing(line, plain) {
    case .same: rewriting = nil
    case .lowerCase: hasCapitals = true
    case .other: plainIdentity = nil
    }
  }

  /// Rewrites the appended key, if any, and checks that a live record has the members that its profile
  /// requires.
  @inline(never)
  mutating func finish(
    _ line: Span<UInt8>, _ change: ChangeLine, _ key: inout [UInt8], from start: Int
  ) throws(ChangeError) {
    if form.identity != nil, let rewriting, key.count > start {
      key.removeLast()
      try rewriting.rewrite(&key, from: start + form.opening.count)
      key.append(UInt8(ascii: "]"))
    }
    if form.hasRequired, !change.isTombstone { try requireMembers(line, change) }
  }

  // MARK: Again

  /// Appends `"entityName":…,"identity":…` of a line read before, in the line's spelling.
  package mutating func appendKeyMembers(of line: Span<UInt8>, to bytes: inout [UInt8]) throws(ChangeError) {
    try ownKey(line).appendMembers(line, else: shape.entityName, to: &bytes)
  }

  /// Appends the canonical JSON of `[entityName, identity]` of a line read before, with the line's values.
  package mutating func appendOwnKey(of line: Span<UInt8>, to bytes: inout [UInt8]) throws(ChangeError) {
    try ownKey(line).appendCanonical(line, to: &bytes)
  }

  private mutating func ownKey(_ line: Span<UInt8>) throws(ChangeError) -> Key {
    try scan(line)
    return try kind(line) == .change ? changeKey(line) : recordKey(line)
  }
}
