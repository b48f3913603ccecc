import JSONLines
import SyncCore
import TestSupport
import Testing

/// Laws over random values; the seed of a failing case is its argument.
@Suite struct CanonicalLawTests {
  @Test(arguments: Tries.seeds(200))
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

  @Test(arguments: Tries.seeds(200))
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

  @Test(arguments: Tries.seeds(100))
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

  @Test(arguments: Tries.seeds(100))
  func valuesAreInTheOrderOfTheirCanonicalForms(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let texts = (0..<30).map { _ in
      Array(RandomJSON(depth: random.pick(0...3), using: &random).spelling(using: &random).utf8)
    }
    for a in texts {
      for b in texts { Self.checkOrder(a, b) }
      // As a rule these have the same members in the same order.
      for _ in 0..<5 { Self.checkOrder(a, Self.nudged(a, using: &random)) }
    }
  }

  @Test(arguments: [
    (#"{"b":1,"a":2}"#, #"{"b":2,"a":1}"#), (#"{"b":1,"a":[2,{}]}"#, #"{"b":2,"a":[2,{}]}"#),
    (#"{"a":1,"b":0}"#, #"{"a":12,"b":0}"#), (#"{"b":1,"a":0}"#, #"{"b":12,"a":0}"#), ("[1,2]", "[12,2]"),
    (#"{"a":1.0,"b":1}"#, #"{"a":1,"b":2}"#), (#"{"a":1e20}"#, #"{"a":1e200}"#),
    (#"{"a":-0}"#, #"{"a":0.5}"#),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#"{"a":"x"}"#, #"{"a":"x\""}"#),
    (#"{"a":"x"}"#, #"{"a":"x y"}"#),
    (#"{"a":"\u0078\n"}"#, #"{"a":"x\u000a"}"#), (#"{"a":"\/"}"#, #"{"a":"0"}"#),
    (#"{"\u0061":1}"#, #"{"a":2}"#),
    (#"{"a":[[1,2],3],"A":0}"#, #"{"a":[[2,2],3],"A":1}"#), (#"{"a":[1]}"#, #"{"a":[1,2]}"#),
    ("[]", "[null]"),
    (#"{"a":true}"#, #"{"a":"t"}"#), (#"{"a":null}"#, #"{"a":{}}"#), ("{}", #"{"a":1}"#), ("[]", "{}"),
  ])
  func pairsAreInTheOrderOfTheirCanonicalForms(_ a: String, _ b: String) {
    Self.checkOrder(Array(a.utf8), Array(b.utf8))
    Self.checkOrder(Array(b.utf8), Array(a.utf8))
  }

  /// The text with some digits changed.
  private static func nudged(_ text: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    let digits = UInt8(ascii: "1")...UInt8(ascii: "9")
    var nudged = text
    for index in text.indices where digits.contains(text[index]) && random.oneIn(8) {
      nudged[index] = random.pick(digits)
    }
    return JSONTexts.error(nudged) == nil ? nudged : text
  }

  private static func checkOrder(_ a: [UInt8], _ b: [UInt8]) {
    let order = CanonicalJSON.compare(a.span, JSONTexts.value(a), b.span, JSONTexts.value(b)).signum()
    let (x, y) = (JSONTexts.canonical(a), JSONTexts.canonical(b))
    let expected = x.lexicographicallyPrecedes(y) ? -1 : y.lexicographicallyPrecedes(x) ? 1 : 0
    #expect(order == expected, Comment(rawValue: String(decoding: a + [0x0A] + b, as: UTF8.self)))
  }

  @Test(arguments: Tries.seeds(100))
  func everyTruncationMayGoOn(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let text = Array(RandomJSON(using: &random).spelling(using: &random).utf8)
    for count in text.indices {
      guard let error = JSONTexts.error(Array(text[..<count])) else { continue }
      #expect(error == JSONError(.unexpectedEnd, at: count), "\(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test(arguments: Tries.seeds(100))
  func treeReadsBackWhatItWrote(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let text = Array(RandomJSON(using: &random).spelling(using: &random).utf8)
    let value = try JSONValue(parsing: text.span)
    let written = Array(value.text.utf8)
    #expect(try JSONValue(parsing: written.span) == value)
    #expect(JSONTexts.areEqual(text, written), "\(value.text)")
  }
}
