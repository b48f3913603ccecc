@testable import Chores
import SyncCore
import TestSupport
import Testing

/// SHA-1 and UUIDs against published vectors.
@Suite struct NamingTests {
  /// FIPS 180 examples, and lengths around the ends of blocks.
  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
    (String(repeating: "a", count: 56), "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
    (String(repeating: "a", count: 63), "03f09f5b158a7a8cdad920bddc29b81c18a551f5"),
    (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    (String(repeating: "a", count: 65), "11655326c708d70319be2610e8a57d9a5b959d3b"),
  ])
  func sha1(text: String, digest: String) { #expect(SHA1.digest(Array(text.utf8)).hex == digest) }

  /// RFC 9562, appendix A.4.
  @Test func uuidOfAName() {
    #expect(
      UUIDNames(in: UUIDNames.dns).id(of: "www.example.com").text == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
  }

  @Test func namespaceIsThatOfTheToolkit() {
    #expect(UUIDNames(in: UUIDNames.dns).id(of: "peersync") == OccurrenceNames.namespace)
  }

  /// Made with Python's uuid module.
  @Test func occurrenceOfATemplateInCapitals() {
    let names = OccurrenceNames(RecordID("6F2C9A4E-0000-4000-8000-000000000001"))
    #expect(names.id(of: Civil.day(2026, 11, 20)).text == "093d08c6-954b-54ec-868e-4da8aee8f2b0")
  }

  @Test func uuidsOfEitherCaseAreTheSame() {
    let text = "6f2c9a4e-0000-4000-8000-00000000000a"
    #expect(UUIDValue(text.uppercased()) == UUIDValue(text))
    #expect(UUIDValue(text)?.text == text)
    #expect(UUIDValue(String(text.dropLast())) == nil)
    #expect(UUIDValue("6f2c9a4e-0000-4000-8000-00000000000g") == nil)
    #expect(UUIDValue("6f2c9a4e00000-4000-8000-00000000000a") == nil)
  }
}
