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

  @Test(.enabled(if: FrameExchange.canDeflate), arguments: [0, 700, 1_100, 200_000])
  func whatIsDeflatedIsInflated(_ count: Int) {
    let message = Self.message(of: count)
    let (plain, packed) = (
      Self.frame(of: message, deflating: false), Self.frame(of: message, deflating: true)
    )
    #expect(Self.heard(packed) == message && Self.heard(plain) == message)
    #expect(count > 1_000 ? packed.count < plain.count / 4 : packed == plain)
  }

  @Test func nobodyIsSentWhatHeHasNotAskedFor() {
    #expect(Self.heard(Self.frame(of: Self.message(of: 5_000), deflating: true), inflating: false) == nil)
  }

  @Test func noMoreIsInflatedThanMayBeRead() {
    let packed = Self.frame(of: Self.message(of: 100_000), deflating: true)
    #expect(packed.count < 1_000)
    #expect(Self.heard(packed, limit: 50_000) == nil)
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
    #expect(Self.heard([0, 0, 0, UInt8(packed.count - 8)] + packed[4..<packed.count - 4]) == nil)
  }
}
