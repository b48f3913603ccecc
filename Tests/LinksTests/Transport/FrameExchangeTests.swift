import Captures
@testable import Links
import SyncCore
import Testing

/// Deflated payloads are messages again, and other payloads that claim to be deflated are refused.
@Suite struct FrameExchangeTests {
  private static let stamp = MessageStamp(
    id: UUIDText("6F2C9A4E-0000-4000-8000-000000000001")!, sentAt: Instant("2026-01-01T08:00:00Z")!)

  private static func message(of count: Int) -> Message {
    let error = PeerError(.busy, String(repeating: "a", count: count))
    return Message(id: stamp.id, version: .two, sentAt: stamp.sentAt, body: .error(error))
  }

  private static func frame(of message: Message, deflating: Bool) -> [UInt8] {
    var frames = FrameExchange(limit: 1 << 20)
    frames.deflates = deflating
    frames.send(message)
    return frames.take(1 << 20)
  }

  /// The message that a frame has; nil if it has none.
  private static func heard(_ frame: [UInt8], inflating: Bool = true, limit: Int = 1 << 20) -> Message? {
    var frames = FrameExchange(limit: limit)
    frames.inflates = inflating
    frames.append(frame.span)
    guard case .message(let message) = frames.next() else { return nil }
    return message
  }

  /// With a slow reader some output always waits.
  @Test func whatHasBeenTakenIsFreed() {
    var frames = FrameExchange(limit: 1 << 20)
    let page = Self.message(of: 200_000)
    let length = Self.frame(of: page, deflating: false).count
    for _ in 0..<2 { frames.send(page) }
    for _ in 0..<50 {
      frames.send(page)
      #expect(frames.take(length).count == length && frames.hasOutput)
      #expect(frames.outgoing.count < FrameExchange.mostTaken + 3 * length)
    }
  }

  /// A side that sends one long answer still reads.
  @Test func theNewestFrameDoesNotFillTheOutput() {
    var frames = FrameExchange(limit: 1 << 20)
    frames.send(Self.message(of: 5 << 20))
    #expect(!frames.isFull)
    frames.send(Self.message(of: 1))
    #expect(frames.isFull)
    _ = frames.take(2 << 20)
    #expect(!frames.isFull)
  }

  /// Texts of few and of many different bytes, and of more than the window of 32 KiB.
  @Test(.enabled(if: FrameExchange.canDeflate), arguments: [1, 2, 5, 40, 256])
  func theInflaterReadsWhatZlibWrites(_ variety: UInt64) throws {
    var random = SplitMix64(seed: variety)
    for count in [1_024, 5_000, 100_000, 400_000] {
      let piece = (0..<count / 4).map { _ in UInt8(truncatingIfNeeded: random.next() % variety) }
      let message = piece + piece.reversed() + piece + piece
      guard let payload = DeflatedPayload.pack(message) else { continue }
      #expect(try DeflatedPayload.unpack(payload.span, limit: count) == message)
      #expect(try DeflatedPayload.unpackFast(payload.span, limit: count) == message)
      #expect(throws: DeflatedPayload.Failure.cut) {
        try DeflatedPayload.unpack(payload.span.extracting(droppingLast: 1), limit: count)
      }
    }
  }

  @Test(.enabled(if: FrameExchange.canDeflate), arguments: [0, 700, 1_100, 200_000])
  func whatIsDeflatedIsInflated(_ count: Int) {
    let message = Self.message(of: count)
    let (plain, packed) = (
      Self.frame(of: message, deflating: false), Self.frame(of: message, deflating: true)
    )
    #expect(Self.heard(packed) == message && Self.heard(plain) == message)
    #expect(count > 1_000 ? packed.count < plain.count / 4 : packed == plain)
  }

  /// Why a payload is not a message; nil if it is one.
  private static func fault(_ payload: [UInt8], inflating: Bool = true, limit: Int = 1 << 20) -> MessageError?
  {
    var frames = FrameExchange(limit: limit)
    frames.inflates = inflating
    var frame: [UInt8] = []
    FramePrefix.u32be.appendHeader(length: payload.count, to: &frame)
    frames.append((frame + payload).span)
    guard case .unreadable(let error) = frames.next() else { return nil }
    return error
  }

  @Test func nobodyIsSentWhatHeHasNotAskedFor() {
    let packed = Self.frame(of: Self.message(of: 5_000), deflating: true)
    #expect(
      Self.fault(Array(packed[4...]), inflating: false)
        == .deflated("a deflated message that was not requested"))
  }

  /// It is the same fault as a long frame, so it is answered in the same way.
  @Test func noMoreIsInflatedThanMayBeRead() {
    let packed = Self.frame(of: Self.message(of: 100_000), deflating: true)
    #expect(packed.count < 1_000)
    #expect(Self.fault(Array(packed[4...]), limit: 50_000) == .tooLarge(limit: 50_000))
  }

  /// The words are about the stream, not about JSON.
  @Test(.enabled(if: FrameExchange.canDeflate)) func aDeflatedMessageSaysWhatIsWrongWithIt() {
    let message = Self.message(of: 5_000)
    let packed = Array(Self.frame(of: message, deflating: true)[4...])
    let length = message.line.count
    func fault(_ payload: [UInt8]) -> String? { Self.fault(payload)?.message }
    #expect(
      fault([0, 0, 0, 5] + packed[4...]) == "a deflated message: 5 bytes announced, the stream has \(length)")
    #expect(
      fault([0, 1, 0, 0] + packed[4...])
        == "a deflated message: 65536 bytes announced, the stream has \(length)")
    #expect(fault(packed + [0]) == "a deflated message: 1 byte follows the stream")
    #expect(fault(packed + packed) == "a deflated message: \(packed.count) bytes follow the stream")
    #expect(fault(packed.dropLast()) == "a deflated message: the stream ends early")
    #expect(
      fault(packed.dropLast() + [packed[packed.count - 1] ^ 1]) == "a deflated message: the stream is damaged"
    )
    #expect(fault([0, 0, 0, 5]) == "a deflated message: the stream ends early")
    #expect(fault([1]) == "a deflated message: the stream ends early")
  }

  /// Each byte of the payload, including the length and the checksum of the stream.
  @Test func damageIsFound() {
    let packed = Self.frame(of: Self.message(of: 5_000), deflating: true)
    for index in 4..<packed.count {
      var damaged = packed
      damaged[index] ^= 0x10
      // What comes before the header of the stream may say how it was made, and nothing of its content.
      if let message = Self.heard(damaged) { #expect(message == Self.message(of: 5_000), "\(index)") }
    }
  }
}
