import JSONLines
@testable import SyncCore
import Testing

/// Where the members are that a profile's entity and rule read.
@Suite struct RuleMembersTests {
  private static let profile = """
    {"entities": {
      "Job": {"key": ["/site", "/hour"], "clock": "/meta/at", "tombstone": "/meta/gone", "rule": "terminal",
        "status": ["/state", "/status"], "completedAt": ["/end", "/completedAt"], "terminal": ["done", "left"]},
      "Log": {"key": "/number", "rule": "append-only"},
      "*": {"clock": "/stamp"}}}
    """

  /// One line as the rules read it, and its key.
  private func read(_ line: String, profile: String = profile) throws -> (line: ChangeLine, key: String) {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    shape.clock = JSONPointer("/elsewhere")
    var reader = LineReader(shape)
    var key: [UInt8] = []
    let change = try reader.read(Array(line.utf8).span, key: &key)
    return (change, String(decoding: key, as: UTF8.self))
  }

  private func facts(_ line: String) throws -> TerminalFacts? {
    guard case .terminal(let facts) = try read(line).line.facts else { return nil }
    return facts
  }

  private func job(_ fields: String, _ own: String = "") -> String {
    #"{"entityName":"Job","identity":{"n":1},"modifiedAt":1,"fields":{\#(fields)}\#(own)}"#
  }

  @Test func eachEntityHasItsOwnKey() throws {
    #expect(
      try read(#"{"entity":"Job","site":"a","hour":7,"id":1}"#).key == #"["Job",{"hour":7,"site":"a"}]"#)
    #expect(try read(#"{"entity":"Log","number":3,"id":1}"#).key == #"["Log",{"number":3}]"#)
    #expect(try read(#"{"entity":"Other","number":3,"id":1}"#).key == #"["Other",{"id":1}]"#)
    #expect(throws: ChangeError.noKey("'/hour' is missing")) {
      try read(#"{"entity":"Job","site":"a","id":1}"#)
    }
    #expect(throws: ChangeError.noKey("'/number' is missing")) {
      try read(#"{"entity":"Log","number":null}"#)
    }
  }

  @Test func eachEntityHasItsOwnClockAndTombstone() throws {
    let job = try read(#"{"entity":"Job","site":1,"hour":1,"meta":{"at":5,"gone":true},"deletedAt":9}"#).line
    #expect(job.isTombstone && job.clock == Instant(seconds: 5))
    let other = try read(#"{"id":1,"stamp":6,"elsewhere":7,"updatedAt":8}"#).line
    #expect(!other.isTombstone && other.clock == Instant(seconds: 6))
    let log = try read(#"{"entity":"Log","number":1,"stamp":6,"elsewhere":7}"#).line
    #expect(log.clock == Instant(seconds: 7), "the pointer of all records, where the entity has none")
  }

  @Test func changeLinesKeepTheirOwnMembers() throws {
    let line = #"{"entityName":"Job","identity":{"n":1},"meta":{"at":5,"gone":true},"modifiedAt":9}"#
    let read = try read(line)
    #expect(read.key == #"["Job",{"n":1}]"#)
    #expect(!read.line.isTombstone && read.line.clock == Instant(seconds: 9))
  }

  @Test(arguments: [
    (#""state":"left""#, "", 1), (#""status":"done""#, "", 0), (#""state":"open","status":"done""#, "", nil),
    (#""state":null,"status":"done""#, "", 0), ("", #","state":"done""#, 0), ("", #","status":"left""#, 1),
    (#""status":"open""#, #","state":"done""#, nil), (#""state":null"#, #","state":"done""#, 0),
    (#""state":"do\u006ee""#, "", 0), (#""state":"Done""#, "", nil), (#""state":["done"]"#, "", nil),
    (#""state":1"#, #","state":"done""#, nil), ("", "", nil), (#""x":{"state":"done"}"#, "", nil),
  ])
  func statusComesFromTheFieldsElseTheLine(fields: String, own: String, rank: Int?) throws {
    #expect(try facts(job(fields, own))?.rank == rank)
  }

  @Test(arguments: [
    (#""end":5"#, "", 5), (#""completedAt":6"#, "", 6), (#""end":5,"completedAt":6"#, "", 5),
    (#""end":null,"completedAt":6"#, "", 6), ("", #","end":7"#, 7), (#""completedAt":6"#, #","end":7"#, 6),
    ("", "", 1), (#""end":null"#, "", 1),
  ])
  func theMomentIsCompletedAtElseTheClock(fields: String, own: String, moment: Int) throws {
    let comma = fields.isEmpty ? "" : ","
    let facts = try facts(job(#""state":"done""# + comma + fields, own))
    #expect(facts?.moment == Instant(seconds: Int64(moment)))
  }

  @Test(arguments: [
    (#""dueDate":5"#, "", 5), ("", #","dueDate":6"#, 6), (#""dueDate":5"#, #","dueDate":6"#, 5),
    ("", "", nil),
  ])
  func theDueDateComesFromTheFieldsElseTheLine(fields: String, own: String, due: Int64?) throws {
    #expect(try facts(job(fields, own))?.dueDate == due.flatMap { Instant(seconds: $0) })
  }

  @Test func aTombstoneIsNotTerminal() throws {
    let line = #"{"entityName":"Job","identity":{"n":1},"deletedAt":1,"fields":{"state":"done","dueDate":2}}"#
    #expect(try facts(line) == TerminalFacts(dueDate: Instant(seconds: 2)))
  }

  @Test(arguments: [
    (
      #"{"entityName":"Job","identity":{"n":1},"modifiedAt":1,"fields":{},"fields":{"state":"done"}}"#,
      "fields"
    ),
    (
      #"{"entityName":"Job","identity":{"n":1},"modifiedAt":1,"fields":{"state":"done","state":"done"}}"#,
      "state"
    ),
    (#"{"entityName":"Job","identity":{"n":1},"modifiedAt":1,"state":"done","state":"open"}"#, "state"),
    (#"{"entity":"Job","site":1,"hour":2,"dueDate":3,"dueDate":3}"#, "dueDate"),
    (#"{"entity":"Job","site":1,"hour":2,"meta":{"at":3,"at":3}}"#, "at"),
    (#"{"entity":"Job","site":1,"site":1,"hour":2}"#, "site"),
  ])
  func whatIsReadMustNotStandTwice(line: String, name: String) {
    #expect(throws: ChangeError.duplicateMember(name)) { try read(line) }
  }

  @Test func whatIsNotReadMayStandTwice() throws {
    let log =
      #"{"entityName":"Log","identity":{"n":1},"modifiedAt":1,"fields":{"state":1,"state":2}}"#
    #expect(try read(log).line.facts == .appendOnly)
    #expect(try read(#"{"id":1,"status":"a","status":"b"}"#).line.facts == .lww)
  }

  @Test(arguments: [
    (#""state":"done","end":"yesterday""#, "/end"), (#""dueDate":"2025-05-32""#, "/dueDate"),
    (#""state":"done","completedAt":true"#, "/completedAt"),
  ])
  func aMomentThatIsNoneIsBadData(fields: String, member: String) {
    #expect(throws: ChangeError.invalidClock(member: member)) { try read(job(fields)) }
  }

  @Test func completedAtIsReadOnlyWhereTheStateIsTerminal() throws {
    #expect(try facts(job(#""state":"open","end":"yesterday""#)) == TerminalFacts())
  }
}
