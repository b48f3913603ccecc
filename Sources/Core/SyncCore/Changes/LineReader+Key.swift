import JSONLines

/// Keys, with the values that a profile has compared in a form of their own.
extension LineReader {
  @inline(__always)
  mutating func key(_ line: Span<UInt8>, _ identity: Key.Identity, plain: Range<Int>?) -> Key {
    plainIdentity = plain
    if let identityForm = form.identity { compare(line, by: identityForm) }
    return Key(identity: identity, form: form)
  }

  /// Finds out whether the key has the values of the line.
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

  /// Rewrites the key that was appended, if any was, and checks that a live record has what its profile requires.
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

  /// Appends `"entityName":…,"identity":…` of a line that has been read before, spelled as in the line.
  package mutating func appendKeyMembers(of line: Span<UInt8>, to bytes: inout [UInt8]) throws(ChangeError) {
    try ownKey(line).appendMembers(line, else: shape.entityName, to: &bytes)
  }

  /// Appends the canonical JSON of `[entityName, identity]` of a line that has been read before, with its own values.
  package mutating func appendOwnKey(of line: Span<UInt8>, to bytes: inout [UInt8]) throws(ChangeError) {
    try ownKey(line).appendCanonical(line, to: &bytes)
  }

  private mutating func ownKey(_ line: Span<UInt8>) throws(ChangeError) -> Key {
    try scan(line)
    return try kind(line) == .change ? changeKey(line) : recordKey(line)
  }
}
