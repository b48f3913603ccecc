import Foundation
import JSONLines
@testable import Store
import SyncCore
import TestSupport
import Testing

/// Plain records in a store: their stored form, and when a record makes no difference.
@Suite(.onEveryEngine) struct WrappedWriteTests {
  private let store: TestStore

  init() throws { store = try TestStore() }

  private func fields(_ id: Int) throws -> String? {
    let prefix = #""identity":{"id":\#(id)}"#
    return try store.lines.first { $0.contains(prefix) }.map { line in
      String(line[line.range(of: #""fields":"#)!.upperBound...].dropLast())
    }
  }

  @Test func everyLineIsAChangeLine() throws {
    try store.record(TestStore.record(1, "a", 1))
    try store.put(#"{"id":2}"#)
    try store.apply(TestStore.record(3, "c", 1), #"{"id":4}"#, from: "phone")
    #expect(
      try store.lines == [
        TestStore.line(1, "a", 1),
        #"{"entityName":"","identity":{"id":2},"modifiedAt":"2025-06-01T00:00:00.000Z","fields":{"id":2}}"#,
        TestStore.line(3, "c", 1),
        #"{"entityName":"","identity":{"id":4},"modifiedAt":null,"fields":{"id":4}}"#,
      ])
  }

  /// Neither the app's form of the record, nor the form with the clock that the store has moved.
  @Test func aRecordThatComesBackUnchangedIsNoDifference() throws {
    try store.record(TestStore.record(1, "a", 2))
    let edited = TestStore.record(1, "b", 1)
    #expect(try store.record(edited).counts.stored == 1)
    let moved = try #require(try fields(1))
    #expect(moved == #"{"id":1,"title":"b","updatedAt":"2025-05-02T00:00:01Z"}"#)
    #expect(try store.record(edited).counts.stored == 0)
    #expect(try store.record(moved).counts.stored == 0)
    #expect(try store.record(edited).counts.stored == 1, "by now an older record than the baseline's")
  }

  @Test func aRecordWithoutAClockIsNoDifferenceEither() throws {
    for _ in 0..<3 {
      try store.record(#"{"id":1,"title":"a"}"#)
      store.now = store.now.advanced(by: .seconds(60))
    }
    #expect(
      try store.lines == [
        #"{"entityName":"","identity":{"id":1},"modifiedAt":"2025-06-01T00:00:00.000Z","fields":{"id":1,"title":"a"}}"#
      ])
    #expect(try store.record(#"{"title":"a", "id":1.0}"#).counts.stored == 0)
    #expect(try store.put(#"{"title":"a","id":1}"#) == [.same])
  }

  @Test func ofAChangeLineEverythingCountsButItsClock() throws {
    let line = TestStore.line(1, "a", 1)
    try store.record(line)
    #expect(
      try store.record(line.replacing("2025-05-01T00:00:00.000Z", with: "2025-05-09T00:00:00.000Z")).counts
        .stored == 0)
    #expect(try store.record(line.replacing(#""fields""#, with: #""by":"ann","fields""#)).counts.stored == 1)
  }

  /// A record that looks like the end of the stored line is not taken for its fields.
  @Test(arguments: [
    #"{"entityName":"","identity":{"id":1},"modifiedAt":null,"x":{"fields":{"id":1}}}"#,
    #"{"entityName":"","identity":{"id":1},"modifiedAt":null,"x,\"fields":{"id":1}}"#,
    #"{"entityName":"","identity":{"id":1},"modifiedAt":null,"fields":{"id":1,"a":0}}"#,
  ])
  func onlyFieldsAreFields(stored: String) throws {
    let record = Array(#"{"id":1}"#.utf8), line = Array(stored.utf8)
    let isSame = SnapshotContent.isSame(record.span, .record, line.span)
    #expect(!isSame)
  }

  @Test func aDeletionWithoutATimeGetsOneHere() throws {
    store.shape.tombstone = .init("/gone")
    try store.put(#"{"id":1,"gone":false}"#, #"{"id":1,"gone":true}"#)
    #expect(
      try store.lines == [
        #"{"entityName":"","identity":{"id":1},"deletedAt":"2025-06-01T00:00:00.001Z","fields":{"id":1,"gone":true}}"#
      ])
  }

  // MARK: Records again

  private func unwrapped(_ line: String, _ change: (inout RecordShape) -> Void = { _ in }) throws -> String? {
    var shape = RecordShape()
    change(&shape)
    var unwrapper = RecordUnwrapper(shape)
    let (text, key) = (Array(line.utf8), try store.key(line))
    return try unwrapper.record(in: text.span, key.span).map { String(decoding: text[$0], as: UTF8.self) }
  }

  @Test func aRecordIsWrittenIfItIsTheSameWhenReadAgain() throws {
    let line = { (fields: String) in
      #"{"entityName":"","identity":{"id":1},"modifiedAt":null,"fields":\#(fields)}"#
    }
    #expect(try unwrapped(line(#"{"id":1,"a":2}"#)) == #"{"id":1,"a":2}"#)
    for other in [
      #"{"id":2}"#, "{}", "[1]", "null", #"{"id":1,"deletedAt":"2025-01-01T00:00:00Z"}"#,
      #"{"id":1,"updatedAt":"yesterday"}"#, #"{"id":1,"identity":{"id":1}}"#, #"{"id":1,"entity":"Task"}"#,
    ] { #expect(try unwrapped(line(other)) == nil, "\(other)") }
    #expect(try unwrapped(#"{"entityName":"","identity":{"id":1},"modifiedAt":null,"id":1}"#) == nil)
  }

  @Test func onlyTheEntityIsMissing() throws {
    let line = #"{"entityName":"Task","identity":{"id":1},"modifiedAt":null,"fields":{"id":1}}"#
    #expect(try unwrapped(line) == nil)
    #expect(try unwrapped(line) { $0.entityName = "Task" } == #"{"id":1}"#)
    #expect(throws: ChangeError.missingEntity) { try unwrapped(line) { $0.requiresEntity = true } }
    let keyless = line.replacing(#""fields":{"id":1}"#, with: #""fields":{}"#)
    #expect(try unwrapped(keyless) { $0.requiresEntity = true } == nil)
  }

  // MARK: The law

  private static let lines = [
    #"{"id":1,"a":1}"#, #"{"id":1,"a":2,"updatedAt":"2025-05-02T08:00:00Z"}"#,
    #"{"id":2,"updatedAt":1746172800}"#,
    #"{"id":2,"deletedAt":"2025-05-03T08:00:00Z"}"#, #"{"id":3,"at":"2025-05-02"}"#,
    #"{"id":"3","version":2}"#,
    #"{"id":4,"entity":"Task"}"#, #"{"id":1,"entity":"Task","updated_at":"2025-05-02 08:00:00"}"#,
    #"{"entityName":"","identity":{"id":5},"modifiedAt":null,"fields":{"id":5,"x":{"id":6}}}"#,
    #"{"entityName":"","identity":{"id":5},"modifiedAt":"2025-05-04T08:00:00Z","fields":{"id":6}}"#,
    #"{"entityName":"","identity":{"id":6},"modifiedAt":null,"fields":{"id":6,"deletedAt":1746172800}}"#,
    #"{"entityName":"","identity":{"id":6},"deletedAt":"2025-05-05T08:00:00Z"}"#,
    #"{"entityName":"","identity":{"a":1,"b":2},"modifiedAt":null,"fields":{"a":1,"b":2}}"#,
    #"{"entityName":"","identity":{"id":7},"title":"no fields"}"#,
    #"{"entityName":"","identity":{"id":8},"modifiedAt":null,"by":"ann","fields":{"id":8}}"#,
    #"{"entityName":"Task","identity":{"id":9},"updatedAt":"2025-05-06T08:00:00Z","fields":{"id":9,"entity":"Task"}}"#,
  ]

  /// The output of `synclog dump --baseline`.
  private func dumped() throws -> [String] {
    var (records, lines) = (StoredRecords(store.shape), [String]())
    try store.store.forEachLine(tombstones: false, isBaseline: true) { line, key in
      let range = try records.range(of: line, key)
      lines.append(TestStore.text(line.extracting(range)))
    } finish: {
    }
    return lines
  }

  /// However a record came into a store.
  @Test func whatIsDumpedIsNoDifference() throws {
    for seed in Tries.seeds(20, soak: 60) {
      var random = SplitMix64(seed: seed)
      let trial = try WrappedWriteTests()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let some = Self.lines.shuffled(using: &random).prefix(5)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: for line in some { try trial.store.put(line) }
        case 1:
          for line in some where !line.contains("5-05T") { _ = try? trial.store.apply(line, from: "phone") }
        default: try trial.store.record(some.first ?? "")
        }
        trial.store.now = trial.store.now.advanced(by: .seconds(1))
      }
      let before = try trial.store.lines
      let (dump, token) = try (trial.dumped(), trial.store.token)
      let counts = try trial.store.recordAll(dump).counts
      #expect(counts.stored == 0 && counts.deletions == 0, "seed \(seed): \(dump)")
      #expect(try trial.store.token == token && trial.store.lines == before, "seed \(seed)")
    }
  }
}
