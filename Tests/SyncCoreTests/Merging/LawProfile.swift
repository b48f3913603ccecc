import SyncCore
import Testing

/// A profile with all three rules, and lines that fit it.
struct LawProfile: CustomTestStringConvertible {
  var name: String
  var text: String
  var style: RandomSpelling

  var testDescription: String { name }

  static let all = [chores, workshop, badges, days]

  static let chores = LawProfile(
    name: "chores", text: Profile.chores,
    style: RandomSpelling(
      entities: ["Member", "Template", "Occurrence", "Occurrence", "CompletionEvent", "Unlisted"],
      entityMember: "entity", status: "statusRaw",
      states: [#""completed""#, #""skipped""#, #""pending""#, #""\u0063ompleted""#, "null", "7"],
      clocks: ["updatedAt", "modifiedAt", "timestamp"], tombstone: "deletedAt",
      keys: [[#""id":"a""#], [#""id":"\u0061""#], [#""id":1"#], [#""id":1.0"#], [#""id":"1""#]],
      identities: [#"{"id":"a"}"#, #"{"id":10e-1}"#, #"{"\u0069d":"1"}"#]))

  /// Composite keys, pointers into the record, states in another order and an entity for all other records.
  static let workshop = LawProfile(
    name: "workshop",
    text: """
      {"entity": "/type", "entities": {
        "Job": {"key": ["/site", "/hour"], "rule": "terminal", "status": ["/state", "/status"],
          "terminal": ["failed", "done", "left"]},
        "Log": {"key": ["/hour", "/site"], "rule": "append-only"},
        "*": {"key": ["/site", "/hour"], "clock": "/at", "tombstone": "/gone"}}}
      """,
    style: RandomSpelling(
      entities: ["Job", "Job", "Log", "Note", "Nöte"], entityMember: "type", status: "state",
      states: [#""done""#, #""failed""#, #""left""#, #""open""#, #""d\u006fne""#, "{}"],
      clocks: ["updatedAt", "at"], tombstone: "gone",
      keys: [
        [#""site":"roof""#, #""hour":7"#], [#""site":"\u0072oof""#, #""hour":7.0"#],
        [#""site":{"b":1,"a":[2]}"#, #""hour":70e-1"#], [#""site":{"a":[2.0],"b":1}"#, #""hour":7"#],
      ],
      identities: [#"{"site":"roof","hour":7}"#, #"{"hour":7, "site":"ro\u006ff"}"#]))

  /// UUIDs in both cases.
  static let badges = identities(
    "uuid",
    [
      #""6F2C9A4E-12AB-4CDE-8F01-23456789ABCD""#, #""6F2C9A4E-12AB-4CDE-8F01-23456789ABC\u0044""#,
      #""6f2c9a4e-12ab-4cde-8f01-23456789abcd""#, #""6f2c9a4e-12ab-4cde-8f01-23456789abc\u0064""#,
      #""6F2C9A4E-12AB-4CDE-8F01-23456789ABCE""#,
    ])

  /// Instants with several offsets.
  static let days = identities(
    "date",
    [
      #""2026-01-05T07:00:00.000Z""#, #""2026-01-05T08:00:00+01:00""#, "1767596400", "17675964e2",
      #""2026-01-05 07:00:00""#,
      #""2026-01-05T07:00:00.001Z""#,
    ])

  private static func identities(_ form: String, _ values: [String]) -> LawProfile {
    LawProfile(
      name: form,
      text: """
        {"entities": {
          "Job": {"identity": "\(form)", "rule": "terminal"},
          "Log": {"identity": "\(form)", "rule": "append-only"},
          "*": {"identity": "\(form)"}}}
        """,
      style: RandomSpelling(
        entities: ["Job", "Job", "Log", "Note"], entityMember: "entity", status: "status",
        states: [#""completed""#, #""skipped""#, #""open""#], clocks: ["updatedAt"], tombstone: "deletedAt",
        keys: values.map { ["\"id\":\($0)"] }, identities: values.map { "{\"id\":\($0)}" }))
  }
}
