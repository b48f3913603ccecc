@testable import Crypto
@testable import Links
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/key-fingerprints.json; the digests are those of another program.
struct KeyVector: Decodable, CustomTestStringConvertible {
  var name: String
  var subjectPublicKeyInfo: String
  var publicKeyFingerprint: String

  var testDescription: String { name }

  static let all: [KeyVector] = VectorFile.load("key-fingerprints")
}

@Suite struct KeyFingerprintTests {
  @Test(arguments: KeyVector.all)
  func isTheDigestOfTheKey(_ vector: KeyVector) throws {
    let key = try #require(HexDigits.bytes(vector.subjectPublicKeyInfo))
    #expect(try KeyFingerprint(subjectPublicKeyInfo: key.span).text == vector.publicKeyFingerprint)
  }
}
