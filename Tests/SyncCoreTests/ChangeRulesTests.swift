import JSONLines
import SyncCore
import Testing

/// What an app gets from the library product.
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

  @Test func whatCannotBeUsedSaysWhere() throws {
    #expect(
      throws: ChangeRulesError.profile(place: "/entity", message: "not a string or an array of strings")
    ) {
      try ChangeRules(profile: #"{"entity":1}"#)
    }
    let rules = try ChangeRules()
    let bad = Array("{\"id\":1}\n{\"name\":2}\n".utf8)
    #expect(
      throws: ChangeRulesError.line(text: 1, number: 2, code: .noKey, message: "no key: 'id' is missing")
    ) {
      try rules.merge([[], bad])
    }
    let twice = Array("{\"id\":1}\n{\"id\":1.0}\n".utf8)
    #expect(throws: ChangeRulesError.duplicateKey(text: 0, firstLine: 1, secondLine: 2)) {
      try rules.apply([], to: twice)
    }
    let cut = Array("{\"id\":1}".utf8)
    let now = try #require(Instant(seconds: 0))
    #expect(
      throws: ChangeRulesError.line(
        text: 1, number: 1, code: .unterminatedLine, message: "the last line has no line feed")
    ) { try rules.delta(from: [], to: cut, now: now) }
  }
}
