@testable import Crypto
@testable import Links
import SyncCore
import Testing

/// Vectors from FIPS 180-4 examples and RFC 4231.
struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func hashes(text: String, digest: String) throws {
    #expect(HexDigits.text(try Digest.sha256(Array(text.utf8).span)) == digest)
  }

  @Test(arguments: [
    (
      "Jefe", "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    ("", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ])
  func authenticates(key: String, message: String, code: String) throws {
    let (key, message) = (Array(key.utf8), Array(message.utf8))
    #expect(HexDigits.text(try Digest.hmacSHA256(key: key.span, message: message.span)) == code)
  }

  @Test func comparesEveryByte() {
    let bytes = [UInt8](0..<32)
    #expect(Digest.areEqual(bytes, bytes))
    #expect(!Digest.areEqual(bytes, Array(bytes.dropLast())))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1
      #expect(!Digest.areEqual(bytes, other))
    }
    #expect(Digest.areEqual([], []))
  }

  @Test func devicesHaveUUIDsInLowerCase() throws {
    let ids = try (0..<10).map { _ throws(TransportError) in try DeviceIdentity(creating: "x").peerId }
    #expect(Set(ids).count == 10)
    for id in ids {
      #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }
  }
}
