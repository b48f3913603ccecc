import SyncCore
import Testing

/// The values that `explain --identity` accepts for a record's name.
@Suite struct IdentityPatternTests {
  private func matches(_ text: String, _ key: String, entity: String? = nil) -> Bool {
    IdentityPattern(text, entity: entity).matches(Array(key.utf8)[...])
  }

  @Test(arguments: [
    ("a", #"["",{"id":"a"}]"#), ("a", #"["Task",{"uuid":"a"}]"#), ("42", #"["",{"id":"42"}]"#),
    ("42", #"["",{"id":42}]"#), ("4.2e1", #"["",{"id":42}]"#), (#""42""#, #"["",{"id":"42"}]"#),
    (#"{"id":42.0}"#, #"["",{"id":42}]"#), (#"{ "b":1, "a":"\u0078" }"#, #"["",{"a":"x","b":1}]"#),
    ("true", #"["",{"id":true}]"#), ("null", #"["",{"id":"null"}]"#), ("", #"["",{"id":""}]"#),
    (#"a"b\"#, #"["",{"id":"a\"b\\"}]"#), ("[1,2]", #"["",{"id":[1,2]}]"#), ("{}", #"["",{}]"#),
    (#"{"x":1}"#, #"["",{"id":{"x":1}}]"#), ("é", #"["",{"id":"é"}]"#), (" 42 ", #"["",{"id":42}]"#),
  ])
  func finds(text: String, key: String) { #expect(matches(text, key)) }

  @Test(arguments: [
    ("a", #"["",{"id":"A"}]"#), ("a", #"["a",{"id":"b"}]"#), (#""42""#, #"["",{"id":42}]"#),
    ("a", #"["",{"a":"a","b":"b"}]"#), ("a", #"["",{"a":"b"}]"#), (#"{"id":"42"}"#, #"["",{"id":42}]"#),
    (#"{"a":1}"#, #"["",{"a":1,"b":2}]"#), ("e\u{301}", #"["",{"id":"é"}]"#), ("4", #"["",{"id":42}]"#),
    ("{", #"["",{}]"#),
  ])
  func passesOver(text: String, key: String) { #expect(!matches(text, key)) }

  /// A key has UUIDs in lower case and instants in UTC, if its profile says so.
  @Test(arguments: [
    ("6F2C9A4E-12AB-4CDE-8F01-23456789ABCD", #"["",{"id":"6f2c9a4e-12ab-4cde-8f01-23456789abcd"}]"#),
    (
      #"{"id":"6F2C9A4E-12AB-4CDE-8F01-23456789ABCD"}"#,
      #"["",{"id":"6f2c9a4e-12ab-4cde-8f01-23456789abcd"}]"#
    ),
    ("6F2C9A4E-12AB-4CDE-8F01-23456789ABCD", #"["",{"id":"6F2C9A4E-12AB-4CDE-8F01-23456789ABCD"}]"#),
    ("2026-01-05T08:00:00+01:00", #"["",{"at":"2026-01-05T07:00:00.000Z"}]"#),
    (#"{"at":1767596400}"#, #"["",{"at":"2026-01-05T07:00:00.000Z"}]"#),
    ("1767596400", #"["",{"at":"2026-01-05T07:00:00.000Z"}]"#),
  ])
  func findsOtherSpellings(text: String, key: String) { #expect(matches(text, key)) }

  @Test func findsNoOtherCaseOfAKeyWithCapitals() {
    let key = #"["",{"id":"6F2C9A4E-12AB-4CDE-8F01-23456789ABCD"}]"#
    #expect(!matches("6f2c9a4e-12ab-4cde-8f01-23456789abcd", key))
  }

  @Test func anEntityMustBeTheSame() {
    #expect(matches("a", #"["Task",{"id":"a"}]"#, entity: "Task"))
    #expect(!matches("a", #"["Task",{"id":"a"}]"#, entity: "task"))
    #expect(!matches("a", #"["",{"id":"a"}]"#, entity: "Task"))
    #expect(matches("a", #"["T\"",{"id":"a"}]"#, entity: "T\""))
    #expect(!matches("a", #"["é",{"id":"a"}]"#, entity: "e\u{301}"))
  }
}
