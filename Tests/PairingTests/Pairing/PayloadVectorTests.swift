import JSONLines
import Pairing
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/pairing-payloads.json.
struct PayloadVector: Decodable, CustomTestStringConvertible {
  var name: String
  var text: String
  /// The time at which it is read; without it, one at which it is valid.
  var now: String?
  /// How the payload is written; absent where there is none.
  var payload: String?
  /// The codes of all problems, in order.
  var problems: [String]?
  var clockSkewSeconds: Int?

  var testDescription: String { name }
  static let all: [PayloadVector] = VectorFile.load("pairing-payloads")
}

@Suite struct PayloadVectorTests {
  private func outcome(
    _ text: [UInt8], at now: String = "2026-01-01T00:00:00Z"
  ) throws -> (payload: String?, problems: [PairingPayloadProblem]) {
    let now = try #require(Instant(now))
    do throws(PairingPayloadProblem) {
      let payload = try PairingPayload(parsing: text.span)
      return (payload.json.text, payload.problems(at: now))
    } catch {
      return (nil, [error])
    }
  }

  @Test(arguments: PayloadVector.all)
  func reads(_ vector: PayloadVector) throws {
    let outcome = try outcome(Array(vector.text.utf8), at: vector.now ?? "2026-01-01T00:00:00Z")
    #expect(outcome.payload == vector.payload)
    #expect(outcome.problems.map(\.code.rawValue) == vector.problems ?? [])
    #expect(outcome.problems.first?.clockSkewSeconds == vector.clockSkewSeconds)
  }

  private func payload(_ text: [UInt8]) throws -> PairingPayload { try PairingPayload(parsing: text.span) }

  private func symbolText(_ text: [UInt8]) throws -> [UInt8] { try PairingPayload.symbolText(of: text.span) }

  @Test(arguments: PayloadVector.all.filter { $0.payload != nil })
  func whatIsWrittenIsReadTheSame(_ vector: PayloadVector) throws {
    let payload = try payload(Array(vector.text.utf8))
    let (base64, json) = (payload.base64, payload.json)
    #expect(try self.payload(base64).json == json)
    #expect(try symbolText(base64) == base64)
  }

  @Test(arguments: Tries.some(PayloadVector.all.filter { $0.payload != nil }))
  func truncationsAreNoPayload(_ vector: PayloadVector) throws {
    let text = Array(vector.text.utf8)
    // Behind the last quote there is only padding or white space, without which it is the same payload.
    let end = text.lastIndex { $0 == UInt8(ascii: "}") || $0.isBase64 } ?? 0
    for count in 0..<end - 2 {
      #expect(try outcome(Array(text[..<count])).problems.map(\.code) == [.invalidQRCodePayload])
    }
  }

  @Test(arguments: Tries.some(PayloadVector.all.filter { $0.payload != nil }))
  func flippedBitsAreReadOrRefused(_ vector: PayloadVector) throws {
    let text = Array(vector.text.utf8)
    for index in text.indices {
      var flipped = text
      flipped[index] ^= 1 << UInt8(index % 8)
      guard let payload = try outcome(flipped).payload else { continue }
      #expect(try outcome(Array(payload.utf8)).payload == payload)
    }
  }

  /// Unknown members are ignored, and stay in the drawing.
  @Test func aSymbolKeepsTheBytes() throws {
    let text = Array(
      #" {"protocolVersion": 1,"pairingSessionId":"6F2C9A4E-0000-4000-8000-00000000000C","bonjourServiceType":"_appsync._tcp","pairingSecret":"8F0B2C6E51D9A37442E8B05FC1937DA6","expiresAt":"2026-01-01T00:05:00Z","colour":"blue"} "#
        .utf8)
    let symbol = try symbolText(text)
    var decoded: [UInt8] = []
    try Base64.decode(symbol.span, into: &decoded)
    #expect(decoded == text.dropFirst().dropLast())
  }

  @Test func serviceAndVersionAreAskedFor() throws {
    let secret = PairingSecret("8F0B2C6E51D9A37442E8B05FC1937DA6")
    let now = try #require(Instant("2026-01-01T00:00:00Z"))
    let payload = PairingPayload(
      sessionId: try #require(UUIDText("6F2C9A4E-0000-4000-8000-00000000000C")),
      serviceType: "_AppSync._TCP.",
      secret: secret, version: .one, expiresAt: now.advanced(by: .seconds(1)))
    #expect(payload.problems(at: now) == [])
    #expect(payload.problems(at: now, service: "_other._tcp").map(\.code) == [.wrongServiceType])
    #expect(payload.problems(at: now, version: .two).map(\.code) == [.incompatibleProtocolVersion])
    #expect(payload.problems(at: now.advanced(by: .milliseconds(999))) == [])
    #expect(payload.problems(at: now.advanced(by: .seconds(1))) == [.expired(secondsAgo: 0)])
    #expect(payload.problems(at: now.advanced(by: .milliseconds(2_999))) == [.expired(secondsAgo: 1)])
  }
}

extension UInt8 {
  fileprivate var isBase64: Bool {
    Array("+/".utf8).contains(self) || self &- 48 < 10 || (self | 32) &- 97 < 26
  }
}
