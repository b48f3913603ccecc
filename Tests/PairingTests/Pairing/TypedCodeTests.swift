import JSONLines
import Pairing
import SyncCore
import Testing

@Suite struct TypedCodeTests {
  private static let secret = PairingSecret("8F0B2C6E51D9A37442E8B05FC1937DA6")
  private static let key = String(repeating: "5f0c1d2e3b4a5968", count: 4)

  private func payload(
    _ version: ProtocolVersion = .two, service: String = ServiceTypeName.peers,
    at time: String = "2026-01-01T00:05:00Z"
  ) throws -> PairingPayload {
    PairingPayload(
      showing: "Study", session: [UInt8](repeating: 0x5A, count: 16), secret: Self.secret, version: version,
      expiresAt: try #require(Instant(time)), publicKeyFingerprint: Self.key, serviceType: service)
  }

  private func read(_ text: some Sequence<UInt8>) -> PairingPayload? {
    try? PairingPayload(parsing: Array(text).span)
  }

  @Test func saysTheSessionAndTheBeginningOfTheKey() throws {
    let payload = try payload()
    let code = try #require(payload.typed)
    #expect(code.utf8.count == 59)
    var said = payload
    said.expectedPeer = nil
    said.publicKeyFingerprint = String(Self.key.prefix(16))
    #expect(read(code.utf8) == said)
    #expect(said.allows(keyOf: Self.key))
    #expect(!said.allows(keyOf: "6" + Self.key.dropFirst()))
  }

  /// A wrong letter anywhere, and a swap of two neighbours, never make another valid code.
  @Test func slipsAreFound() throws {
    let code = Array(try #require(try payload().typed).utf8)
    let places = code.indices.filter { code[$0] != UInt8(ascii: "-") }
    for place in places {
      for letter in "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8 where letter != code[place] {
        var wrong = code
        wrong[place] = letter
        #expect(read(wrong) == nil)
      }
    }
    for (one, other) in zip(places, places.dropFirst()) where code[one] != code[other] {
      var wrong = code
      wrong.swapAt(one, other)
      #expect(read(wrong) == nil)
    }
  }

  @Test func whatACodeCannotSayHasNone() throws {
    #expect(try payload(.one).typed == nil)
    #expect(try payload(service: "_notes._tcp").typed == nil)
    #expect(try payload(at: "2200-01-01T00:00:00Z").typed == nil)
    var other = try payload()
    other.sessionId = try #require(UUIDText("6F2C9A4E-0000-4000-8000-00000000000C"))
    #expect(other.typed == nil)
  }
}
