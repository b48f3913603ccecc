/// A JSON Pointer (RFC 6901) in its string form.
package struct JSONPointer: Hashable, Sendable {
  /// The unescaped tokens, outermost first; none for the whole document.
  package var tokens: [String]

  package init(tokens: [String]) { self.tokens = tokens }

  /// Reads a pointer: empty, or `/` before every token, `~0` for `~` and `~1` for `/`; else nil.
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
  package static func == (a: JSONPointer, b: JSONPointer) -> Bool {
    a.tokens.elementsEqual(b.tokens) { $0.utf8.elementsEqual($1.utf8) }
  }

  package func hash(into hasher: inout Hasher) {
    for token in tokens {
      for byte in token.utf8 { hasher.combine(byte) }
      hasher.combine(UInt8.max)
    }
  }

  /// Whether both lead to a member of the same name.
  package func endsLike(_ other: JSONPointer) -> Bool {
    (tokens.last ?? "").utf8.elementsEqual((other.tokens.last ?? "").utf8)
  }
}
