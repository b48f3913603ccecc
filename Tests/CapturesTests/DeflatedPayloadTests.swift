import Captures
import JSONLines
import SyncCore
import TestSupport
import Testing

/// What zlib has deflated at all its levels is inflated, and nothing else is taken for it.
@Suite struct DeflatedPayloadTests {
  private static let message = Array(
    ("{\"type\":\"ack\",\"text\":\"" + String(repeating: "ab", count: 40) + "\"}").utf8)

  /// By levels 0 and 9 of zlib: stored, and with the codes of the standard.
  private static let stored: [UInt8] = {
    var bytes: [UInt8] = [0x78, 0x01, 0x01, 104, 0, 0xFF ^ 104, 0xFF]
    bytes += message + [0x8B, 0xBE, 0x25, 0xD7]
    return bytes
  }()
  private static let packed = Array(hex: "78daab562aa92c4855b2524a4cce56d2512a49ad28017192a80b956a018bbe25d7")

  private static func failure(_ payload: [UInt8], limit: Int = 1_000) -> DeflatedPayload.Failure? {
    do throws(DeflatedPayload.Failure) {
      _ = try DeflatedPayload.unpack(payload.span, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test func bothFormsAreInflated() throws {
    for stream in [Self.stored, Self.packed] {
      let payload = [0, 0, 0, 104] + stream
      #expect(try DeflatedPayload.unpack(payload.span, limit: 104) == Self.message)
      #expect(Self.failure(payload, limit: 103) == .tooLarge(length: 104, limit: 103))
    }
  }

  /// A block with codes of its own: lines of records, by level 6 of zlib.
  @Test func aBlockWithItsOwnCodesIsInflated() throws {
    let text = (0..<200).map { "{\"id\":\"\($0 * 7_919 % 2_003)\",\"title\":\"Water \($0 % 13)\"}\n" }
      .joined()
    let payload =
      [0, 0, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)] + Array(hex: Self.dynamic)
    #expect(try DeflatedPayload.unpack(payload.span, limit: 1 << 16) == Array(text.utf8))
  }

  @Test func whatIsNotOneStreamOfTheLengthIsRefused() {
    #expect(Self.failure([0, 0, 0, 5] + Self.packed) == .wrongLength(announced: 5, actual: 104))
    #expect(Self.failure([0, 0, 0, 5] + Self.packed, limit: 50) == .wrongLength(announced: 5, actual: nil))
    #expect(Self.failure([0, 0, 0, 104] + Self.packed + [0, 0]) == .trailing(2))
    for end in 0..<Self.packed.count + 4 {
      #expect(Self.failure(Array(([0, 0, 0, 104] + Self.packed)[..<end])) == .cut, "\(end)")
    }
  }

  /// Any byte of any stream may be any other: nothing crashes, and what is inflated is the message, by its checksum.
  @Test func damageIsFound() {
    for stream in [Self.stored, Self.packed, Array(hex: Self.dynamic)] {
      for index in Tries.some(stream.indices) {
        for bit in 0..<8 {
          var damaged = stream
          damaged[index] ^= 1 << UInt8(bit)
          guard let failure = Self.failure([0, 0, 0, 104] + damaged, limit: 1 << 20) else { continue }
          if case .tooLarge = failure { Issue.record("the length was not changed") }
        }
      }
    }
  }

  private static let dynamic =
    "78da8597bb8a65570c44737fc570e309b4f5d892fc23131bdc41c344436783ffdd6d9c489ca23a6b10f4855d476b957ebfdeff7e"
    + "fdf992d7f7d7c7fbc7cfb7cfbf7ffcf5f1f6eb9bbcfef9e3f7ffc3d3e7393f635e271f731df3547fcc6dccaf9dc7dcc73cac1ef3"
    + "1873f778ccef985be8639e63aed18f798df9b9f731ef3197b4e7fb8c07ec02ef371eb0eaf97e673c60b6b37c520e8be74ab174e2"
    + "040bc7555936a6cda251bb341937164c088da5afd058ea268de5643acde5dc3a349813557473bc836e8e8bd2cd3169ba397a2edd"
    + "9ca34637474c583e6dc9f229771650c661f9dc281a4fdca0e9782a0dc7b259365a9746d346931161c1244da5012f672a057839b7"
    + "26012f73f1b4e8e204e0e55c1c07bc5c8b6300986b711410732dce01c89cbf204595d3458d534d8553427d934275730fb54d2895"
    + "8d2b758d19558d3a37cd096e9ae0a2f9446ad2580a11737e990098ba805a94670178b99a00e0e56a028097ab09005eae260078b9"
    + "9a8071e58871e5b473e35470e16450dfdc4b7513496de3496563455da34d55a3424df3d9a16830ce9b0000e66a020098bb090062"
    + "ee260090b99b0060e66a020899f3cb04c49cff5f0130e7e61c004c5f40a5cee9a6ca69a1c629a1c2c9437d7395eb2694dbc68dcb"
    + "c69cba46835f37415573f969d30098339602c08c05d4a26b730130571500c05c55000073550100cc5d050031771500c8dc55c0b8"
    + "73c4a9733aa8722aa871f252e1dca4be89a4baf1a2b6b1a6b231a1ae51f9e2ba395c35fac569d38099ab0a2064ce2f1710735501"
    + "00cc55050030e7e63800e6dc1c03c09c9ba30098b9809a7473a4b97344b8735ab872ea70e3a452e15ca5be09a3ba71a7b6b1a0b2"
    + "d1e0f7cda5ae497edc3420662da216cd25d149beba0040e6ee028099bb0b0068ae2e8098393f5d80ccd50500315717702e1d092a"
    + "9d0eea9cba543999d43837a970a2b86fbcb96e5cb86d4ca86cf4f0fb46a96b941f370d88b9ba0020e6ea028098ab0b0062cecd09"
    + "40ccb9390e883937c7d04d2e0ba9c937e70066ee2e205c3a22543a7da8734aa97252a971ae51e18453df7850dd5850dbe8e5b249"
    + "ee9afce2ba69c0cc954b0168ae328098b998dabc0c0062ae320088f95f34ff023d2dce95"
}

extension [UInt8] {
  fileprivate init(hex: String) {
    let digits = Array<UInt8>(hex.utf8)
    self = stride(from: 0, to: digits.count, by: 2).map { index in
      UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
    }
  }
}
