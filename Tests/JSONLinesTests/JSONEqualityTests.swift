import JSONLines
import Testing

@Suite struct JSONEqualityTests {
  @Test(arguments: [
    ("0", "-0"), ("0", "0e999"), ("1", "1.0"), ("1", "10e-1"), ("1e1000000000", "10e999999999"),
    (#""a""#, #""\u0061""#), (#""/""#, #""\/""#), (#""😀""#, #""\ud83d\ude00""#),
    (#"{"a":1,"b":2}"#, #" { "b" : 2.0 , "\u0061" : 1 } "#), (#"{"a":[{},[]]}"#, #"{"a":[{ },[ ]]}"#),
    (#"{"a":1,"b":0,"a":2}"#, #"{"b":0,"a":1,"\u0061":2}"#),
  ])
  func equal(_ a: String, _ b: String) {
    #expect(JSONTexts.areEqual(a, b))
    #expect(JSONTexts.areEqual(b, a))
    #expect(JSONTexts.canonical(a) == JSONTexts.canonical(b))
  }

  @Test(arguments: [
    ("0", "1"), ("1", "-1"), ("42", #""42""#), ("1e400", "1e401"), ("9007199254740993", "9007199254740992"),
    ("0.1", "0.1000000000000000055511151231257827"), ("1e1000000000", "1e-1000000000"), ("12", "120"),
    ("null", "false"), ("true", "false"), ("[]", "{}"), ("0", "false"), (#""""#, "null"),
    ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), ("[[1],2]", "[[1,2]]"), ("[]", "[[]]"),
    (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#"{"a":1,"a":1}"#, #"{"a":1}"#), (#"{"a":"b"}"#, #"["a","b"]"#),
    (#""é""#, "\"e\u{301}\""), (#""\n""#, #""\\n""#), (#""ab""#, #""a""#),
    (#"{"a":{"b":1}}"#, #"{"a":{},"b":1}"#),
  ])
  func different(_ a: String, _ b: String) {
    #expect(!JSONTexts.areEqual(a, b))
    #expect(!JSONTexts.areEqual(b, a))
    #expect(JSONTexts.canonical(a).utf8.elementsEqual(JSONTexts.canonical(b).utf8) == false)
  }

  @Test func readsOnlyTheGivenRanges() {
    let text = Array(#"[{"a":1},{ "a" : 1.0 },{"a":2}]"#.utf8)
    let (first, second, third) = (1..<8, 9..<22, 23..<30)
    let areEqual = [(first, second), (second, third)].map {
      JSONEquality.isEqual(text.span, $0, text.span, $1)
    }
    #expect(areEqual == [true, false])
    var canonical: [UInt8] = []
    CanonicalJSON.append(text.span, second, to: &canonical)
    #expect(canonical == Array(text[first]))
  }
}
