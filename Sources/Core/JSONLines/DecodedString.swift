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

  /// What a one-letter escape stands for.
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
