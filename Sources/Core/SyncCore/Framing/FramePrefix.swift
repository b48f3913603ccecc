/// The form in which a frame gives the length of its payload.
///
/// | prefix | header | source |
/// |---|---|---|
/// | `u32be` | 4 bytes, most significant first | the peer protocol |
/// | `u32le`, `u16be`, `u16le`, `u64be` | 4, 2, 8 bytes | |
/// | `varint` | 1–10 bytes, 7 bits each, least significant first, in the shortest form | Protocol Buffers |
/// | `netstring` | decimal digits and `:`; a `,` follows the payload | Bernstein 1997 |
/// | `content-length` | `Content-Length: N`, CRLF, other fields, an empty line | Language Server Protocol |
public enum FramePrefix: String, CaseIterable, Sendable {
  /// See the table of the type.
  case u32be, u32le, u16be, u16le, u64be, varint, netstring
  /// See the table of the type.
  case contentLength = "content-length"

  /// The longest payload that the header can announce, in bytes.
  package var capacity: UInt64 {
    switch self {
    case .u16be, .u16le: UInt64(UInt16.max)
    case .u32be, .u32le: UInt64(UInt32.max)
    case .u64be, .varint, .netstring, .contentLength: UInt64(Int.max)
    }
  }

  /// The byte between a payload and the next header.
  package var trailer: UInt8? { self == .netstring ? UInt8(ascii: ",") : nil }

  package func appendHeader(length: Int, to bytes: inout [UInt8]) {
    switch self {
    case .u16be: append(UInt16(truncatingIfNeeded: length).bigEndian, to: &bytes)
    case .u16le: append(UInt16(truncatingIfNeeded: length).littleEndian, to: &bytes)
    case .u32be: append(UInt32(truncatingIfNeeded: length).bigEndian, to: &bytes)
    case .u32le: append(UInt32(truncatingIfNeeded: length).littleEndian, to: &bytes)
    case .u64be: append(UInt64(length).bigEndian, to: &bytes)
    case .varint: appendVarint(UInt64(length), to: &bytes)
    case .netstring: bytes.append(contentsOf: "\(length):".utf8)
    case .contentLength: bytes.append(contentsOf: "Content-Length: \(length)\r\n\r\n".utf8)
    }
  }

  /// Appends the bytes of `number` in memory order.
  private func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    var rest = number.littleEndian
    for _ in 0..<number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private func appendVarint(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// A header as it appears in a stream: its own size and the length of the payload that follows.
package struct FrameHeader: Equatable {
  package var size: Int
  package var length: UInt64

  /// Reads the header at `start`; nil if more bytes are needed.
  static func parse(
    _ prefix: FramePrefix, _ bytes: Span<UInt8>, from start: Int
  ) throws(FrameError) -> FrameHeader? {
    switch prefix {
    case .u16be: fixed(bytes, start, size: 2, isBigEndian: true)
    case .u16le: fixed(bytes, start, size: 2, isBigEndian: false)
    case .u32be: fixed(bytes, start, size: 4, isBigEndian: true)
    case .u32le: fixed(bytes, start, size: 4, isBigEndian: false)
    case .u64be: fixed(bytes, start, size: 8, isBigEndian: true)
    case .varint: try varint(bytes, start)
    case .netstring: try netstring(bytes, start)
    case .contentLength: try ContentLengthHeader.parse(bytes, from: start)
    }
  }

  /// How many bytes a header of this prefix has, nil if that varies.
  static func size(of prefix: FramePrefix) -> Int? {
    switch prefix {
    case .u16be, .u16le: 2
    case .u32be, .u32le: 4
    case .u64be: 8
    case .varint, .netstring, .contentLength: nil
    }
  }

  @inline(__always)
  private static func fixed(_ bytes: Span<UInt8>, _ start: Int, size: Int, isBigEndian: Bool) -> FrameHeader?
  {
    guard bytes.count - start >= size else { return nil }
    var length: UInt64 = 0
    for index in 0..<size {
      length = length << 8 | UInt64(bytes[isBigEndian ? start + index : start + size - 1 - index])
    }
    return FrameHeader(size: size, length: length)
  }

  /// Only the shortest form is accepted, so decoded data is encoded to the same bytes again.
  private static func varint(_ bytes: Span<UInt8>, _ start: Int) throws(FrameError) -> FrameHeader? {
    var length: UInt64 = 0
    for index in 0..<10 {
      guard start + index < bytes.count else { return nil }
      let byte = bytes[start + index]
      if index == 9, byte > 1 { break }
      length |= UInt64(byte & 0x7f) << UInt64(7 * index)
      guard byte < 0x80 else { continue }
      if byte == 0, index > 0 { throw .invalidHeader("varint is not in its shortest form") }
      return FrameHeader(size: index + 1, length: length)
    }
    throw .invalidHeader("varint is longer than 64 bits")
  }

  private static func netstring(_ bytes: Span<UInt8>, _ start: Int) throws(FrameError) -> FrameHeader? {
    var digits = start
    while digits < bytes.count, digits - start <= 19, bytes[digits] &- 48 < 10 { digits += 1 }
    let count = digits - start
    if count > 1, bytes[start] == 48 { throw .invalidHeader("netstring length has a leading zero") }
    if count > 19 { throw .invalidHeader("netstring length has more than 19 digits") }
    guard digits < bytes.count else { return nil }
    guard count > 0, bytes[digits] == UInt8(ascii: ":") else {
      throw .invalidHeader("netstring length is not digits and ':'")
    }
    return FrameHeader(size: count + 1, length: decimal(bytes, start..<digits))
  }

  /// The value of at most 19 digits, which always fits.
  static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var number: UInt64 = 0
    for index in range { number = number * 10 + UInt64(bytes[index] - 48) }
    return number
  }
}
