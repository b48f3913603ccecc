import Foundation
import JSONLines
import SyncCore
import TestSupport
import Testing

/// RFC 4648 §4, with its vectors.
@Suite struct Base64Tests {
  private static let vectors = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  private static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func decode(_ pieces: [String]) throws(Base64.Failure) -> [UInt8] {
    var decoder = Base64.Decoder()
    var bytes: [UInt8] = []
    for piece in pieces { try decoder.decode(Array(piece.utf8).span, into: &bytes) }
    try decoder.finish(into: &bytes)
    return bytes
  }

  private static func failure(_ text: String) -> Base64.Failure? {
    do throws(Base64.Failure) {
      _ = try decode([text])
      return nil
    } catch { return error }
  }

  @Test(arguments: vectors)
  func vector(plain: String, text: String) throws {
    #expect(Self.encode(Array(plain.utf8)) == text)
    #expect(try Self.decode([text]) == Array(plain.utf8))
    #expect(try Self.decode([text.replacing("=", with: "")]) == Array(plain.utf8))
  }

  @Test(arguments: Tries.seeds(100))
  func agreesWithFoundation(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int(seed)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Data(bytes).base64EncodedString()
    #expect(Self.encode(bytes) == text)
    #expect(try Self.decode([text]) == bytes)
  }

  @Test func cutsAnywhere() throws {
    let bytes = Array(hex: "00ff10ef20df30cf40bf50")
    let text = Self.encode(bytes)
    for first in text.indices {
      for second in text[first...].indices {
        let pieces = [String(text[..<first]), String(text[first..<second]), String(text[second...])]
        #expect(try Self.decode(pieces) == bytes, "\(pieces)")
      }
    }
  }

  @Test func whiteSpaceIsPassedOver() throws {
    #expect(try Self.decode([" Zm 9v\r\n", "\tYm\nFy "]) == Array("foobar".utf8))
  }

  /// As in a file of texts that were each ended by their padding.
  @Test func oneTextMayFollowAnother() throws {
    #expect(try Self.decode(["Zg==\nZm8=\nZm9v\n"]) == Array("ffofoo".utf8))
  }

  @Test(arguments: [
    ("Z", 1), ("Zm9vY", 5), ("Zg=", 3), ("=", 0), ("Z=", 1), ("Z===", 1), ("Zm9v=", 4), ("Zm8==", 4),
    ("Zg===", 4), ("Zg=a", 3), ("Zg=A=", 3), ("Zm9v====", 4),
  ])
  func paddingInTheWrongPlace(text: String, offset: Int) {
    #expect(Self.failure(text)?.offset == offset)
  }

  /// Otherwise many texts would mean the same bytes (RFC 4648 §3.5).
  @Test(arguments: ["Zh==", "Zm9", "Zm9=", "Zh", "//==", "Zm9vYh=="])
  func unusedBitsThatAreNotZero(text: String) {
    #expect(Self.failure(text)?.message == "unused bits are not zero")
  }

  @Test func everyOtherByteIsRefused() {
    let digits = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \t\r\n".utf8)
    for byte in UInt8.min...UInt8.max {
      var bytes: [UInt8] = []
      let isTaken = (try? Base64.decode([90, byte, 103, 61].span, into: &bytes)) != nil
      if !digits.contains(byte) { #expect(!isTaken, "byte \(byte)") }
    }
  }

  @Test(arguments: ["Zm9v-", "Zm9v_", "Zm9v\u{0}", "Zm9v.", "Zm9vé", "Zm9v\u{2028}"])
  func hostileCharactersAreFoundWhereTheyStand(text: String) {
    #expect(Self.failure(text)?.message == "not a Base64 digit")
    #expect(Self.failure(text)?.offset == 4)
  }

  @Test(arguments: [8, 33, 44])
  func whatIsNoDigitIsFoundInEveryPlace(count: Int) {
    let text = [UInt8](repeating: UInt8(ascii: "Q"), count: count)
    for place in text.indices {
      for byte in "!-.:@[_`{\u{7f}é".utf8 {
        var damaged = text
        damaged[place] = byte
        var bytes: [UInt8] = []
        let failure = #expect(throws: Base64.Failure.self) { try Base64.decode(damaged.span, into: &bytes) }
        #expect(failure?.message == "not a Base64 digit")
        #expect(failure?.offset == place)
      }
    }
  }

  @Test(arguments: vectors)
  func whatIsThereStays(plain: String, text: String) throws {
    var bytes = Array("before".utf8)
    for _ in 0..<20 { try Base64.decode(Array(text.utf8).span, into: &bytes) }
    #expect(bytes == Array(("before" + String(repeating: plain, count: 20)).utf8))
  }

  /// Each accepted text, except one with missing padding, is the text of its bytes.
  @Test func everyTextOfFourHasOneMeaning() {
    let alphabet = "AQgwZ/+=".map(String.init)
    for a in alphabet {
      for b in alphabet {
        for c in alphabet {
          for d in alphabet {
            let text = a + b + c + d
            guard let bytes = try? Self.decode([text]) else { continue }
            #expect(Self.encode(bytes) == text)
          }
        }
      }
    }
  }
}
