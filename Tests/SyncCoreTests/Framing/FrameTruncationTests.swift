import Captures
import SyncCore
import TestSupport
import Testing

/// A stream that ends at any byte.
@Suite struct FrameTruncationTests {
  /// Header, payload, trailer of the one frame `{"a":1}`.
  private static let parts: [FramePrefix: (header: String, trailer: String)] = [
    .u32be: ("\0\0\0\u{7}", ""), .u32le: ("\u{7}\0\0\0", ""), .u16be: ("\0\u{7}", ""),
    .u16le: ("\u{7}\0", ""),
    .u64be: ("\0\0\0\0\0\0\0\u{7}", ""), .varint: ("\u{7}", ""), .netstring: ("7:", ","),
    .contentLength: ("Content-Length: 7\r\n\r\n", ""),
  ]
  private static let payload = "{\"a\":1}"
  private static let fixed: [FramePrefix: Int] = [.u32be: 4, .u32le: 4, .u16be: 2, .u16le: 2, .u64be: 8]

  @Test(arguments: FramePrefix.allCases)
  func everyByte(prefix: FramePrefix) {
    let (header, trailer) = Self.parts[prefix]!
    let frame = Array((header + Self.payload + trailer).utf8)
    for count in 0...frame.count {
      let feed = Feed.decode(prefix, [frame + frame[..<count]])
      #expect(feed.lines.count == (count == frame.count ? 2 : 1))
      let expected: FrameError? =
        if count == 0 || count == frame.count {
          nil
        } else if count < header.utf8.count {
          .truncatedHeader(need: Self.fixed[prefix], have: count)
        } else {
          .truncatedPayload(need: UInt64(7 + trailer.utf8.count), have: count - header.utf8.count)
        }
      #expect(feed.failures.map(\.reason) == (expected.map { [.framing($0)] } ?? []), "\(count) bytes")
      #expect(feed.failures.allSatisfy { $0.offset == frame.count })
      #expect(feed.rejected == (expected == nil ? [] : Array(frame[..<count])))
    }
  }

  @Test(arguments: FramePrefix.allCases)
  func envelopeHasThePayloadsLength(prefix: FramePrefix) {
    let (header, _) = Self.parts[prefix]!
    let feed = Feed.decode(prefix, [Array((header + "{\"a\":1").utf8)]) { $0.annotates = true }
    #expect(feed.lines.count == 1)
    #expect(feed.lines[0].hasPrefix("{\"offset\":0,\"length\":7,\"error\":{\"code\":\"truncatedPayload\""))
  }

  /// Announced bytes that never arrive are not requested, so no window is made for them.
  @Test(arguments: [false, true])
  func announcedLengthIsNeverAskedFor(resynchronizes: Bool) {
    var options = FrameReader.Options()
    options.resynchronizes = resynchronizes
    var reader = FrameReader(FrameDecoder(prefix: .u64be, limit: .max), options)
    var output: [UInt8] = []
    let bytes: [UInt8] = [0x3f, 255, 255, 255, 255, 255, 255, 255, 91]
    let step = reader.process(bytes.span, at: 0, isFinal: false, into: &output)
    #expect(step.consumed == 0 && step.failure == nil)
    #expect(step.wanted == bytes.count + 1)
    #expect(output.capacity < 4_096)
  }
}
