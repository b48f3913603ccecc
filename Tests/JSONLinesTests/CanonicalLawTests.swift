import SyncCore
import JSONLines
import SyncCore
import TestSupport
import Testing

/// Laws over random values; the seed of a failing case is its argument.
@Suite struct CanonicalLawTests {
  @Test(arguments: UInt64(1)...200)
  func spellingsOfOneValueAreEqual(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let value = RandomJSON(using: &random)
      let a = Array(value.spelling(using: &random).utf8)
      let b = Array(value.spelling(using: &random).utf8)
      let comment = Comment(rawValue: String(decoding: a + [0x0A] + b, as: UTF8.self))
      #expect(JSONTexts.error(a) == nil && JSONTexts.error(b) == nil, comment)
      #expect(JSONTexts.areEqual(a, b), comment)
      #expect(JSONTexts.canonical(a) == JSONTexts.canonical(b), comment)
    }
  }

  @Test(arguments: UInt64(1)...200)
  func canonicalFormIsValidAndItsOwn(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let text = Array(RandomJSON(using: &random).spelling(using: &random).utf8)
      let canonical = JSONTexts.canonical(text)
      let comment = Comment(rawValue: String(decoding: text, as: UTF8.self))
      #expect(JSONTexts.error(canonical) == nil, comment)
      #expect(JSONTexts.canonical(canonical) == canonical, comment)
      #expect(JSONTexts.areEqual(text, canonical), comment)
    }
  }

  @Test(arguments: UInt64(1)...100)
  func valuesAreEqualExactlyIfTheirCanonicalFormsAre(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let texts = (0..<30).map { _ in
      Array(RandomJSON(depth: random.pick(0...2), using: &random).spelling(using: &random).utf8)
    }
    // Kept, so that nothing is left over from one comparison to the next.
    var comparer = JSONComparer()
    for a in texts {
      for b in texts {
        let comment = Comment(rawValue: String(decoding: a + [0x0A] + b, as: UTF8.self))
        let areEqual = comparer.isEqual(a.span, JSONTexts.value(a), b.span, JSONTexts.value(b))
        #expect(areEqual == (JSONTexts.canonical(a) == JSONTexts.canonical(b)), comment)
      }
    }
  }

  @Test(arguments: UInt64(1)...100)
  func everyTruncationMayGoOn(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let text = Array(RandomJSON(using: &random).spelling(using: &random).utf8)
    for count in text.indices {
      guard let error = JSONTexts.error(Array(text[..<count])) else { continue }
      #expect(error == JSONError(.unexpectedEnd, at: count), "\(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test(arguments: UInt64(1)...100)
  func treeReadsBackWhatItWrote(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let text = Array(RandomJSON(using: &random).spelling(using: &random).utf8)
    let value = try JSONValue(parsing: text.span)
    let written = Array(value.text.utf8)
    #expect(try JSONValue(parsing: written.span) == value)
    #expect(JSONTexts.areEqual(text, written), "\(value.text)")
  }
}
