/// Standard Base64 with padding (RFC 4648 §4).
package enum Base64 {
  /// The text without padding and without characters that have a meaning in URLs (RFC 4648 §5).
  package static func urlText(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes.span, to: &text)
    let letters = text.prefix { $0 != UInt8(ascii: "=") }.map { letter in
      switch letter {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: letter
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }

  package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    var index = bytes.count < 64 ? 0 : appendGroups(bytes, to: &text)
    while index + 3 <= bytes.count {
      appendDigits(
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]), 4, to: &text)
      index += 3
    }
    switch bytes.count - index {
    case 1:
      appendDigits(UInt32(bytes[index]) << 16, 2, to: &text)
      text.append(contentsOf: "==".utf8)
    case 2:
      appendDigits(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, 3, to: &text)
      text.append(UInt8(ascii: "="))
    default: break
    }
  }

  /// Appends the digits of all complete groups of three bytes; returns the number of bytes in them.
  private static func appendGroups(_ bytes: Span<UInt8>, to text: inout [UInt8]) -> Int {
    let (table, groups) = (pairs, bytes.count / 3)
    let pairs = table.span
    text.append(addingCapacity: 4 * groups) { room in
      unsafe room.withUnsafeMutableBufferPointer { buffer, written in
        let target = UnsafeMutableRawBufferPointer(buffer)
        for group in 0..<groups {
          let (high, low) = (UInt32(bytes[3 * group]), UInt32(bytes[3 * group + 2]))
          let bits = high &<< 16 | UInt32(bytes[3 * group + 1]) &<< 8 | low
          // The table has an entry for each number of twelve bits, and the capacity is four bytes for each
          // group.
          let first = unsafe UInt32(pairs[unchecked: Int(bits &>> 12)])
          let digits = unsafe first | UInt32(pairs[unchecked: Int(bits & 0xFFF)]) &<< 16
          unsafe target.storeBytes(of: digits.littleEndian, toByteOffset: 4 &* group, as: UInt32.self)
        }
        written = 4 * groups
      }
    }
    return 3 * groups
  }

  /// The two digits of each number of twelve bits, the first one in the lower byte.
  private static let pairs = (UInt16(0)..<4_096).map { number in
    UInt16(digit(UInt8(number >> 6))) | UInt16(digit(UInt8(number & 63))) << 8
  }

  private static func appendDigits(_ group: UInt32, _ count: Int, to text: inout [UInt8]) {
    for index in 0..<count { text.append(digit(UInt8(group >> UInt32(18 - 6 * index) & 63))) }
  }

  /// The bits that a digit contributes to the three bytes of its group, 256 entries for each of four places.
  ///
  /// The first byte is lowest; a bit above those bytes marks an invalid digit.
  private static let shares: [UInt32] = {
    var shares = [UInt32](repeating: noDigit, count: 4 * 256)
    for place in 0..<4 {
      for value in UInt8(0)..<64 {
        shares[256 * place + Int(digit(value))] = (UInt32(value) << UInt32(18 - 6 * place)).byteSwapped >> 8
      }
    }
    return shares
  }()

  private static let noDigit: UInt32 = 1 << 24

  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: value + 65
    case 26..<52: value + 71
    case 52..<62: value - 4
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  /// Decodes a complete text; white space in it is skipped, padding may be missing.
  package static func decode(_ text: Span<UInt8>, into bytes: inout [UInt8]) throws(Failure) {
    var decoder = Decoder()
    try decoder.decode(text, into: &bytes)
    try decoder.finish(into: &bytes)
  }

  /// The fault, with the offset of its byte in the text.
  package struct Failure: Error, Equatable, Sendable {
    package var message: String
    package var offset: Int
  }

  /// Accepts text in pieces, which may split a group of four digits anywhere.
  ///
  /// The padding ends a text; another text may follow.
  package struct Decoder: Sendable {
    private var group: UInt32 = 0
    private var count = 0
    private var padding = 0
    private var offset = 0

    package init() {}

    package mutating func decode(_ text: Span<UInt8>, into bytes: inout [UInt8]) throws(Failure) {
      var start = 0
      if count == 0, padding == 0 {
        start = Self.decodeGroups(text, into: &bytes)
        if Self.decodePadded(text, from: start, into: &bytes) { start = text.count }
        offset += start
      }
      for index in start..<text.count {
        try decode(text[index], into: &bytes)
        offset += 1
      }
    }

    /// Decodes complete groups of four digits from the start, stopping at any other byte; returns the offset
    /// after them.
    private static func decodeGroups(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Int {
      // Padding at the end of a text is in its last group.
      let isPadded = text.count > 3 && text[text.count - 1] == UInt8(ascii: "=")
      let (table, limit) = (Base64.shares, text.count / 4 - (isPadded ? 1 : 0))
      let shares = table.span
      var count = 0
      // Each group has three bytes, but four are written. The fourth byte is overwritten by the next group,
      // or is not used.
      bytes.append(addingCapacity: 3 * limit + 1) { room in
        unsafe room.withUnsafeMutableBufferPointer { buffer, written in
          let target = UnsafeMutableRawBufferPointer(buffer)
          while count < limit {
            // The text has four bytes for each group, and the table has an entry for each byte at each place.
            let digits = unsafe text.bytes.unsafeLoadUnaligned(
              fromUncheckedByteOffset: 4 &* count, as: UInt32.self)
            let group = unsafe Self.group(UInt32(littleEndian: digits), shares)
            guard group < Base64.noDigit else { break }
            unsafe target.storeBytes(of: group.littleEndian, toByteOffset: 3 &* count, as: UInt32.self)
            count &+= 1
          }
          written = 3 * count
        }
      }
      return count * 4
    }

    /// Decodes a last group with padding; false if the group is not padded or not valid.
    private static func decodePadded(_ text: Span<UInt8>, from start: Int, into bytes: inout [UInt8]) -> Bool
    {
      guard text.count - start == 4, text[start + 3] == UInt8(ascii: "=") else { return false }
      let (table, whole) = (Base64.shares, text[start + 2] == UInt8(ascii: "=") ? 1 : 2)
      var group = table[Int(text[start])] | table[256 + Int(text[start + 1])]
      if whole == 2 { group |= table[512 + Int(text[start + 2])] }
      // The bits above the complete bytes must be zero; an invalid digit sets one of them.
      guard group >> UInt32(8 * whole) == 0 else { return false }
      bytes.append(UInt8(truncatingIfNeeded: group))
      if whole == 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
      return true
    }

    /// The three bytes that four digits encode, the first byte lowest; a number above 24 bits if a digit is
    /// invalid.
    @unsafe
    @inline(__always)
    private static func group(_ digits: UInt32, _ shares: Span<UInt32>) -> UInt32 {
      let (a, b) = (Int(digits & 0xFF), Int(digits &>> 8 & 0xFF))
      let (c, d) = (Int(digits &>> 16 & 0xFF), Int(digits &>> 24))
      return unsafe shares[unchecked: a] | shares[unchecked: b &+ 256] | shares[unchecked: c &+ 512]
        | shares[unchecked: d &+ 768]
    }

    /// Ends the text: it is complete even if its padding is missing.
    package mutating func finish(into bytes: inout [UInt8]) throws(Failure) {
      guard count > 0 else { return }
      guard padding == 0, count > 1 else { throw failure("the text ends inside a group of four") }
      try flush(into: &bytes)
    }

    private mutating func decode(_ byte: UInt8, into bytes: inout [UInt8]) throws(Failure) {
      switch byte {
      case 65...90: try append(value: byte - 65, into: &bytes)
      case 97...122: try append(value: byte - 71, into: &bytes)
      case 48...57: try append(value: byte + 4, into: &bytes)
      case UInt8(ascii: "+"): try append(value: 62, into: &bytes)
      case UInt8(ascii: "/"): try append(value: 63, into: &bytes)
      case UInt8(ascii: "="):
        padding += 1
        guard count > 1, count + padding <= 4 else { throw failure("padding in the wrong place") }
        if count + padding == 4 { try flush(into: &bytes) }
      case 32, 9, 10, 13: return
      default: throw failure("not a Base64 digit")
      }
    }

    private mutating func append(value: UInt8, into bytes: inout [UInt8]) throws(Failure) {
      guard padding == 0 else { throw failure("a digit after padding") }
      group = group << 6 | UInt32(value)
      count += 1
      if count == 4 { try flush(into: &bytes) }
    }

    /// Bits that are not part of a byte must be zero, so each text has one meaning and each byte sequence has
    /// one text.
    private mutating func flush(into bytes: inout [UInt8]) throws(Failure) {
      let all = group << UInt32(6 * (4 - count))
      let whole = count - 1
      guard all & (0xff_ffff >> UInt32(8 * whole)) == 0 else { throw failure("unused bits are not zero") }
      for index in 0..<whole { bytes.append(UInt8(truncatingIfNeeded: all >> UInt32(16 - 8 * index))) }
      (group, count, padding) = (0, 0, 0)
    }

    private func failure(_ message: String) -> Failure { Failure(message: message, offset: offset) }
  }
}
