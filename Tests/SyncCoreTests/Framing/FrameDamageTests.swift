import Captures
import JSONLines
import SyncCore
import TestSupport
import Testing

/// Damaged streams never crash, lose no good frame before the damage, and have only one meaning.
@Suite struct FrameDamageTests {
  private static let text = Array("{\"a\":1}\n[2,3]\n\"é\"\n".utf8)

  @Test(arguments: FramePrefix.allCases)
  func everyFlippedBit(prefix: FramePrefix) {
    let stream = Feed.encode(prefix, [Self.text]).output
    for index in stream.indices {
      for bit in 0..<8 {
        var damaged = stream
        damaged[index] ^= 1 << UInt8(bit)
        check(prefix, damaged)
      }
    }
  }

  @Test(arguments: Tries.some(FramePrefix.allCases))
  func everyByteInTheHeader(prefix: FramePrefix) {
    let stream = Feed.encode(prefix, [Self.text]).output
    for index in 0..<min(stream.count, 10) {
      for byte in UInt8.min...UInt8.max {
        var damaged = stream
        damaged[index] = byte
        check(prefix, damaged)
      }
    }
  }

  @Test(arguments: Tries.seeds(200))
  func noise(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("{}[]\",:0123456789 \r\nContet-Lgh".utf8) + [0, 0, 1, 2, 0x7f, 0x80, 0xff]
    let bytes = (0..<300).map { _ in random.pick(alphabet) }
    for prefix in FramePrefix.allCases { check(prefix, bytes) }
  }

  private func check(_ prefix: FramePrefix, _ bytes: [UInt8]) {
    checkBase64(prefix, bytes)
    let cut = bytes.count / 2
    for resynchronizes in [false, true] {
      let whole = Feed.decode(prefix, [bytes], limit: 1 << 16) { $0.resynchronizes = resynchronizes }
      let halves = Feed.decode(prefix, [Array(bytes[..<cut]), Array(bytes[cut...])], limit: 1 << 16) {
        $0.resynchronizes = resynchronizes
      }
      #expect(halves.output == whole.output && halves.rejected == whole.rejected, "\(bytes.hex)")
      for line in whole.lines {
        #expect(throws: Never.self, "\(bytes.hex)") { try JSONScanner.validate(Array(line.utf8).span) }
      }
    }
  }

  /// All decoded frames encode to the same bytes, except the fields of a Content-Length block.
  private func checkBase64(_ prefix: FramePrefix, _ bytes: [UInt8]) {
    let feed = Feed.decode(prefix, [bytes], limit: 1 << 16) { $0.form = .base64 }
    let again = Feed.encode(prefix, [feed.output], .base64).output
    #expect(feed.failures.count <= 1)
    if prefix == .contentLength {
      #expect(Feed.decode(prefix, [again]) { $0.form = .base64 }.output == feed.output, "\(bytes.hex)")
    } else {
      #expect(again == Array(bytes[..<(feed.failures.first?.offset ?? bytes.count)]), "\(bytes.hex)")
    }
  }

  @Test func headerBlockWithoutEndIsGivenUp() {
    let garbage = [UInt8](repeating: 120, count: 1_024)
    #expect(Feed.decode(.contentLength, [garbage]).failures.map(\.code) == [.truncatedHeader])
    let more = Feed.decode(.contentLength, [garbage + [120, 120]])
    #expect(more.failures.map(\.code) == [.invalidHeader])
  }

  @Test func rejectedBytesAreThoseOfTheBadFrameOnly() {
    let feed = Feed.decode(.u16be, [Array(hex: "00025b5d" + "0001ff" + "00027b7d" + "0003")])
    #expect(feed.lines == ["[]", "{}"])
    #expect(feed.failures.map(\.code) == [.unexpectedByte, .truncatedPayload])
    #expect(feed.rejected.hex == "0001ff0003")
  }
}
