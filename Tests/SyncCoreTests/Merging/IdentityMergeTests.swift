import JSONLines
import SyncCore
import TestSupport
import Testing

/// Lines that spell one identity in several ways are one record, even with the rules of an app.
@Suite struct IdentityMergeTests {
  private let id = "6F2C9A4E-12AB-4CDE-8F01-23456789ABCD"

  private func rules(_ form: String) throws -> ChangeRules {
    try ChangeRules(profile: #"{"entities":{"*":{"identity":"\#(form)"}}}"#)
  }

  private func line(_ id: String, _ clock: Int) -> [UInt8] {
    Array(#"{"id":\#(id),"updatedAt":\#(clock)}"#.utf8) + [10]
  }

  @Test func aMergeOfTwoSpellingsIsOneRecord() throws {
    let (upper, lower) = ("\"\(id)\"", "\"\(id.lowercased())\"")
    let (older, newer) = (line(lower, 1), line(upper, 2))
    #expect(try rules("uuid").merge([older, newer]) == newer)
    #expect(try rules("uuid").merge([newer, older]) == newer)
    #expect(try rules("uuid").merge([newer + older]) == newer)
    #expect(try ChangeRules().merge([older, newer]).count == older.count + newer.count)
  }

  @Test func anInstantIsOneRecord() throws {
    let (older, newer) = (line("\"2026-01-05T07:00:00Z\"", 1), line("\"2026-01-05T08:00:00+01:00\"", 2))
    let text = line("1767596400", 0)
    #expect(try rules("date").merge([older, newer, text]) == newer)
  }

  /// Capitals come before lower-case letters in a text, but not in a key.
  @Test func theOrderIsThatOfTheKeys() throws {
    let ids = ["A", "b", "C", "d", "E", "f"].map { letter in
      let text = letter + id.dropFirst()
      return letter.uppercased() == letter ? text.uppercased() : text.lowercased()
    }
    let lines = ids.map { line("\"\($0)\"", 1) }
    #expect(try rules("uuid").merge(lines.reversed()) == lines.flatMap(\.self))
    #expect(try ChangeRules().merge(lines.reversed()) != lines.flatMap(\.self))
    let days = ["\"2026-01-05T23:00:00-01:00\"", "\"2026-01-06T01:00:00Z\"", "\"2026-01-06T02:30:00+01:00\""]
    let moments = days.map { line($0, 1) }
    #expect(try rules("date").merge(moments.reversed()) == moments.flatMap(\.self))
  }

  /// A delete has the spelling of the old line.
  @Test func aDeleteHasTheOldSpelling() throws {
    let now = try #require(Instant("2026-01-06T00:00:00Z"))
    let old = line("\"\(id)\"", 1)
    let delta = try rules("uuid").delta(from: old, to: [], now: now)
    #expect(
      String(decoding: delta, as: UTF8.self)
        == #"{"entityName":"","identity":{"id":"\#(id)"},"deletedAt":"2026-01-06T00:00:00.000Z"}"# + "\n")
    #expect(try rules("uuid").apply(delta, to: line("\"\(id.lowercased())\"", 1)).isEmpty)
    #expect(
      try rules("uuid").delta(from: old, to: line("\"\(id.lowercased())\"", 1), now: now).count == old.count)
  }

  @Test func twoSpellingsInOneSnapshotAreADuplicate() throws {
    let now = try #require(Instant("2026-01-06T00:00:00Z"))
    let twice = line("\"\(id)\"", 1) + line("\"\(id.lowercased())\"", 1)
    expectSyncError("text 1: line 2: the same key as line 1", .duplicateKey) {
      _ = try rules("uuid").delta(from: [], to: twice, now: now)
    }
  }

  @Test func badDataNamesTheMember() throws {
    let date = line("\"monday\"", 1)
    let reason = "'id' is neither a date-time nor epoch seconds or milliseconds"
    expectSyncError("text 0: line 1: no key: \(reason)", .noKey) {
      _ = try rules("date").merge([date])
    }
    let required = try ChangeRules(profile: #"{"entities":{"*":{"required":["/meta/at"]}}}"#)
    expectSyncError("text 0: line 1: required member '/meta/at' is missing", .missingMember) {
      _ = try required.merge([date])
    }
  }
}
