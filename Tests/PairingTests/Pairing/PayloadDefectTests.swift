import JSONLines
import Pairing
import SyncCore
import Testing

/// Errors of the first apps with QR payloads, each with a test of its name.
@Suite struct PayloadDefectTests {
  private static let now = Instant("2026-01-01T00:00:00Z")!
  private static let payload = PairingPayload(
    sessionId: UUIDText("6F2C9A4E-91B0-4C57-8D0E-3A5B7C91D2E4")!, expectedPeer: "Jan's MacBook",
    secret: PairingSecret("8F0B2C6E51D9A37442E8B05FC1937DA6"), version: .one,
    expiresAt: now.advanced(by: .seconds(300)))

  private func isRead(_ text: [UInt8]) -> Bool {
    (try? PairingPayload(parsing: text.span)) == Self.payload
  }

  @Test func bonjourServiceTypeIsNeverChecked() {
    var other = Self.payload
    other.serviceType = "_http._tcp"
    #expect(Self.payload.problems(at: Self.now) == [])
    #expect(other.problems(at: Self.now).map(\.code) == [.wrongServiceType])
  }

  @Test func aTrailingNewlineBreaksTheDecoder() {
    #expect(isRead(Self.payload.base64 + [10]) && isRead(Self.payload.base64 + [13, 10]))
  }

  @Test func aLeadingBlankBreaksTheDecoder() {
    #expect(isRead([32] + Self.payload.base64))
  }

  @Test func missingPaddingBreaksTheDecoder() {
    // Names of three lengths in a row, of which two need padding.
    var padded = 0
    for name in ["a", "ab", "abc"] {
      var payload = Self.payload
      payload.expectedPeer = name
      let text = payload.base64
      if text.last == UInt8(ascii: "=") { padded += 1 }
      let bare = Array(text.prefix { $0 != UInt8(ascii: "=") })
      let read = try? PairingPayload(parsing: bare.span)
      #expect(read == payload)
    }
    #expect(padded == 2)
  }
}
