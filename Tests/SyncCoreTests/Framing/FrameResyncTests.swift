import Captures
import JSONLines
import SyncCore
import TestSupport
import Testing

/// Continuing after bytes that are not a frame.
@Suite struct FrameResyncTests {
  private static let good = Array("{\"a\":1}\n[2]\n".utf8)

  /// Garbage that no prefix takes for the beginning of a longer frame that then arrives completely.
  private static let garbage: [[UInt8]] = [
    Array("noise".utf8), [0xff], [0xff, 0xff, 0xff, 0xff, 0xff], Array("{\"cut\":".utf8), [0],
    Array("\r\n".utf8), Array("\0\0\0\u{5}hello".utf8),
  ]

  @Test(arguments: FramePrefix.allCases, garbage)
  func findsTheFramesBehindGarbage(prefix: FramePrefix, garbage: [UInt8]) {
    let frames = Feed.encode(prefix, [Self.good]).output
    let feed = Feed.decode(prefix, [frames + garbage + frames]) { $0.resynchronizes = true }
    #expect(feed.output == Self.good + Self.good)
    let skipped = feed.failures.filter { $0.reason == .skipped }
    #expect(skipped.map(\.offset) == [frames.count])
    #expect(skipped.map(\.length) == [garbage.count])
    #expect(feed.rejected == garbage)
  }

  @Test(arguments: FramePrefix.allCases)
  func garbageAtTheEndIsReported(prefix: FramePrefix) {
    let frames = Feed.encode(prefix, [Self.good]).output
    let feed = Feed.decode(prefix, [frames + Array("noise".utf8)]) { $0.resynchronizes = true }
    #expect(feed.output == Self.good)
    #expect(feed.failures.last?.reason == .skipped)
    #expect(feed.failures.last?.offset == frames.count && feed.failures.last?.length == 5)
  }

  @Test(arguments: FramePrefix.allCases)
  func sameForEveryCut(prefix: FramePrefix) {
    let frame = Feed.encode(prefix, [Array("[2]\n".utf8)]).output
    let stream = frame + [0xff, 0xfe, 0xfd, 0xfc, 0xfb] + frame
    let whole = Feed.decode(prefix, [stream]) { $0.resynchronizes = true }
    #expect(whole.lines == ["[2]", "[2]"])
    for pieces in Cuts.inThree(stream) {
      let feed = Feed.decode(prefix, pieces) { $0.resynchronizes = true }
      #expect(feed.output == whole.output, "\(pieces.map(\.hex))")
      #expect(feed.failures.last == whole.failures.last, "\(pieces.map(\.hex))")
      #expect(feed.rejected == whole.rejected, "\(pieces.map(\.hex))")
    }
  }

  @Test func largeAnnouncementDoesNotSwallowWhatFollows() {
    let stream = Array(hex: "00ff0000" + "7b6e6f" + "00000002" + "5b5d")
    let feed = Feed.decode(.u32be, [stream]) { $0.resynchronizes = true }
    #expect(feed.lines == ["[]"])
    #expect(feed.failures.last?.offset == 0 && feed.failures.last?.length == 7)
  }

  /// Bytes that cannot become JSON are not awaited, so a live stream continues.
  @Test func findsAFrameBeforeTheStreamEnds() {
    var options = FrameReader.Options()
    options.resynchronizes = true
    var reader = FrameReader(FrameDecoder(prefix: .u32be, limit: 16 << 20), options)
    let stream = Array(hex: "ffffffff" + "001000005b6f6f" + "000000025b5d")
    var output: [UInt8] = []
    var position = 0
    for _ in 0..<4 {
      let rest = Array(stream[position...])
      position += reader.process(rest.span, at: position, isFinal: false, into: &output).consumed
    }
    #expect(output == Array("[]\n".utf8))
  }

  @Test func twoDamagedPlacesAreTwoRanges() {
    let stream = Array(hex: "ffffffff" + "000000025b5d" + "ffffffffff" + "000000027b7d" + "ff")
    let feed = Feed.decode(.u32be, [stream]) { $0.resynchronizes = true }
    #expect(feed.lines == ["[]", "{}"])
    let skipped = feed.failures.filter { $0.reason == .skipped }
    #expect(skipped.map(\.offset) == [0, 10, 21])
    #expect(skipped.map(\.length) == [4, 5, 1])
  }

  @Test func withoutItNothingBehindIsBelieved() {
    let feed = Feed.decode(.u32be, [Array(hex: "ffffffff" + "000000025b5d")])
    #expect(feed.lines == [])
    #expect(feed.failures.map(\.code) == [.frameTooLarge])
  }

  @Test func envelopesSayTheSame() {
    let stream = Array(hex: "ffffffff" + "000000025b5d")
    let feed = Feed.decode(.u32be, [stream]) {
      $0.resynchronizes = true
      $0.annotates = true
    }
    let expected = [
      #"{"offset":0,"length":4294967295,"error":{"code":"frameTooLarge","message":"#
        + #""frame too large: 4294967295 bytes, the limit is 16777216"}}"#,
      #"{"offset":0,"length":4,"error":{"code":"skippedBytes","message":"skipped 4 bytes that are not a frame"}}"#,
      #"{"offset":4,"length":2,"message":[]}"#,
    ]
    #expect(feed.lines == expected)
  }

  @Test func manyFramesBehindNoiseBySeeds() {
    for seed in UInt64(1)...100 {
      var random = SplitMix64(seed: seed)
      var (stream, lines): ([UInt8], [UInt8]) = ([], [])
      for number in 0..<20 {
        if random.oneIn(3) {
          stream += (0..<random.pick(1...9)).map { _ in random.pick([0xff, 0xfe, 0x80]) }
        }
        let line = Array("{\"n\":\(number)}\n".utf8)
        stream += Feed.encode(.u32be, [line]).output
        lines += line
      }
      let feed = Feed.decode(.u32be, [stream]) { $0.resynchronizes = true }
      #expect(feed.output == lines, "seed \(seed)")
    }
  }
}
