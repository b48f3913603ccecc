import Captures
import SyncCore
import Testing
import TestSupport

/// Frames as an app reads them.
@Suite struct FrameStreamTests {
  @Test(arguments: FramePrefix.allCases)
  func payloadsComeBackHoweverTheBytesArrive(prefix: FramePrefix) throws {
    var random = SplitMix64(seed: 7)
    let payloads = (0..<40).map { _ in
      [UInt8](repeating: UInt8(random.next() % 256), count: Int(random.next() % 300))
    }
    let bytes = try payloads.flatMap { try FrameStream.frame($0, prefix: prefix) }
    for _ in 0..<20 {
      var (stream, found, start) = (FrameStream(prefix: prefix), [[UInt8]](), 0)
      while start < bytes.count {
        let end = min(bytes.count, start + 1 + Int(random.next() % 400))
        stream.append(bytes[start..<end])
        while let payload = try stream.next() { found.append(payload) }
        start = end
      }
      try stream.finish()
      #expect(found == payloads)
    }
  }

  @Test func anEndInsideAFrameSaysWhatIsMissing() throws {
    var stream = FrameStream()
    stream.append(try FrameStream.frame([1, 2, 3]).dropLast())
    #expect(try stream.next() == nil)
    let error = #expect(throws: FrameError.truncatedPayload(need: 3, have: 2)) { try stream.finish() }
    #expect(error?.code == .truncatedPayload)
  }

  @Test func aPayloadAboveTheLimitIsRefusedAtItsHeader() throws {
    var stream = FrameStream(limit: 100)
    stream.append([0, 0, 0, 101])
    #expect(throws: FrameError.tooLarge(length: 101, limit: 100)) { try stream.next() }
    var none = FrameStream(limit: -1)
    none.append([0, 0, 0, 0, 0, 0, 0, 1])
    #expect(try none.next() == [])
    #expect(throws: FrameError.tooLarge(length: 1, limit: 0)) { try none.next() }
    #expect(throws: FrameError.self) {
      try FrameStream.frame([UInt8](repeating: 0, count: 70_000), prefix: .u16be)
    }
  }
}
