import JSONLines
import SyncCore
import Testing

/// Plain records become change lines when they enter a store.
@Suite struct WrapTests {
  private func wrapped(
    _ line: String, _ clock: String?, keepingFields: Bool = false,
    _ change: (inout RecordShape) -> Void = { _ in }
  ) throws -> String {
    var shape = RecordShape()
    change(&shape)
    var (reader, bytes) = (LineReader(shape), [UInt8]())
    let text = Array(line.utf8)
    try reader.appendChange(
      text.span, clock: clock.flatMap { Instant($0) }, keepingFields: keepingFields, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aRecordBecomesTheFieldsOfAChangeLine() throws {
    #expect(
      try wrapped(#" {"id": 7, "version": 3, "updatedAt":"2025-05-02T08:00:00Z"} "#, "2025-05-02T08:00:00Z")
        == #"{"entityName":"","identity":{"id":7},"modifiedAt":"2025-05-02T08:00:00.000Z","version":3,"#
        + #""fields":{"id": 7, "version": 3, "updatedAt":"2025-05-02T08:00:00Z"}}"#)
    #expect(
      try wrapped(#"{"id":7}"#, nil)
        == #"{"entityName":"","identity":{"id":7},"modifiedAt":null,"fields":{"id":7}}"#)
  }

  @Test func aKeyIsSpelledAsTheRecordSpellsIt() throws {
    let line = #"{"b":1.0,"a":"\u0061","kind":"T\u0061sk"}"#
    #expect(
      try wrapped(line, nil) {
        $0.keys = [JSONPointer("/b")!, JSONPointer("/a")!]
        $0.entity = JSONPointer("/kind")
      }
        == #"{"entityName":"T\u0061sk","identity":{"a":"\u0061","b":1.0},"modifiedAt":null,"fields":\#(line)}"#
    )
  }

  /// A member called `deletedAt` is not a deletion if the rules name another member for it.
  @Test func aRecordsOwnDeletedAtMayMeanAnotherThing() throws {
    let line = #"{"id":1,"deletedAt":"2026-01-01T00:00:00Z","gone":null}"#
    #expect(
      try wrapped(line, nil) { $0.tombstone = JSONPointer("/gone") }
        == #"{"entityName":"","identity":{"id":1},"modifiedAt":null,"fields":\#(line)}"#)
  }

  @Test func aDeletionHasATime() throws {
    let line = #"{"id":1,"gone":true}"#
    #expect(throws: ChangeError.missingClock) {
      try wrapped(line, nil) { $0.tombstone = JSONPointer("/gone") }
    }
    #expect(
      try wrapped(line, "2025-05-02T08:00:00Z") { $0.tombstone = JSONPointer("/gone") }
        == #"{"entityName":"","identity":{"id":1},"deletedAt":"2025-05-02T08:00:00.000Z","fields":\#(line)}"#)
  }

  /// At the pointer, 1 is `true` and not a time; in `deletedAt` it is a time.
  @Test func aMarkOfDeletionStaysAsItIs() throws {
    for mark in ["1", "true"] {
      let line = #"{"id":1,"gone":\#(mark)}"#
      #expect(
        try wrapped(line, "2025-05-02T08:00:00Z") { $0.tombstone = JSONPointer("/gone") }
          .hasSuffix(#""fields":\#(line)}"#))
      #expect(
        try wrapped(#"{"id":1,"gone":\#(mark),"updatedAt":1746172800}"#, "2025-05-02T08:00:01Z") {
          $0.tombstone = JSONPointer("/gone")
        }
        .hasSuffix(#""fields":{"id":1,"gone":\#(mark),"updatedAt":1746172801}}"#))
    }
    #expect(
      try wrapped(#"{"id":1,"deletedAt":1}"#, "1970-01-01T00:00:02Z")
        .hasSuffix(#""fields":{"id":1,"deletedAt":2}}"#))
  }

  @Test func aRecordsOwnClockIsMovedToo() throws {
    let line = #"{"id":1,"updatedAt":1746172800,"createdAt":1746172800}"#
    #expect(
      try wrapped(line, "2025-05-02T08:00:00.001Z").hasSuffix(
        #""fields":{"id":1,"updatedAt":1746172801,"createdAt":1746172800}}"#))
    #expect(
      try wrapped(line, "2025-05-02T08:00:00.001Z", keepingFields: true).hasSuffix(#""fields":\#(line)}"#))
    let dated = #"{"id":1,"at":"2025-05-02"}"#
    #expect(
      try wrapped(dated, "2025-05-02T08:00:00Z") { $0.clock = JSONPointer("/at") }.hasSuffix(
        #""fields":\#(dated)}"#))
  }

  @Test func aChangeLineStaysAsItIs() throws {
    let line = #"{"entityName":"T","identity":{"id":1},"modifiedAt":"2025-05-02T08:00:00Z","x":1}"#
    #expect(try wrapped(line, "2025-05-02T08:00:00Z") == line)
    #expect(try wrapped(line, nil) == line)
    #expect(
      try wrapped(line, "2025-05-02T08:00:01Z")
        == #"{"entityName":"T","identity":{"id":1},"modifiedAt":"2025-05-02T08:00:01.000Z","x":1}"#)
  }

  /// Whatever a record has, its change line has at least the same key, clock and state, without any rules.
  @Test(arguments: [
    #"{"id":1,"modifiedAt":null,"updatedAt":"2025-05-02T08:00:00Z"}"#, #"{"id":1,"deletedAt":1746172800.5}"#,
    #"{"id":1,"modifiedAt":null}"#, #"{"id":1,"version":1e2,"timestamp":"2025-05-02"}"#,
    #"{"id":{"x":[1]},"updated_at":"2025-05-02 08:00:00"}"#,
  ])
  func aChangeLineSaysWhatItsRecordSays(record: String) throws {
    let (plain, plainKey) = try read(record)
    let line = try wrapped(record, plain.clock.map { "\($0)" })
    let (change, key) = try read(line)
    #expect(key == plainKey)
    #expect(change.kind == .change)
    #expect(change.clock == plain.clock)
    #expect(change.isTombstone == plain.isTombstone)
    #expect((change.version == nil) == (plain.version == nil))
  }

  @Test func aNullClockIsTheClock() throws {
    let (change, _) = try read(
      #"{"entityName":"","identity":{"id":1},"modifiedAt":null,"fields":{"updatedAt":"2025-05-02T08:00:00Z"}}"#
    )
    #expect(change.clock == nil)
  }

  private func read(_ line: String) throws -> (ChangeLine, [UInt8]) {
    var (reader, key) = (LineReader(RecordShape()), [UInt8]())
    let text = Array(line.utf8)
    return (try reader.read(text.span, key: &key), key)
  }
}
