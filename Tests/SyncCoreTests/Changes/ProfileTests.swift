import JSONLines
@testable import SyncCore
import TestSupport
import Testing

/// The meaning of a profile after it is read.
@Suite struct ProfileTests {
  private func profile(_ text: String) throws(MemberError) -> Profile {
    try Profile(parsing: Array(text.utf8).span)
  }

  private func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

  @Test func choresIsWhatItsDocumentSays() throws {
    let chores = try profile(Profile.chores)
    #expect(Profile.builtIn == ["chores": Profile.chores])
    #expect(chores.entity == nil && chores.others == Profile.Entity())
    let names = ["Member", "Template", "Occurrence", "CompletionEvent"]
    #expect(Set(chores.entities.keys) == Set(names.map { Array($0.utf8) }))
    #expect(chores[Array("Member".utf8)].rule == .lww)
    #expect(chores[Array("Template".utf8)].rule == .lww)
    #expect(chores[Array("CompletionEvent".utf8)].rule == .appendOnly)
    let members = TerminalMembers(
      status: [try pointer("/statusRaw"), try pointer("/status")], completedAt: [try pointer("/completedAt")],
      dueDate: [try pointer("/dueDate")], states: ["completed", "skipped"])
    #expect(chores[Array("Occurrence".utf8)].rule == .terminal(members))
    #expect(chores.entities.values.allSatisfy { $0.keys.isEmpty && $0.clock == nil && $0.tombstone == nil })
  }

  @Test func theTerminalRuleHasDefaults() throws {
    let item = try profile(#"{"entities":{"*":{"rule":"terminal"}}}"#).others
    let members = TerminalMembers(
      status: [try pointer("/status")], completedAt: [try pointer("/completedAt")],
      dueDate: [try pointer("/dueDate")], states: ["completed", "skipped"])
    #expect(item.rule == .terminal(members))
  }

  @Test func whatIsNotListedIsTheRest() throws {
    let profile = try profile(#"{"entities":{"A":{"clock":"/a"},"*":{"clock":"/b"}}}"#)
    #expect(profile[Array("A".utf8)].clock == (try pointer("/a")))
    #expect(profile[Array("B".utf8)].clock == (try pointer("/b")))
    #expect(profile[[]].clock == (try pointer("/b")))
    #expect(profile[Array("*".utf8)].clock == (try pointer("/b")))
    #expect(try self.profile("{}")[Array("A".utf8)] == Profile.Entity())
  }

  /// U+00E9 and e with U+0301 look the same and are equal as Swift strings.
  @Test func namesThatAreMerelyEquivalentAreDifferentNames() throws {
    let profile = try profile(
      #"{"entities":{"\u00e9":{"rule":"append-only"},"e\u0301":{"rule":"terminal"}}}"#)
    #expect(profile[Array("\u{e9}".utf8)].rule == .appendOnly)
    guard case .terminal = profile[Array("e\u{301}".utf8)].rule else {
      Issue.record("another rule")
      return
    }
    #expect(profile[Array("e".utf8)].rule == .lww)
  }

  @Test func keysAreInTheOrderOfTheIdentity() throws {
    let keys = try profile(#"{"entities":{"*":{"key":["/z/b","/a/é","/a/B","/y/a"]}}}"#).others.keys
    #expect(keys.map(\.text) == ["/a/B", "/y/a", "/z/b", "/a/é"])
  }

  @Test func aDeepProfileIsRefused() throws {
    let deep = String(repeating: #"{"entities":"#, count: 100_000)
    #expect(throws: MemberError.json(JSONError(.nestingTooDeep, at: 6144))) {
      try profile(deep)
    }
    let allowed = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(throws: MemberError.notAnObject) { try profile(allowed) }
  }

  @Test(.endsHangs) func aHugeProfileIsReadInGoodTime() throws {
    let entities = (0..<100_000).map { #""entity \#($0)":{"key":["/a","/b"]}"# }.joined(separator: ",")
    #expect(try profile(#"{"entities":{\#(entities)}}"#).entities.count == 100_000)
    let states = (0..<100_000).map { #""state \#($0)""# }.joined(separator: ",")
    let text = #"{"entities":{"*":{"rule":"terminal","terminal":[\#(states)]}}}"#
    guard case .terminal(let members) = try profile(text).others.rule else { throw TestFailure.wrongRule }
    #expect(members.states.count == 100_000)
  }

  private enum TestFailure: Error { case wrongRule }
}
