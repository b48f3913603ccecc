import Captures
import SyncCore
import TestSupport
import Testing

/// In whatever order the packets of a stream come, its bytes are the same.
@Suite struct StreamOrderTests {
  private static let talk = Talk()

  /// Segments of one to nine bytes; some bytes are repeated, in other segments.
  private static func segments(_ text: [UInt8], of talk: Talk, _ random: inout SplitMix64) -> [[UInt8]] {
    var segments: [[UInt8]] = []
    var start = 0
    while start < text.count {
      let end = min(text.count, start + Int.random(in: 1...9, using: &random))
      segments.append(talk.client(at: start, Array(text[start..<end])))
      if random.oneIn(3) {
        let from = Int.random(in: 0...start, using: &random)
        segments.append(talk.client(at: from, Array(text[from..<end])))
      }
      start = end
    }
    return segments
  }

  @Test(arguments: Tries.seeds(200))
  func anyOrderGivesTheSameBytes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let text = (0..<Int.random(in: 1...200, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    var talk = Self.talk
    // Some streams pass the end of the sequence numbers.
    if random.oneIn(2) { talk.starts.client = .max - UInt32.random(in: 0..<100, using: &random) }
    var segments = Self.segments(text, of: talk, &random)
    segments.append(talk.client(Wire.Flag.fin, at: text.count))
    var reading = Reading()
    reading.read(talk.handshake)
    reading.read(segments.shuffled(using: &random))
    reading.finish()
    #expect(reading.bytes() == text, "seed \(seed)")
    #expect(reading.output.findings.isEmpty && reading.output.gaps == 0, "seed \(seed)")
  }

  /// Wherever a capture is cut, exactly the bytes before the cut are there.
  @Test func cutAfterEveryPacket() {
    var random = SplitMix64(seed: 3)
    let text = Array(0..<100 as Range<UInt8>)
    let packets = Self.talk.handshake + Self.segments(text, of: Self.talk, &random).shuffled(using: &random)
    for count in 0...packets.count {
      var reading = Reading()
      reading.read(Array(packets.prefix(count)))
      reading.finish()
      let known = reading.parts(0, from: 51_000).flatMap { part -> [UInt8?] in
        switch part {
        case .bytes(let bytes): bytes.map { $0 }
        case .gap(let count): [UInt8?](repeating: nil, count: count)
        }
      }
      #expect(known.count <= text.count)
      #expect(zip(known, text).allSatisfy { $0 == nil || $0 == $1 }, "\(count) packets")
    }
  }

  @Test func bytesAreWrittenAsSoonAsTheyAreInOrder() {
    var reading = Reading()
    reading.read(Self.talk.handshake + [Self.talk.client(at: 0, [1, 2])])
    #expect(reading.bytes() == [1, 2])
    reading.read([Self.talk.client(at: 3, [4])])
    #expect(reading.bytes() == [1, 2])
    reading.read([Self.talk.client(at: 2, [3])])
    #expect(reading.bytes() == [1, 2, 3, 4])
    #expect(reading.lines.map(\.offset) == [0, 2, 3])
    #expect(reading.lines[2].time == Array("2026-01-01T00:00:00.005Z".utf8), "the time of its own packet")
  }
}
