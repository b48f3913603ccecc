import Pairing
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/pairing-proof.json; all but `purpose` and `session` in hex.
struct ProofVector: Decodable, CustomTestStringConvertible {
  var purpose: String
  var session: String
  var secret: String
  var exporter: String
  var scanner: String
  var provider: String
  var message: String
  var proof: String

  var testDescription: String { purpose }
  static let all: [ProofVector] = VectorFile.load("pairing-proof")
}

@Suite struct PairingProofVectorTests {
  @Test(arguments: ProofVector.all)
  func message(_ vector: ProofVector) throws {
    let channel = PairingProof.Channel(
      exporter: Array(hex: vector.exporter), scanner: Array(hex: vector.scanner),
      provider: Array(hex: vector.provider))
    let message = PairingProof.message(
      try #require(PairingProof.Purpose(rawValue: vector.purpose)), version: .two,
      session: try #require(UUIDText(vector.session)), channel)
    #expect(message.hex == vector.message)
  }

  @Test func everyPurposeHasAVector() {
    #expect(ProofVector.all.map(\.purpose) == PairingProof.Purpose.allCases.map(\.rawValue))
  }
}
