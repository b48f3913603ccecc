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
  /// The table of ``FramePrefix`` describes these forms.
  case u32be, u32le, u16be, u16le, u64be, varint, netstring
  /// The table of ``FramePrefix`` describes this form.
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
