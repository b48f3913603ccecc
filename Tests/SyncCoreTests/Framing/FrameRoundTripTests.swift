import Captures
import JSONLines
import SyncCore
import TestSupport
import Testing

/// Frames of every prefix, encoded and decoded.
@Suite struct FrameRoundTripTests {
  private static let sizes = [0, 1, 2, 127, 128, 255, 256, 16_383, 16_384, 65_535]

  @Test(arguments: FramePrefix.allCases, sizes)
  func payloadOfEverySize(prefix: FramePrefix, size: Int) {
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var line: [UInt8] = []
    Base64.append(payload.span, to: &line)
    line.append(10)
    let encoded = Feed.encode(prefix, [line + line], .base64)
    let expected = Self.frame(prefix, payload)
    #expect(encoded.output == expected + expected)
    let decoded = Feed.decode(prefix, [encoded.output]) { $0.form = .base64 }
    #expect(decoded.output == line + line)
    #expect(encoded.failures == [] && decoded.failures == [])
  }

  /// Written separately here, from the descriptions of the prefixes.
  private static func frame(_ prefix: FramePrefix, _ payload: [UInt8]) -> [UInt8] {
    let n = payload.count
    let bytes = [n >> 24, n >> 16, n >> 8, n].map { UInt8($0 & 255) }
    let header: [UInt8] =
      switch prefix {
      case .u32be: bytes
      case .u32le: bytes.reversed()
      case .u16be: Array(bytes[2...])
      case .u16le: bytes[2...].reversed()
      case .u64be: [0, 0, 0, 0] + bytes
      case .varint:
        n < 128
          ? [UInt8(n)]
          : n < 16_384
            ? [UInt8(n % 128 + 128), UInt8(n / 128)]
            : [UInt8(n % 128 + 128), UInt8(n / 128 % 128 + 128), UInt8(n / 16_384)]
      case .netstring: Array("\(n):".utf8)
      case .contentLength: Array("Content-Length: \(n)\r\n\r\n".utf8)
      }
    return header + payload + (prefix == .netstring ? [44] : [])
  }

  @Test(arguments: [FramePrefix.u16be, .u16le])
  func twoBytesCannotSayMore(prefix: FramePrefix) {
    let line = [UInt8](repeating: 120, count: 65_536) + [10]
    let feed = Feed.encode(prefix, [line, Array("[]\n".utf8)], .unchecked)
    #expect(feed.output.count == 4)
    #expect(feed.failures.map(\.code) == [.frameTooLarge])
    #expect(feed.failures.map(\.line) == [1])
  }

  @Test(arguments: FramePrefix.allCases)
  func uncheckedPayloadIsKept(prefix: FramePrefix) {
    let lines: [UInt8] = Array("not JSON\n\n \t\n".utf8) + [0xff, 0, 10]
    let encoded = Feed.encode(prefix, [lines], .unchecked)
    #expect(Feed.decode(prefix, [encoded.output]) { $0.form = .unchecked }.output == lines)
  }

  @Test(arguments: FramePrefix.allCases)
  func lineFeedInAnUncheckedPayloadIsRefused(prefix: FramePrefix) {
    let stream = Self.frame(prefix, Array("[1,\n2]".utf8)) + Self.frame(prefix, [123, 125])
    let feed = Feed.decode(prefix, [stream]) { $0.form = .unchecked }
    #expect(feed.lines == ["{}"])
    #expect(feed.failures.map(\.code) == [.lineBreakInPayload])
  }

  @Test func blankLinesAreNoFrames() {
    let feed = Feed.encode(.u16be, [Array("\n \t \r\n[]\r\n\n{}".utf8)])
    #expect(feed.output.hex == "00025b5d00027b7d")
  }
}
