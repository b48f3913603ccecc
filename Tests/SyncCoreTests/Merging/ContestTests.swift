import JSONLines
import SyncCore
import Testing

/// Why a record won: for programs and for people.
@Suite struct ContestTests {
  /// The contest of all lines, which must have one key; each source has one line.
  private func contest(
    _ lines: [String], rule: String = "lww", body: (Contest) throws -> Void
  ) throws {
    var shape = RecordShape()
    let profile = #"{"entities":{"*":{"rule":"\#(rule)"}}}"#
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    var count = 0
    try Lines.sorted(lines.map { "\n\($0)\n" }, shape).forEachKey { lines, reader in
      count += 1
      try body(Contest(lines, &reader))
    }
    #expect(count == 1)
  }

  /// The names of the sources.
  private static let names = (0..<9).map(String.init)

  @Test func aReportIsOneObjectWithEachLineByteForByte() throws {
    let lines = [
      #"{"id":"1","updatedAt":1,"n":1}"#, #"{"id":"1","updatedAt":2,"n":2}"#,
      #"{ "id":"\u0031" , "updatedAt":2.0,"n":3,"version":-1e3}"#, #"{"id":"1","updatedAt":1,"n":0}"#,
    ]
    try contest(lines) { contest in
      var bytes: [UInt8] = []
      contest.append(contest.contenders, Self.names, to: &bytes)
      #expect(
        String(decoding: bytes, as: UTF8.self) == """
          {"key":["",{"id":"1"}],"rule":"lww","step":"version","conflict":false,\
          "winner":{"file":"2","line":2,"change":\(lines[2])},"losers":[\
          {"file":"1","line":2,"step":"version","change":\(lines[1])},\
          {"file":"0","line":2,"step":"clock","change":\(lines[0])},\
          {"file":"3","line":2,"step":"clock","change":\(lines[3])}]}

          """)
    }
  }

  @Test func theSameBytesAgainAreNoContender() throws {
    let line = #"{"id":"1","updatedAt":1}"#
    try contest([line, line, line]) { contest in
      #expect(contest.contenders.isEmpty)
      #expect(contest.losers.map(\.step) == [.identical, .identical])
      #expect(!contest.isConflict)
      #expect(contest.source == 0, "of the same bytes the first file is named")
    }
  }

  @Test func aSingleLineHasWon() throws {
    try contest([#"{"id":"1"}"#]) { contest in
      var bytes: [UInt8] = []
      contest.append(contest.losers, Self.names, to: &bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains(#""step""#))
      #expect(text.hasSuffix(#""change":{"id":"1"}},"losers":[]}"# + "\n"))
      #expect(contest.explanation(Self.names).hasPrefix(#"["",{"id":"1"}]: 1 line, rule lww"# + "\n"))
    }
  }

  @Test(arguments: [
    ("append-only", #"{"id":1,"n":1}"#, #"{"id":1,"n":2}"#, true),
    ("append-only", #"{"id":1,"n":1}"#, #"{"n":1.0,"id":1}"#, false),
    ("append-only", #"{"id":1,"n":1}"#, #"{"id":1,"deletedAt":1}"#, false),
    ("append-only", #"{"id":1,"deletedAt":1}"#, #"{"id":1,"deletedAt":2}"#, false),
    ("lww", #"{"id":1,"n":1}"#, #"{"id":1,"n":2}"#, false),
    ("terminal", #"{"id":1,"status":"completed"}"#, #"{"id":1,"status":"skipped"}"#, false),
  ])
  func onlyTwoRecordsOfAnAppendOnlyKeyConflict(rule: String, a: String, b: String, isConflict: Bool) throws {
    for lines in [[a, b], [b, a], [a, a, b]] {
      try contest(lines, rule: rule) { contest in
        #expect(contest.isConflict == isConflict)
      }
    }
  }

  /// Every step has its own wording, and the lines of a listing start in the same column.
  @Test func anExplanationSaysWhyEachLost() throws {
    let lines = [
      #"{"id":1,"status":"completed","completedAt":2,"updatedAt":3}"#,
      #"{"id":1,"status":"skipped","updatedAt":2}"#, #"{"id":1,"status":"skipped"}"#,
      #"{"id":1,"status":"pending","dueDate":9,"updatedAt":8}"#, #"{"id":1,"deletedAt":9}"#,
    ]
    try contest(lines, rule: "terminal") { contest in
      #expect(
        contest.explanation(Self.names) == """
          ["",{"id":1}]: 5 lines, rule terminal
            0:2  1970-01-01T00:00:03.000Z  upsert  terminal at 1970-01-01T00:00:02.000Z  wins
            1:2  1970-01-01T00:00:02.000Z  upsert  terminal at 1970-01-01T00:00:02.000Z  loses: its state is listed later
            2:2  no clock  upsert  terminal at no time  loses: later terminal time
            4:2  1970-01-01T00:00:09.000Z  tombstone  loses: not terminal
            3:2  1970-01-01T00:00:08.000Z  upsert  due 1970-01-01T00:00:09.000Z  loses: not terminal

          """)
    }
  }
}
