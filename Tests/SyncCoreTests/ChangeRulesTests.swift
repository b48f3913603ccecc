import JSONLines
import SyncCore
import TestSupport
import Testing

/// The part of the library product that an app uses.
@Suite struct ChangeRulesTests {
  private let old = """
    {"id":"1","title":"Bread","updatedAt":"2026-01-01T00:00:00Z"}
    {"id":"2","title":"Milk","updatedAt":"2026-01-01T00:00:00Z"}

    """
  private let new = """
    {"id":"3","title":"Salt","updatedAt":"2026-01-02T00:00:00Z"}
    {"id":"1","title":"Rye bread","updatedAt":"2026-01-02T00:00:00Z"}

    """

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func deltaThenMergeBringsACopyUpToDate() throws {
    let rules = try ChangeRules()
    let now = try #require(Instant("2026-01-03T00:00:00Z"))
    let delta = try rules.delta(from: Array(old.utf8), to: Array(new.utf8), now: now)
    #expect(
      text(delta) == """
        {"id":"1","title":"Rye bread","updatedAt":"2026-01-02T00:00:00Z"}
        {"entityName":"","identity":{"id":"2"},"deletedAt":"2026-01-03T00:00:00.000Z"}
        {"id":"3","title":"Salt","updatedAt":"2026-01-02T00:00:00Z"}

        """)
    let merged = try rules.merge([delta, Array(old.utf8)], tombstones: false)
    #expect(try merged == rules.apply(delta, to: Array(old.utf8)))
    #expect(try merged == rules.merge([Array(new.utf8)]))
  }

  @Test func aProfileGoesByNameOrText() throws {
    let done = #"{"entity":"Occurrence","id":"1","statusRaw":"completed","updatedAt":"2026-01-01T00:00:00Z"}"#
    let later = #"{"entity":"Occurrence","id":"1","statusRaw":"pending","updatedAt":"2026-01-02T00:00:00Z"}"#
    let texts = [Array("\(done)\n".utf8), Array("\(later)\n".utf8)]
    #expect(try text(ChangeRules().merge(texts)) == later + "\n")
    #expect(try text(ChangeRules(profile: "chores").merge(texts)) == done + "\n")
    let ours = #"{"entities":{"Occurrence":{"rule":"append-only"}}}"#
    #expect(try text(ChangeRules(profile: ours).merge(texts)) == done + "\n")
  }

  /// The rules of a store, as `synclog rules show` prints them, are a profile too.
  @Test func aProfileMayHaveTheRulesOfAllRecords() throws {
    let profile = #"{"clock":"/at","entityName":"Task","key":["/n"],"tombstone":"/gone"}"#
    let rules = try ChangeRules(profile: profile)
    let texts = [
      #"{"n":1,"at":"2026-01-01T00:00:00Z"}"#, #"{"n":1,"at":"2026-01-02T00:00:00Z","gone":true}"#,
    ]
    .map { Array("\($0)\n".utf8) }
    #expect(try rules.merge(texts, tombstones: false) == [] && rules.merge(texts) == texts[1])
    func key(_ rules: ChangeRules) throws -> JSONValue? {
      let line = Array(try rules.explain(texts, named: ["a", "b"]).dropLast())
      return try JSONValue(parsing: line.span)["key"]?.arrayValue?.first
    }
    #expect(try key(rules) == "Task")
    #expect(try key(ChangeRules(profile: profile, entityName: "Note")) == "Note")
    expectSyncError("/color: not a member of a profile", .invalidProfile) {
      _ = try ChangeRules(profile: #"{"color":1}"#)
    }
  }

  @Test func whatCannotBeUsedSaysWhere() throws {
    expectSyncError("/entity: not a string or an array of strings", .invalidProfile) {
      _ = try ChangeRules(profile: #"{"entity":1}"#)
    }
    let rules = try ChangeRules()
    let bad = Array("{\"id\":1}\n{\"name\":2}\n".utf8)
    expectSyncError("text 1: line 2: no key: 'id' is missing", .noKey) { _ = try rules.merge([[], bad]) }
    let twice = Array("{\"id\":1}\n{\"id\":1.0}\n".utf8)
    expectSyncError("text 0: line 2: the same key as line 1", .duplicateKey) {
      _ = try rules.apply([], to: twice)
    }
    expectSyncError("1 names for 2 texts", .invalidOptionValue) {
      _ = try rules.explain([[], []], named: ["a"])
    }
    let many = [[UInt8]](repeating: Array(old.utf8), count: 65_536)
    #expect(try rules.merge(many) == Array(old.utf8))
    expectSyncError("more than 65,536 texts; merge them in parts", .fileTooLarge) {
      _ = try rules.merge(many + [[]])
    }
    let cut = Array("{\"id\":1}".utf8)
    let now = try #require(Instant(seconds: 0))
    expectSyncError("text 1: line 1: the last line has no line feed", .unterminatedLine) {
      _ = try rules.delta(from: [], to: cut, now: now)
    }
    func nested(_ depth: Int) -> [UInt8] {
      let (opening, closing) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
      return Array("{\"id\":1}\n{\"id\":\(opening)\(closing)}\n".utf8)
    }
    let delta = try rules.delta(from: nested(510), to: [], now: now)
    #expect(try rules.apply(delta, to: nested(510)) == [])
    expectSyncError(
      "text 0: line 2: its change line would be nested deeper than 512 levels, more than any tool reads",
      .nestingTooDeep
    ) {
      _ = try rules.delta(from: nested(511), to: [], now: now)
    }
  }

  @Test func explanationsNameTheTextsAndTheStep() throws {
    let texts = [
      #"{"id":"1","updatedAt":"2026-01-01T00:00:00Z"}"#, #"{"id":"1","updatedAt":"2026-01-02T00:00:00Z"}"#,
    ]
    .map { Array("\($0)\n{\"id\":\"2\"}\n".utf8) }
    let lines = try ChangeRules().explain(texts, named: ["phone", "laptop"])
    let line = Array(lines.dropLast())
    let object = try JSONValue(parsing: line.span)
    #expect(object["step"] == "clock" && object["winner"]?["file"] == "laptop")
  }
}
