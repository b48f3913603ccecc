import JSONLines
import SyncCore
import TestSupport
import Testing

/// Which members differ between two versions of a record.
@Suite struct MemberChangeTests {
  private func changes(_ old: String, _ new: String) throws -> String {
    let values = try [old, new].map { try JSONValue(parsing: Array($0.utf8).span) }
    return MemberChange.list(from: values[0], to: values[1]).map(\.value.text).joined(separator: " ")
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1.0}"#, ""), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, ""),
    (#"{"a":1}"#, #"{"a":2}"#, #"{"at":"/a","old":1,"new":2}"#),
    (#"{"a":1}"#, "{}", #"{"at":"/a","old":1}"#), ("{}", #"{"a":null}"#, #"{"at":"/a","new":null}"#),
    (#"{"a":null}"#, #"{"a":0}"#, #"{"at":"/a","old":null,"new":0}"#),
    (
      #"{"b":1,"a":1}"#, #"{"c":1,"a":2}"#,
      #"{"at":"/b","old":1} {"at":"/a","old":1,"new":2} {"at":"/c","new":1}"#
    ),
    (#"{"m":{"x":1,"y":[1]}}"#, #"{"m":{"x":2,"y":[1]}}"#, #"{"at":"/m/x","old":1,"new":2}"#),
    (#"{"m":{"y":[1,2]}}"#, #"{"m":{"y":[1,3]}}"#, #"{"at":"/m/y","old":[1,2],"new":[1,3]}"#),
    (#"{"m":{"x":1}}"#, #"{"m":1}"#, #"{"at":"/m","old":{"x":1},"new":1}"#),
    (#"{"m":{}}"#, "{}", #"{"at":"/m","old":{}}"#), (#"{"m":{}}"#, #"{"m":{}}"#, ""),
    (#"{"a/b~":1}"#, #"{"a/b~":2}"#, #"{"at":"/a~1b~0","old":1,"new":2}"#),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#, #"{"at":"","old":{"a":1,"a":2},"new":{"a":2,"a":1}}"#),
    (#"{"m":{"a":1,"a":2}}"#, #"{"m":{"a":1}}"#, #"{"at":"/m","old":{"a":1,"a":2},"new":{"a":1}}"#),
    (#"{"":1}"#, #"{"":2}"#, #"{"at":"/","old":1,"new":2}"#),
  ])
  func lists(old: String, new: String, expected: String) throws {
    #expect(try changes(old, new) == expected)
  }

  /// Equal as Swift strings, different as names.
  @Test func namesThatAreMerelyEquivalentAreTwoMembers() throws {
    #expect(
      try changes(#"{"\u00e9":1}"#, #"{"e\u0301":1}"#)
        == "{\"at\":\"/\u{e9}\",\"old\":1} {\"at\":\"/e\u{301}\",\"new\":1}")
    #expect(try changes(#"{"\u00e9":1,"e\u0301":2}"#, #"{"e\u0301":2,"\u00e9":1}"#) == "")
  }

  /// A tilde is also escaped if a combining mark makes it one character with the following scalar.
  @Test func thePointerLeadsToTheMember() throws {
    let (old, new) = ("{\"~\u{301}/\u{301}\":1}", "{}")
    let value = try JSONValue(parsing: Array(old.utf8).span)
    let change = try #require(
      MemberChange.list(from: value, to: try JSONValue(parsing: Array(new.utf8).span)).first)
    let pointer = try #require(JSONPointer(change.pointer.text))
    #expect(pointer == change.pointer && pointer.tokens.count == 1)
  }

  @Test(.endsHangs) func recordsWithManyMembersAreListedInGoodTime() throws {
    let members = { (step: Int) in
      "{" + (0..<50_000).map { "\"\($0 * step)\":\($0)" }.joined(separator: ",") + "}"
    }
    let lists = try changes(members(1), members(2)).count
    #expect(lists > 1_000_000)
  }
}
