/// Validates `true`, `false` and `null`.
@usableFromInline
enum LiteralScanner {
  /// The offset just after the literal whose first letter is at `start`.
  @usableFromInline
  static func end(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    switch text.byte(at: start) {
    case UInt8(ascii: "t"): try end(text, from: start, 0x65_75_72_74, count: 4)
    case UInt8(ascii: "f"): try end(text, from: start, 0x65_73_6C_61_66, count: 5)
    default: try end(text, from: start, 0x6C_6C_75_6E, count: 4)
    }
  }

  /// Compares with `letters`, the first one lowest.
  @inline(__always)
  private static func end(
    _ text: Span<UInt8>, from start: Int, _ letters: UInt64, count: Int
  ) throws(JSONError) -> Int {
    for index in 0..<count
    where text.byte(at: start + index) != UInt8(truncatingIfNeeded: letters &>> (8 * index)) {
      throw JSONError.unexpected(text, at: start + index)
    }
    return start + count
  }
}
