@testable import SyncCore
import Testing

/// One delta at a time.
@Suite struct StrictApplicationTests {
  private static let now = Instant("2025-06-01T00:00:00Z")!

  private func delete(_ line: String, _ time: Delta.DeletionTime, profile: String = "{}") throws -> String {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    var bytes: [UInt8] = []
    try Lines.sorted([line + "\n"], shape).forEachKey { lines, reader in
      try Delta(deletionTime: time).append(.delete(0), lines, &reader, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aDeleteIsNowOrAMillisecondAfterTheRecord() throws {
    let deleted = { (time: String) in #"{"entityName":"","identity":{"id":1},"deletedAt":"\#(time)"}"# + "\n"
    }
    let now = Delta.DeletionTime.now(Self.now)
    #expect(try delete(#"{"id":1}"#, now) == deleted("2025-06-01T00:00:00.000Z"))
    #expect(try delete(#"{"id":1,"updatedAt":1}"#, now) == deleted("2025-06-01T00:00:00.000Z"))
    #expect(
      try delete(#"{"id":1,"updatedAt":"2025-06-01T00:00:00Z"}"#, now) == deleted("2025-06-01T00:00:00.001Z"))
    #expect(
      try delete(#"{"id":1,"updatedAt":"2026-01-01T00:00:00.000000001Z"}"#, now)
        == deleted("2026-01-01T00:00:00.001000001Z"))
    let before = Delta.DeletionTime.at(Instant(seconds: 0)!)
    #expect(
      try delete(#"{"id":1,"updatedAt":"2026-01-01T00:00:00Z"}"#, before)
        == deleted("1970-01-01T00:00:00.000Z"))
  }

  @Test func aDeleteSpellsItsKeyAsTheRecordDid() throws {
    let line = #"{"entityName":"T\u0061sk" , "identity": {"b":1.0, "a":"\u0078"},"fields":{}}"#
    #expect(
      try delete(line, .at(Self.now))
        == #"{"entityName":"T\u0061sk","identity":{"b":1.0, "a":"\u0078"},"deletedAt":"2025-06-01T00:00:00.000Z"}"#
        + "\n")
    let profile = #"{"entity":"/t","entities":{"*":{"key":["/m/z~1","/a"]}}}"#
    #expect(
      try delete(#"{"t":"X","m":{"z/":[1.0]},"a":-0}"#, .at(Self.now), profile: profile)
        == #"{"entityName":"X","identity":{"a":-0,"z/":[1.0]},"deletedAt":"2025-06-01T00:00:00.000Z"}"# + "\n"
    )
  }

  @Test(arguments: [
    (#"{"id":1,"n":1}"#, #"{"n":1.0,"id":1}"#, ""), (#"{"id":1}"#, #"{"id":1,"deletedAt":null}"#, "line"),
    (#"{"id":1,"deletedAt":5}"#, #"{"id":1,"deletedAt":6}"#, ""), (#"{"id":1,"deletedAt":5}"#, "", ""),
    ("", #"{"id":1,"deletedAt":5}"#, ""), (#"{"id":1,"deletedAt":5}"#, #"{"id":1}"#, "line"),
    (#"{"id":1}"#, #"{"id":1,"deletedAt":5}"#, "line"), ("", #"{"id":1}"#, "line"),
    (#"{"id":1}"#, "", "delete"),
    (#"{"id":1}"#, #"{"entityName":"","identity":{"id":1}}"#, "line"),
    (#"{"id":1,"a":[1,2]}"#, #"{"id":1,"a":[2,1]}"#, "line"),
    (#"{"id":1,"n":12345678901234567890}"#, #"{"id":1,"n":12345678901234567891}"#, "line"),
  ])
  func aTombstoneInTheOldIsAbsenceAndInTheNewADelete(old: String, new: String, expected: String) throws {
    let (a, b) = (try Snapshot(old.isEmpty ? "" : old + "\n"), try Snapshot(new.isEmpty ? "" : new + "\n"))
    let delta = try a.difference(to: b, at: Self.now)
    switch expected {
    case "line": #expect(delta == new + "\n")
    case "delete": #expect(delta.contains(#""deletedAt":"2025-06-01T00:00:00.000Z""#))
    default: #expect(delta == "")
    }
  }

  @Test(
    arguments: [
      (nil, #"{"id":1}"#, nil), (#"{"id":1,"deletedAt":9}"#, #"{"id":1,"updatedAt":1}"#, nil),
      (nil, #"{"id":1,"deletedAt":1}"#, .deleteOfAbsent),
      (#"{"id":1,"deletedAt":9}"#, #"{"id":1,"deletedAt":1}"#, .deleteOfAbsent),
      (#"{"id":1,"updatedAt":2}"#, #"{"id":1,"updatedAt":1}"#, .newerInBase),
      (#"{"id":1,"updatedAt":2}"#, #"{"id":1,"deletedAt":1}"#, .newerInBase),
      (#"{"id":1,"updatedAt":2}"#, #"{"id":1}"#, .newerInBase),
      (#"{"id":1,"updatedAt":"1970-01-01T00:00:01.000000001Z"}"#, #"{"id":1,"updatedAt":1}"#, .newerInBase),
      (#"{"id":1,"updatedAt":2}"#, #"{"id":1,"updatedAt":2.0}"#, nil),
      (#"{"id":1,"updatedAt":2}"#, #"{"id":1,"deletedAt":2}"#, nil),
      (#"{"id":1}"#, #"{"id":1}"#, nil), (#"{"id":1}"#, #"{"id":1,"updatedAt":1}"#, nil),
    ] as [(String?, String, DeltaConflict?)])
  func aStrictApplicationSeesWhatDoesNotFit(base: String?, change: String, conflict: DeltaConflict?) throws {
    let base = try Snapshot(base.map { $0 + "\n" } ?? "")
    let delta = try Snapshot(change + "\n")
    var conflicts: [DeltaConflict?] = []
    base.forEachKey(with: delta) { lines, reader in conflicts.append(Delta.conflict(lines, &reader)) }
    #expect(conflicts == [conflict])
  }

  @Test func twoLinesOfOneKeyAreNamedOrTheLastIsTaken() throws {
    let text = "{\"id\":2}\n\n{\"id\":1,\"n\":1}\n{\"id\":1.0,\"n\":2}\n{\"n\":3,\"id\":10e-1}\n"
    let duplicate = try #require(#expect(throws: DuplicateKey.self) { try Snapshot(text) })
    #expect((duplicate.source, duplicate.firstLine, duplicate.secondLine) == (0, 3, 4))
    let last = try Snapshot(text, allowingDuplicates: true)
    #expect(last.live == [#"{"id":1,"n":3}"#, #"{"id":2}"#])
  }
}
