@testable import Chores
import SyncCore
import TestSupport
import Testing

/// Ids that are one UUID in two spellings: one record for the turns, whether or not it is one key for the merge.
@Suite struct SpellingTests {
  private let id = "6f2c9a4e-0000-4000-8000-00000000000a"

  private func tombstone(_ entity: String, _ id: String, _ clock: String) -> String {
    #"{"entityName":"\#(entity)","identity":{"id":"\#(id)"},"deletedAt":"\#(clock)"}"#
  }

  @Test(arguments: ["2026-01-02T00:00:00Z", "2025-12-31T00:00:00Z"])
  func aMemberIsDeletedInTheOtherSpelling(clock: String) throws {
    var home = Home(["ann", id.uppercased()])
    home.add(template: "t")
    home.lines.append(tombstone("Member", id, clock))
    try home.assign("2026-01-05T00:00:00Z", days: 14)
    let isGone = clock > "2026-01-01"
    #expect(Set(try home.turns().map(\.member)) == (isGone ? ["ann"] : ["ann", id.uppercased()]))
  }

  @Test func anAbsenceIsDeletedInTheOtherSpelling() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    home.lines.append(
      #"{"entity":"Absence","id":"\#(id)","memberID":"ann","updatedAt":"2026-01-01T00:00:00Z"}"#)
    #expect(Set(try assigned(home)) == ["ben"])
    home.lines.append(tombstone("Absence", id.uppercased(), "2026-01-02T00:00:00Z"))
    #expect(Set(try assigned(home)) == ["ann", "ben"])
  }

  @Test func anOverrideIsDeletedInTheOtherSpelling() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    try home.assign("2026-01-05T00:00:00Z", days: 0)
    let turn = try #require(try home.turns().first)
    let other = turn.member == "ann" ? "ben" : "ann"
    home.override(turn, with: other, at: "2026-01-03T00:00:00Z")
    #expect(try assigned(home).first == other)
    home.lines.append(tombstone("Override", turn.id.uppercased(), "2026-01-04T00:00:00Z"))
    #expect(try assigned(home).first == turn.member)
  }

  /// The merge knows them by lower-case keys.
  @Test func idsAreWrittenAsTheirRecordsHaveThem() throws {
    var home = Home([id.uppercased()])
    home.add(template: id.uppercased())
    try home.assign("2026-01-05T00:00:00Z", days: 7)
    let turns = home.lines.filter { $0.contains("\"Occurrence\"") }
    #expect(!turns.isEmpty)
    for line in turns {
      #expect(line.contains("\"templateID\":\"\(id.uppercased())\""), "\(line)")
      #expect(line.contains("\"assignedMemberID\":\"\(id.uppercased())\""), "\(line)")
    }
  }

  @Test func theZoneIsThatOfTheLaterTemplate() throws {
    var home = Home(["ann", "ben"])
    home.add(template: id, at: "2026-01-02T00:00:00Z", #""timeZone":"Europe/Paris""#)
    home.add(template: id.uppercased(), at: "2026-01-01T00:00:00Z", #""timeZone":"Asia/Kathmandu""#)
    try home.assign("2026-07-06T00:00:00Z", days: 6)
    // 18:00 UTC in January is 19:00 in Paris, and that is 17:00 UTC in July.
    #expect(try home.turns().map(\.due) == ["2026-07-06T17:00:00Z"])
  }

  private func assigned(_ home: Home) throws -> [String?] {
    var home = home
    try home.assign("2026-01-05T00:00:00Z", days: 14)
    return try home.turns().map(\.member)
  }
}
