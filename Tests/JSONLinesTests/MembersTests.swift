import JSONLines
import Testing

/// How readers of objects treat members that are missing, null, of the wrong type, or duplicate.
@Suite struct MembersTests {
  private typealias Reader = Members<MemberError>

  private func read(_ text: String, _ rigour: Reader.Rigour = .none) throws(MemberError) -> Reader {
    try Reader(parsing: Array(text.utf8).span, refusing: rigour)
  }

  private func error(_ body: () throws(MemberError) -> Void) -> MemberError? {
    do throws(MemberError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func nullIsAbsent() throws {
    let members = try read(#"{"a":null,"b":"text"}"#, .repeated)
    #expect(try members["a"] == nil && members.optionalString("a") == nil)
    #expect(try members.string("b") == "text")
    #expect(throws: MemberError.missingMember("a")) { try members.string("a") }
    #expect(throws: MemberError.wrongType("a", expected: "a string")) {
      try read(#"{"a":null}"#, .strict).optionalString("a")
    }
  }

  @Test func whatIsReadStandsThereOnce() throws {
    let text = #"{"a":1,"\u0061":2,"b":3}"#
    #expect(try read(text).require("b") == 3)
    #expect(throws: MemberError.duplicateMember("a")) { try read(text).require("a") }
    #expect(throws: MemberError.duplicateMember("a")) { try read(text, .repeated) }
  }

  @Test func errorsSayWhere() throws {
    let inner = try Reader(["c": 1, "d/e": 2], at: ["a", "b"], refusing: .strict)
    let found = error { () throws(MemberError) in _ = try inner.flag("c") }
    #expect(found?.pointer == "/a/b/c" && found?.message == "'c' is not true or false")
    let unknown = error { () throws(MemberError) in try inner.requireOnly(["c"], else: "no such member") }
    #expect(unknown?.pointer == "/a/b/d~1e" && unknown?.code == .unknownMember)
    #expect(error { () throws(MemberError) in _ = try read("[]") } == .notAnObject)
    #expect(
      error { () throws(MemberError) in _ = try read("[") }?.message
        == "unexpected end of the text after byte 1 of the line")
  }

  private enum Name: Int, CaseIterable, PlacedName {
    case a, b
    static let spellings = PlacedSpellings(allCases.map { "\($0)" })
  }

  @Test func placesSayTheSame() throws {
    let text = Array(#"{"a":null,"x":1,"b":"c","\u0062":0}"#.utf8)
    let members = try PlacedMembers<Name, MemberError>(text.span, text.span.onlyValue)
    #expect(members.has(.a))
    #expect(try members.find(.a, in: text.span) == nil)
    #expect(throws: MemberError.missingMember("a")) { try members.string(.a, in: text.span) }
    #expect(throws: MemberError.duplicateMember("b")) { try members.find(.b, in: text.span) }
    #expect(throws: MemberError.duplicateMember("b")) { try members.requireSingle() }
  }
}
