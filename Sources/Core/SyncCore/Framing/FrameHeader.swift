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

  /// Reads a varint, only in its shortest form, so that decoded data is encoded to the same bytes again.
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
