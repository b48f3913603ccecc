@testable import Chores
import JSONLines
import SyncCore
import TestSupport
import Testing

/// Errors of the rules that ours replace; each test is named after the defect.
@Suite struct SeedDefectTests {
  @Test func tiesByDisplayNameInLocaleOrder() throws {
    // Names that locales order in different ways; the ids decide, and names change nothing.
    var first = Home([])
    var second = Home([])
    for (home, names) in [(0, ["zoë", "Ärmel", "ÅSA"]), (1, ["a", "b", "c"])] {
      for (id, name) in zip(["m1", "m2", "m3"], names) {
        let line =
          #"{"entity":"Member","id":"\#(id)","displayName":"\#(name)","updatedAt":"2026-01-01T00:00:00Z"}"#
        if home == 0 { first.lines.append(line) } else { second.lines.append(line) }
      }
    }
    first.add(template: "t")
    second.add(template: "t")
    #expect(try first.assign("2026-01-05T00:00:00Z") == second.assign("2026-01-05T00:00:00Z"))
  }

  @Test func wholeHorizonToOnePersonAfterACompletion() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    try home.assign("2026-01-05T00:00:00Z")
    let first = try #require(try home.turns().first)
    home.complete(first, by: first.member!, at: "2026-01-05T19:00:00Z")
    try home.assign("2026-01-06T00:00:00Z")
    let holders = try home.turns().map(\.member)
    #expect(Set(holders).count == 2)
    #expect(zip(holders, holders.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func randomIdsMakeDuplicatesOnTwoDevices() throws {
    var (phone, laptop) = (Home(["ann", "ben"]), Home(["ann", "ben"]))
    phone.add(template: "t")
    laptop.add(template: "t")
    try phone.assign("2026-01-05T00:00:00Z")
    try laptop.assign("2026-01-20T00:00:00Z")
    phone.lines += laptop.lines
    try phone.assign("2026-01-20T00:00:00Z")
    let dates = try phone.turns().map(\.date)
    #expect(Set(dates).count == dates.count)
  }

  @Test func occurrencesWithRandomIdsAreKept() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t")
    let id = "0E9A2E3C-7A38-4C5B-9C6C-0C7E44B1C3F1"
    home.lines.append(
      #"{"entity":"Occurrence","id":"\#(id)","templateID":"t","dueDate":"2026-01-12T18:00:00Z","statusRaw":"pending","assignedMemberID":"ann","scheduledAt":"2026-01-01T00:00:00Z","syncRevision":4}"#
    )
    try home.assign("2026-01-05T00:00:00Z", days: 14)
    #expect(try home.turns().map(\.date) == ["2026-01-05", "2026-01-12", "2026-01-19"])
    #expect(try home.turns()[1].id == id)
  }

  @Test func monthsDriftFromTheirAnchor() throws {
    var home = Home(["ann", "ben"])
    home.add(template: "t", every: 1, "months", from: "2027-01-31T08:00:00Z")
    try home.assign("2027-01-01T00:00:00Z", days: 400)
    #expect(
      try home.turns().map(\.date).prefix(6) == [
        "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31", "2027-06-30",
      ])
  }

  @Test func farPastStartGeneratesThePast() throws {
    var home = Home(["ann", "ben"], joined: "0001-01-01T00:00:00Z")
    home.add(template: "t", every: 1, "days", from: "0001-01-01T06:00:00Z")
    try home.assign("2026-01-05T00:00:00Z", days: 3)
    #expect(try home.turns().map(\.date) == ["2026-01-05", "2026-01-06", "2026-01-07", "2026-01-08"])
  }

  @Test func twoTerminalStatesMadeOfflineDoNotConverge() throws {
    var (phone, laptop) = (Home(["ann", "ben"]), Home(["ann", "ben"]))
    phone.add(template: "t")
    laptop.add(template: "t")
    try phone.assign("2026-01-05T00:00:00Z")
    try laptop.assign("2026-01-05T00:00:00Z")
    let turn = try phone.turns()[0]
    phone.complete(turn, by: "ann", at: "2026-01-05T20:00:00Z")
    laptop.skip(turn, at: "2026-01-05T19:00:00Z")
    let (a, b) = (phone.lines, laptop.lines)
    phone.lines += b
    laptop.lines += a
    #expect(try phone.assign("2026-01-06T00:00:00Z") == laptop.assign("2026-01-06T00:00:00Z"))
    #expect(try phone.turns() == laptop.turns())
  }
}
