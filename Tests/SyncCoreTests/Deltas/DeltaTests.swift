import SyncCore
import TestSupport
import Testing

@Suite struct DeltaTests {
  @Test func nothingDiffersFromItself() {
    let text = """
      {"id":1,"a":[1,2]}
      {"id":2,"deletedAt":"2026-11-20T10:00:00Z"}
      {"entityName":"E","identity":{"id":1},"modifiedAt":1}
      {"newTokenData":"AA=="}
      """
    #expect(Snapshots.diff(text, text) == "")
  }

  @Test func spellingIsNoDifference() {
    let old = #"{"id":1,"a":{"x":1.0,"y":"é"},"b":[100,0]}"# + "\n" + #"{"id":2,"deletedAt":1}"# + "\n"
    let new =
      #"{"id":2.0,"deletedAt":9}"# + "\r\n" + #" { "b" : [1e2,-0], "a":{"y":"\u00e9","x":1} , "id":1}"# + "\n"
    #expect(Snapshots.diff(old, new) == "")
  }

  @Test(arguments: [
    (#"{"id":1,"a":1}"#, #"{"id":1,"a":"1"}"#), (#"{"id":1,"a":[1,2]}"#, #"{"id":1,"a":[2,1]}"#),
    (#"{"id":1,"a":null}"#, #"{"id":1}"#), (#"{"id":1}"#, #"{"id":1,"a":null}"#),
    (#"{"id":1,"a":9007199254740992}"#, #"{"id":1,"a":9007199254740993}"#),
    (#"{"id":1,"a":"é"}"#, #"{"id":1,"a":"e\u0301"}"#), (#"{"id":1,"a":{}}"#, #"{"id":1,"a":[]}"#),
    (#"{"id":1,"a":0.1}"#, #"{"id":1,"a":0.10000000000000000001}"#),
    (#"{"id":1,"modifiedAt":0}"#, #"{"id":1,"modifiedAt":"1970-01-01T00:00:00Z"}"#),
    (#"{"id":1}"#, #"{"id":1,"deletedAt":1}"#), (#"{"id":1,"deletedAt":1}"#, #"{"id":1}"#),
    (#"{"id":1}"#, #"{"entityName":"","identity":{"id":1}}"#),
  ])
  func valuesThatDiffer(old: String, new: String) {
    #expect(Snapshots.diff(old, new) == new + "\n")
  }

  @Test func tombstonesInTheOldSnapshotAreAbsence() {
    #expect(Snapshots.diff(#"{"id":1,"deletedAt":1}"#, "") == "")
    #expect(Snapshots.diff("", #"{"id":1,"deletedAt":1}"#) == "")
    #expect(Snapshots.diff(#"{"id":1,"deletedAt":1}"#, #"{"id":1,"a":1}"#) == #"{"id":1,"a":1}"# + "\n")
  }

  @Test func deleteLinesSpellTheKeyAsItWas() {
    let old = #"{ "entity":"\u0054ask", "id": 4.20e1, "a":1}"#
    let line = #"{"entityName":"\u0054ask","identity":{"id":4.20e1},"deletedAt":"2026-11-20T10:00:00.000Z"}"#
    #expect(Snapshots.diff(old, "") == line + "\n")
    let change = #"{"identity":{"b":1, "a":"x"},"entityName":"E"}"#
    let delete = #"{"entityName":"E","identity":{"b":1, "a":"x"},"deletedAt":"2026-11-20T10:00:00.000Z"}"#
    #expect(Snapshots.diff(change, "") == delete + "\n")
  }

  @Test(arguments: [
    (nil, "2026-11-20T10:00:00.000Z"), ("2026-11-20T09:00:00Z", "2026-11-20T10:00:00.000Z"),
    ("2026-11-20T09:59:59.999Z", "2026-11-20T10:00:00.000Z"),
    ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.001Z"),
    ("2027-01-01T00:00:00Z", "2027-01-01T00:00:00.001Z"),
    ("2026-11-20T09:59:59.9999Z", "2026-11-20T10:00:00.000900Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999999999Z"),
  ])
  func deletionIsNowOrAfterTheRecordsOwnClock(clock: String?, time: String) {
    let member = clock.map { ",\"modifiedAt\":\"\($0)\"" } ?? ""
    let expected = #"{"entityName":"","identity":{"id":1},"deletedAt":"\#(time)"}"#
    #expect(Snapshots.diff("{\"id\":1\(member)}", "") == expected + "\n")
  }

  @Test func deletionTimeThatIsGivenHolds() {
    let time = Delta.DeletionTime.at(Instant("1999-01-01T00:00:00+01:00")!)
    let diff = Snapshots.diff(#"{"id":1,"modifiedAt":"2026-11-20T10:00:00Z"}"#, "", time)
    #expect(diff.contains(#""deletedAt":"1998-12-31T23:00:00.000Z""#))
  }

  @Test func duplicatesAreNamedOrTheLastIsTaken() throws {
    let text = "{\"id\":2}\n{\"id\":1,\"a\":1}\n\n{\"id\":1.0,\"a\":2}\n{\"id\":1,\"a\":3}\n"
    let lines = Lines.sorted([text])
    let duplicate = try #require(lines.firstDuplicate(in: 0))
    #expect((duplicate.firstLine, duplicate.secondLine) == (2, 4))
    var last: [String] = []
    lines.forEachKey { lines, _ in last += Delta.result(lines).map { [lines.string($0)] } ?? [] }
    #expect(last == ["{\"id\":1,\"a\":3}", "{\"id\":2}"])
  }
}
