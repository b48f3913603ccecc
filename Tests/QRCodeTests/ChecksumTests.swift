@testable import QRCode
import Testing

@Suite struct ChecksumTests {
  /// The check values of the CRC catalogue and of the PNG specification.
  @Test(arguments: [("", 0), ("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082), ("a", 0xE8B7_BE43)])
  func crc32(_ text: String, _ value: UInt32) {
    #expect(Checksum.crc32(Array(text.utf8)) == value)
  }

  @Test(arguments: [("", 1), ("a", 0x0062_0062), ("abc", 0x024D_0127), ("Wikipedia", 0x11E6_0398)])
  func adler32(_ text: String, _ value: UInt32) {
    #expect(Checksum.adler32(Array(text.utf8)) == value)
  }

  /// Sums that go beyond the modulus; the value is zlib's.
  @Test func adler32OfManyBytes() {
    #expect(Checksum.adler32([UInt8](repeating: 255, count: 100_000)) == 0x149A_302C)
  }
}
