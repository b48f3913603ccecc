/// The decoded bytes of a raw string, taken one by one without allocation.
///
/// The raw bytes must be validated.
struct DecodedString {
  private var position: Int
  private let end: Int
  private var pending = EncodedScalar()

  init(_ raw: Range<Int>) {
    position = raw.lowerBound
    end = raw.upperBound
  }

  /// The next byte of the decoded UTF-8, nil after the last one.
  mutating func next(in text: Span<UInt8>) -> UInt8? {
    if let byte = pending.next() { return byte }
    guard position < end else { return nil }
    guard text[position] == UInt8(ascii: "\\") else {
      defer { position += 1 }
      return text[position]
    }
    pending = EncodedScalar(Self.scalar(in: text, at: &position))
    return pending.next()
  }

  /// Decodes the escape whose backslash is at `position` and moves past it.
  static func scalar(in text: Span<UInt8>, at position: inout Int) -> UInt32 {
    let letter = text[position + 1]
    guard letter == UInt8(ascii: "u") else {
      position += 2
      return UInt32(character(letter))
    }
    let unit = unit(in: text, at: position + 2)
    position += 6
    guard unit & 0xFC00 == 0xD800 else { return unit }
    defer { position += 6 }
    return 0x1_0000 + (unit & 0x3FF) << 10 + self.unit(in: text, at: position + 2) & 0x3FF
  }

  private static func unit(in text: Span<UInt8>, at offset: Int) -> UInt32 {
    var unit: UInt32 = 0
    for index in offset..<offset + 4 { unit = unit << 4 | UInt32(HexDigit.value(text[index]) ?? 0) }
    return unit
  }

  /// The character of a one-letter escape.
  private static func character(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }
}

/// The UTF-8 bytes of one Unicode scalar value, taken one by one without allocation.
struct EncodedScalar {
  /// The bytes not yet taken, next one lowest.
  private var bytes: UInt32 = 0
  private var count = 0

  /// No bytes.
  init() {}

  /// The bytes of `scalar`, which must be a scalar value (at most 0x10FFFF and not a surrogate).
  init(_ scalar: UInt32) {
    switch scalar {
    case ..<0x80:
      push(scalar)
    case ..<0x800:
      push(0xC0 | scalar >> 6)
      push(0x80 | scalar & 0x3F)
    case ..<0x1_0000:
      push(0xE0 | scalar >> 12)
      push(0x80 | scalar >> 6 & 0x3F)
      push(0x80 | scalar & 0x3F)
    default:
      push(0xF0 | scalar >> 18)
      push(0x80 | scalar >> 12 & 0x3F)
      push(0x80 | scalar >> 6 & 0x3F)
      push(0x80 | scalar & 0x3F)
    }
  }

  /// The next byte, nil after the last one.
  mutating func next() -> UInt8? {
    guard count > 0 else { return nil }
    defer {
      bytes >>= 8
      count -= 1
    }
    return UInt8(truncatingIfNeeded: bytes)
  }

  private mutating func push(_ byte: UInt32) {
    bytes |= byte << (8 * UInt32(count))
    count += 1
  }
}
