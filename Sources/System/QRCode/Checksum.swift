/// The two checksums of a PNG file.
enum Checksum {
  /// CRC-32 as in PNG (W3C PNG, annex D): reflected, polynomial 0xEDB88320, begun and ended with all bits inverted.
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { crc, byte in crcTable[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
  }

  /// Adler-32 (RFC 1950 §8.2).
  static func adler32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}
