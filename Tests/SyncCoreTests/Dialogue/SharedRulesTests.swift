import JSONLines
import SyncCore
import Testing

/// Two stores that cannot sync learn how they differ.
@Suite struct SharedRulesTests {
  private func shape(_ profile: String) throws -> RecordShape {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    return shape
  }

  private func entities(_ keys: [String]) -> StoredEntities {
    keys.reduce(into: StoredEntities()) { entities, key in
      let key = Array(key.utf8)
      entities.note(key.span)
    }
  }

  private func difference(
    _ own: String, _ other: String, _ keys: [String] = [], _ others: [String] = [], mixing: Bool = false
  ) throws -> RulesDifference? {
    let (mine, theirs) = try (shape(own), shape(other))
    let shared = SharedRules(mine, digest: own, entities: entities(keys))
    var request = SyncRequest(peerId: "p", deviceName: "phone", rulesDigest: other)
    request.facts = .init(mergeRules: theirs.mergeRules, entities: entities(others))
    return shared.difference(from: request, own: Self.laptop, mixing: mixing)
  }

  private static let laptop = SharedRules.Side("6F2C9A4E-0000-4000-8000-000000000001", "laptop")

  @Test func twoDevicesOfOneNameAreToldApart() throws {
    let shared = SharedRules(try shape("{}"), digest: "a", entities: entities([]))
    var request = SyncRequest(
      peerId: "0a1b2c3d-0000-4000-8000-000000000002", deviceName: "laptop", rulesDigest: "b")
    let other = try shape(#"{"entities":{"T":{"rule":"append-only"}}}"#)
    request.facts = .init(mergeRules: other.mergeRules, entities: entities([]))
    #expect(
      shared.difference(from: request, own: Self.laptop, mixing: false)?.text
        == "entity 'T': 'rule' is lww on 'laptop' (6f2c9a4e), append-only on 'laptop' (0a1b2c3d)")
  }

  /// The members of a rule follow from it.
  @Test func theRuleIsNamedBeforeItsMembers() throws {
    #expect(
      try difference(#"{"entities":{"T":{"rule":"terminal","terminal":["done"]}}}"#, "{}")?.text
        == "entity 'T': 'rule' is terminal on 'laptop', lww on 'phone'")
  }

  /// Neither member needs the other, as the forms of identities matter under any rules.
  @Test func eachMemberOfARequestIsComparedByItself() throws {
    let shared = SharedRules(try shape("{}"), digest: "a", entities: entities([#"["Task",{"id":1}]"#]))
    func difference(_ digest: String, _ members: String) throws -> RulesDifference? {
      let text =
        #"{"id":"6F2C9A4E-0000-4000-8000-000000000001","protocolVersion":2,"sentAt":"2026-01-01T08:00:00Z","#
        + #""type":"syncRequest","peerId":"p","deviceName":"phone","rulesDigest":"\#(digest)"\#(members)}"#
      let message = try Message(parsing: Array(text.utf8).span)
      guard case .syncRequest(var request) = message.body else { return nil }
      if digest == Self.digest { request.rulesDigest = "a" }
      return shared.difference(from: request, own: Self.laptop, mixing: false)
    }
    #expect(try difference(Self.digest, #","entities":{"Task":[["key"]]}"#)?.code == .identityDiffers)
    #expect(try difference(Self.digest, #","entities":{"":[["id"]]}"#)?.code == .entitiesDiffer)
    #expect(try difference(Self.digest, #","entities":{"Task":[["id"]]}"#) == nil)
    #expect(try difference(Self.digest, #","mergeRules":{}"#) == nil)
    let other = String(repeating: "b", count: 64)
    #expect(try difference(other, #","entities":{"Task":[["id"]]}"#)?.code == .rulesDiffer)
    #expect(throws: MessageError.self) { try difference(Self.digest, #","entities":{"Task":"id"}"#) }
  }

  private static let digest = String(repeating: "a", count: 64)

  @Test func equalRulesAreNoDifference() throws {
    #expect(try difference("{}", "{}") == nil)
    #expect(
      try difference("{}", "{}", [#"["T",{"id":1}]"#], [#"["T",{"id":2}]"#, #"["U",{"a":1,"b":2}]"#]) == nil)
  }

  @Test func theRuleAndBothValuesAreNamed() throws {
    #expect(
      try difference(#"{"entities":{"Task":{"rule":"append-only"}}}"#, "{}")?.text
        == "entity 'Task': 'rule' is append-only on 'laptop', lww on 'phone'")
    #expect(
      try difference("{}", #"{"entities":{"*":{"identity":"uuid"}}}"#)?.text
        == "every other entity: 'identity' is not set on 'laptop', uuid on 'phone'")
    let one = #"{"entities":{"T":{"rule":"terminal","terminal":["done"]}}}"#
    let other = #"{"entities":{"T":{"rule":"terminal","terminal":["done","gone"]}}}"#
    let found = try difference(one, other)
    #expect(found?.text == #"entity 'T': 'terminal' is ["done"] on 'laptop', ["done","gone"] on 'phone'"#)
    #expect(found?.code == .rulesDiffer)
  }

  @Test func otherMembersOfAnIdentityAreNamed() throws {
    let found = try difference("{}", "{}", [#"["T",{"id":1}]"#], [#"["T",{"a":1,"b":2}]"#])
    #expect(found?.code == .identityDiffers)
    #expect(found?.text == "entity 'T': identities have 'id' on 'laptop', 'a' and 'b' on 'phone'")
    // One common form is enough.
    #expect(
      try difference("{}", "{}", [#"["T",{"id":1}]"#, #"["T",{"a":1}]"#], [#"["T",{"a":1}]"#]) == nil)
  }

  @Test func namelessAndNamedRecordsDoNotMixUnasked() throws {
    let (nameless, named) = ([#"["",{"id":1}]"#], [#"["Task",{"id":1}]"#])
    let found = try difference("{}", "{}", nameless, named)
    #expect(found?.code == .entitiesDiffer)
    #expect(
      found?.text == "the records of 'laptop' do not name their entity, but those of 'phone' name 'Task'")
    #expect(
      try difference("{}", "{}", named, nameless)?.text
        == "the records of 'phone' do not name their entity, but those of 'laptop' name 'Task'")
    #expect(try difference("{}", "{}", nameless, named, mixing: true) == nil)
    #expect(try difference("{}", "{}", nameless, named + nameless) == nil)
    #expect(try difference("{}", "{}", nameless, []) == nil)
  }

  @Test func aSideWithoutRulesDiffersFromNobody() throws {
    let shared = SharedRules(RecordShape(), digest: "d", entities: StoredEntities())
    let request = SyncRequest(peerId: "p", deviceName: "phone")
    #expect(shared.difference(from: request, own: Self.laptop, mixing: false) == nil)
  }

  /// Written rules are read back unchanged.
  @Test func rulesComeBack() throws {
    var shape = try shape(Profile.chores)
    shape.keys = [JSONPointer("/b")!, JSONPointer("/a")!]
    (shape.clock, shape.tombstone) = (JSONPointer("/c"), JSONPointer("/t"))
    (shape.entity, shape.entityName) = (JSONPointer("/e"), "Task")
    let (rules, unknown) = (shape.rules, Array(#"{"keys":["/a"]}"#.utf8))
    let again = try RecordShape(rules: rules.span)
    #expect(again == shape)
    #expect(again.rules == rules)
    #expect(throws: MemberError.self) { _ = try RecordShape(rules: unknown.span) }
  }
}
