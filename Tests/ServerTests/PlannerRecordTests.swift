import JSONLines
import ServerProtocol
import SyncCore
import TestSupport
import Testing

/// Records of stores, as an app receives them and sends them back.
@Suite struct PlannerRecordTests {
  private static let id = "6f1b2c3d-0000-4000-8000-0000000000aa"

  private static let values: [JSONValue] = [
    .null, "", "x", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.250+02:00", 1_767_225_600, .number("2.5"),
    .number("-0"),
    .number("1e400"), true, .array([]), .object([]), .string(id), .string(id.uppercased()), 0, 7,
  ]

  private static let names = [
    "displayName", "emojiSymbol", "accentColorHex", "createdAt", "updatedAt", "title", "details",
    "cadenceUnitRaw",
    "cadenceValue", "leadTimeHours", "isActive", "startDate", "lastGeneratedDate", "templateID", "dueDate",
    "statusRaw",
    "assignedMemberID", "scheduledAt", "completedAt", "notes", "occurrenceID", "memberID", "timestamp",
    "syncRevision",
    "isSelf", "colour", "timeZone",
  ]

  /// Any record that can be sent to an app is accepted back, and is not a change.
  @Test(arguments: PlannerKind.allCases) func whatComesBackAsItWasToldIsNoChange(_ kind: PlannerKind) throws {
    var random = SplitMix64(seed: 1)
    var told = 0
    for _ in 0..<2_000 {
      var content = [JSONMember("id", .string(Self.id))]
      for name in Self.names.shuffled(using: &random) where Int.random(in: 0..<3, using: &random) > 0 {
        content.append(JSONMember(name, Self.values.randomElement(using: &random)!))
      }
      let text = PlannerRecord.line(kind, id: Self.id, content, clock: .epoch)
      guard let line = PlannerLine(text.span) else { continue }
      guard let value = line.told(revision: 7, member: nil) else { continue }
      told += 1
      let record = try PlannerRecord(value, kind)
      #expect(record.content(over: line) == line.content)
    }
    #expect(told > 10)
  }

  /// In quadratic time, the test would take hours.
  @Test func manyMembersAreMerged() throws {
    func member(_ name: String, _ number: Int) -> JSONMember {
      JSONMember("\(name)\(number)", .integer(number))
    }
    let own = [JSONMember("id", .string(Self.id)), JSONMember("title", "x")]
    let stored = own + (0..<200_000).map { member("a", $0) }
    let text = PlannerRecord.line(.template, id: Self.id, stored, clock: .epoch)
    let line = PlannerLine(text.span)
    let sent = own + [JSONMember("a7", "new")] + (0..<200_000).map { member("b", $0) }
    let content = try PlannerRecord(.object(sent), .template).content(over: line)
    #expect(content.count == 400_002)
    #expect(
      content[named: "a7"] == "new" && content[named: "a8"] == 8 && content[named: "b199999"] == 199_999)
  }

  /// A stand-in that an app sends back, perhaps to a restored server, does not become a record.
  @Test(arguments: [PlannerKind.template, .occurrence]) func standInsAreKnown(_ kind: PlannerKind) throws {
    let text = Array(
      #"{"entityName":"\#(kind.rawValue)","identity":{"id":"\#(Self.id)"},"deletedAt":"2026-01-01T00:00:00.250Z"}"#
        .utf8)
    let told = PlannerLine(text.span)?.told(revision: 7, member: nil)
    #expect(try PlannerRecord(#require(told), kind).isStandIn)
  }

  @Test(arguments: [
    #""title":"Bins","cadenceValue":0,"isActive":false"#, #""title":"","cadenceValue":1,"isActive":false"#,
    #""title":"","cadenceValue":0,"isActive":true"#,
  ])
  func templatesAreNoStandIns(_ members: String) throws {
    let text = Array(
      #"{"id":"\#(Self.id)","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z",\#(members)}"#
        .utf8)
    #expect(try !PlannerRecord(JSONValue(parsing: text.span), .template).isStandIn)
  }
}
