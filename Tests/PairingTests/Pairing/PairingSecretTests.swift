import Pairing
import SyncCore
import Testing

@Suite struct PairingSecretTests {
  @Test(arguments: [
    "", "8F0B", "8F0B2C6E51D9A37442E8B05FC1937DAG", "8F0B2C6E51D9A37442E8B05FC1937DA6A6",
    "00000000000000000000000000000000", "ABABABABABABABABABABABABABABABAB",
    "0123456789ABCDEF0123456789ABCDEF", "000102030405060708090A0B0C0D0E0F",
    "F0E1D2C3B4A5968778695A4B3C2D1E0F",
    "11111111111111111111112233445566", "８F0B2C6E51D9A37442E8B05FC193",
  ])
  func isWeak(_ text: String) { #expect(PairingSecret(text).weakness != nil) }

  @Test(arguments: ["8F0B2C6E51D9A37442E8B05FC1937DA6", "8f0b2c6e51d9a37442e8b05fc1937da6"])
  func isStrong(_ text: String) {
    #expect(PairingSecret(text).weakness == nil)
    #expect(PairingSecret(text).bytes?.first == 0x8F)
  }

  @Test func isNeverShown() {
    let secret = PairingSecret(bytes: Array(0..<16))
    #expect(secret.text == "000102030405060708090A0B0C0D0E0F")
    #expect("\(secret) \(String(reflecting: secret))" == "(secret) (secret)")
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }
}
