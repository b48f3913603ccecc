/// A JSON Pointer (RFC 6901) in its string form.
@usableFromInline
package struct JSONPointer: Hashable, Sendable {
  /// The unescaped tokens, outermost first; empty for the complete document.
  package var tokens: [String]

  package init(tokens: [String]) { self.tokens = tokens }

  /// Parses a pointer: empty, or `/` before every token, with `~0` for `~` and `~1` for `/`; nil if invalid.
  package init?(_ string: String) {
    tokens = []
    guard !string.isEmpty else { return }
    guard string.utf8.first == UInt8(ascii: "/") else { return nil }
    for part in string.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let token = Self.unescaped(part) else { return nil }
      tokens.append(token)
    }
  }

  private static func unescaped(_ part: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = part[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONPointer {
  // Strings that are only canonically equivalent are different names in JSON.
  @usableFromInline
  package static func == (a: JSONPointer, b: JSONPointer) -> Bool {
    a.tokens.elementsEqual(b.tokens) { $0.utf8.elementsEqual($1.utf8) }
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    for token in tokens {
      for byte in token.utf8 { hasher.combine(byte) }
      hasher.combine(UInt8.max)
    }
  }

  /// Whether the last tokens of both are the same member name.
  package func endsLike(_ other: JSONPointer) -> Bool {
    (tokens.last ?? "").utf8.elementsEqual((other.tokens.last ?? "").utf8)
  }

  /// The string form.
  package var text: String {
    tokens.map { token in
      let escaped = token.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }
      return "/" + escaped.joined()
    }.joined()
  }

  /// A pointer to the member with this name.
  package init(name: String) { self.init(tokens: [name]) }

  /// The result of looking up a pointer.
  @usableFromInline
  package enum Match: Equatable, Sendable {
    /// The value does not exist.
    case absent

    /// The value at this range, without white space around it.
    case found(Range<Int>)

    /// An object on the path has more than one member with this name, so two readers might disagree.
    case duplicate(String)
  }

  /// Follows the pointer from the validated value at `raw`.
  ///
  /// In an array a token is an index in decimal digits without leading zeros; `-` is never found.
  @usableFromInline
  package func find(in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    var match = Match.found(raw)
    for token in tokens {
      guard case .found(let range) = match else { return match }
      match = Self.step(token, in: text, range)
    }
    return match
  }

  private static func step(_ token: String, in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    switch JSONKind(firstByte: text[raw.lowerBound]) {
    case .object: member(token, in: text, raw)
    case .array: index(token).map { element($0, in: text, raw) } ?? .absent
    default: .absent
    }
  }

  private static func member(_ token: String, in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    var match = Match.absent
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) {
      let name = cursor.readName(in: text)
      let value = cursor.passValue(in: text)
      guard JSONString.isEqual(text, name, to: token) else { continue }
      guard match == .absent else { return .duplicate(token) }
      match = .found(value)
    }
    return match
  }

  private static func element(_ index: Int, in text: Span<UInt8>, _ raw: Range<Int>) -> Match {
    var remaining = index
    var cursor = ContainerCursor(opening: raw.lowerBound)
    while cursor.hasNext(in: text) {
      let value = cursor.passValue(in: text)
      if remaining == 0 { return .found(value) }
      remaining -= 1
    }
    return .absent
  }

  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    guard token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
    return Int(token)
  }
}

extension [JSONPointer] {
  /// The pointers sorted by their last tokens, which are the member names of an identity.
  package var inIdentityOrder: [JSONPointer] {
    sorted { ($0.tokens.last ?? "").utf8.lexicographicallyPrecedes(($1.tokens.last ?? "").utf8) }
  }

  /// The index of a pointer in this list.
  package func place(of pointer: JSONPointer?) -> Int? { pointer.flatMap { firstIndex(of: $0) } }
}
