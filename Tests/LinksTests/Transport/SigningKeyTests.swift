@testable import Crypto
import Foundation
@testable import Links
import Testing

/// ES256, on a key of the curve.
@Suite struct SigningKeyTests {
  private func key() throws -> [UInt8] {
    let material = try KeyMaterial.make()
    return try material.pem()
  }

  @Test func aSignatureIsSixtyFourBytesAndNeverTheSame() throws {
    let pem = try key()
    let key = try #require(try SigningKey(pem: pem.span))
    let message = Array("message".utf8)
    let signatures = try (0..<200).map { _ in try key.es256(message.span) }
    #expect(signatures.allSatisfy { $0.count == 64 })
    #expect(Set(signatures).count == 200)
  }

  @Test func anotherKeyOrTextIsNone() throws {
    let text = Array("-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n".utf8)
    for bytes in [[], text] { #expect(try SigningKey(pem: bytes.span) == nil) }
  }
}
