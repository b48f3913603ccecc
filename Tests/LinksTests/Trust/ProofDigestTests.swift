import Crypto
import Links
import Pairing
import SyncCore
import TestSupport
import Testing

/// The proofs of Tests/Vectors/pairing-proof.json are HMACs of their messages.
@Suite struct ProofDigestTests {
  private struct Vector: Decodable {
    var secret, message, proof: String
  }

  @Test func hmacOfTheMessage() throws {
    let vectors: [Vector] = VectorFile.load("pairing-proof")
    for vector in vectors {
      let key = try #require(PairingSecret(vector.secret).bytes)
      let message = Array<UInt8>(hex: vector.message)
      let proof = try Digest.hmacSHA256(key: key.span, message: message.span)
      #expect(proof.hex == vector.proof)
    }
  }
}
