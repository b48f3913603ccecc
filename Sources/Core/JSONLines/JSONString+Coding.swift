extension JSONString {
  /// Appends the decoded UTF-8 of a raw string.
  package static func appendDecoded(_ text: Span<UInt8>, _ raw: Range<Int>, to bytes: inout [UInt8]) {
    var position = raw.lowerBound
    while let escape = ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, position..<raw.upperBound) {
      bytes.append(text, position..<escape)
      position = escape
      bytes.append(scalar: DecodedString.scalar(in: text, at: &position))
    }
    bytes.append(text, position..<raw.upperBound)
  }

  /// The decoded raw string.
  @usableFromInline
  package static func decoded(_ text: Span<UInt8>, _ raw: Range<Int>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    appendDecoded(text, raw, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `string` in quotes with its shortest escapes.
  package static func appendQuoted(_ string: String, to bytes: inout [UInt8]) {
    appendQuoted(utf8: Array(string.utf8), to: &bytes)
  }

  /// Appends decoded UTF-8 in quotes with its shortest escapes.
  package static func appendQuoted(utf8 decoded: [UInt8], to bytes: inout [UInt8]) {
    appendQuoted(utf8: decoded.span, to: &bytes)
  }

  /// Appends decoded UTF-8 in quotes with its shortest escapes.
  ///
  /// It writes the two-letter escapes `\" \\ \b \f \n \r \t`, and `\u00xx` in lower-case hex for the other
  /// bytes below 0x20. All other bytes are unchanged, including `/` and DEL.
  package static func appendQuoted(utf8 decoded: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var position = 0
    while position < decoded.count {
      let special = firstToEscape(decoded, from: position)
      bytes.append(decoded, position..<special)
      if special < decoded.count { appendEscape(decoded[special], to: &bytes) }
      position = special + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a raw string in quotes with its shortest escapes; in `text` it must be in quotes.
  package static func appendCanonical(_ text: Span<UInt8>, _ raw: Range<Int>, to bytes: inout [UInt8]) {
    guard hasEscape(text, raw) else { return bytes.append(text, raw.lowerBound - 1..<raw.upperBound + 1) }
    var decoded: [UInt8] = []
    appendDecoded(text, raw, to: &decoded)
    appendQuoted(utf8: decoded, to: &bytes)
  }

  private static func firstToEscape(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset < text.count {
      offset = StringScanner.endOfPlain(text, from: offset)
      guard text.byte(at: offset) >= 0x80 else { return offset }
      offset += 1
    }
    return offset
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes += [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")]
      bytes += [HexDigit.digit(byte >> 4), HexDigit.digit(byte & 15)]
    }
  }
}
