/// Which arrays and objects are open around a place in a text, without recursion or allocation.
@usableFromInline
struct Nesting {
  /// The deepest nesting of arrays and objects that is accepted.
  @inlinable static var limit: Int { 512 }

  /// The number of open arrays and objects.
  @usableFromInline private(set) var depth = 0

  /// The innermost levels, newest lowest; a set bit is an object.
  @usableFromInline private(set) var kinds: UInt64 = 0

  /// The kinds of each full group of 64 outer levels.
  @usableFromInline private(set) var outer = SIMD8<UInt64>()

  @inlinable
  init() {}

  /// Whether the innermost open value is an object.
  @inlinable var isInObject: Bool {
    @inline(__always) get { kinds & 1 != 0 }
  }

  /// Opens one level; false if that exceeds the limit.
  @inlinable
  @inline(__always)
  mutating func enter(object: Bool) -> Bool {
    if depth & 63 == 0, depth > 0 {
      guard depth < Self.limit else { return false }
      outer[depth &>> 6] = kinds
    }
    kinds = kinds &<< 1 | (object ? 1 : 0)
    depth &+= 1
    return true
  }

  /// Closes the innermost level; at least one must be open.
  @inlinable
  @inline(__always)
  mutating func leave() {
    depth &-= 1
    kinds = depth & 63 == 0 && depth > 0 ? outer[depth &>> 6] : kinds &>> 1
  }
}

/// How deep arrays and objects are nested.
package enum JSONDepth {
  /// The deepest nesting; every reader rejects deeper text.
  package static var limit: Int { Nesting.limit }

  /// The deepest nesting in a validated text, 0 for a scalar.
  package static func deepest(in text: Span<UInt8>) -> Int {
    var (offset, depth, deepest) = (0, 0, 0)
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""): offset = ValidatedText.endOfString(text, from: offset + 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      offset += 1
    }
    return deepest
  }
}
