@testable import Bindings
import JSONLines
import SyncCore
import Testing
import TestSupport

/// How files of records are read, and that unedited records keep their bytes.
@Suite struct RecordTextTests {
  private func text(_ string: String, named path: String = "a.jsonl") throws -> RecordText {
    try RecordText(Array(string.utf8), named: path)
  }

  private func records(_ string: String, named path: String = "a.jsonl") throws -> [String] {
    try text(string, named: path).pieces.map { String(decoding: $0.record, as: UTF8.self) }
  }

  private func edited(
    _ string: String, _ changes: [Int: String] = [:], without removed: [Int] = [], adding: [String] = [],
    named path: String = "a.jsonl"
  ) throws -> String {
    var edits: [Int: [UInt8]?] = changes.mapValues { Array($0.utf8) }
    for index in removed { edits.updateValue(nil, forKey: index) }
    let bytes = try text(string, named: path).replacing(edits, adding: adding.map { Array($0.utf8) })
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func linesKeepTheirBytes() throws {
    let lines = "{ \"id\" : 1 }\r\n{\"id\":2}\r\n"
    #expect(try records(lines) == ["{ \"id\" : 1 }", "{\"id\":2}"])
    #expect(
      try edited(lines, [1: "{}"], adding: ["{\"id\":3}"])
        == "{ \"id\" : 1 }\r\n{}\r\n{\"id\":3}\r\n")
    #expect(try edited(lines, without: [0, 1]) == "")
    #expect(try edited("", adding: ["{}"]) == "{}\n")
    #expect(try edited("\n", adding: ["{}"]) == "{}\n")
  }

  @Test func aByteOrderMarkIsNotPartOfALine() throws {
    let text = "\u{FEFF}Milk\nBread\n"
    #expect(try records(text, named: "a.txt") == [#"{"line":"Milk"}"#, #"{"line":"Bread"}"#])
    #expect(try edited(text, without: [0], adding: ["Salt"], named: "a.txt") == "\u{FEFF}Bread\nSalt\n")
    #expect(try records("\u{FEFF}", named: "a.txt") == [])
  }

  @Test func anArrayKeepsItsLayout() throws {
    let array = "[\n    {\"id\": 1},\n    {\"id\": 2}\n]\n"
    #expect(try records(array) == ["{\"id\":1}", "{\"id\":2}"])
    #expect(try edited(array) == array)
    #expect(
      try edited(array, without: [0], adding: ["{\"id\":3}"]) == "[\n    {\"id\": 2},\n    {\"id\":3}\n]\n"
    )
    #expect(try edited("[]", adding: ["1", "2"], named: "a.json") == "[\n  1,\n  2\n]\n")
    #expect(try edited("", adding: ["1"], named: "a.json") == "[\n  1\n]\n")
    #expect(try records("[]\n") == [])
  }

  /// As other programs write them: with an indent, with spaces, without any space.
  @Test(arguments: [
    "[\n  {\n    \"id\": 1,\n    \"n\": [\n      1,\n      []\n    ]\n  }\n]",
    "[\r\n\t{\r\n\t\t\"id\" : 1,\r\n\t\t\"n\" : [\r\n\t\t\t1,\r\n\t\t\t[]\r\n\t\t]\r\n\t}\r\n]\r\n",
    "[{\n  \"id\": 1,\n  \"n\": [\n    1,\n    []\n  ]\n}]", "[{\"id\": 1, \"n\": [1, []]}]",
    "[ {\"id\":1,\"n\":[1,[]]} ]", "[{\"id\":1,\"n\":[1,[]]}]",
  ])
  func newRecordsHaveTheLayoutOfTheOthers(array: String) throws {
    let before = try text(array, named: "a.json")
    let first: JSONValue = ["id": 1, "n": [1, []]]
    #expect(before.rendered(first) == Array(before.text[before.pieces[0].range]))
    let second = try #require(before.rendered(["id": 2, "n": [1, []]]))
    let both = before.replacing([:], adding: [second])
    let after = try RecordText(both, named: "a.json")
    #expect(
      after.pieces.map(\.record) == [#"{"id":1,"n":[1,[]]}"#, #"{"id":2,"n":[1,[]]}"#].map { Array($0.utf8) })
    #expect(after.replacing([1: nil], adding: []) == before.text)
    // The records begin at the same place on their lines.
    let starts = after.pieces.map { piece in
      both[..<piece.range.lowerBound].reversed().prefix { $0 == 32 || $0 == 9 }.count
    }
    if array.contains("[\n") || array.contains("[\r\n") { #expect(starts[0] == starts[1]) }
  }

  @Test(arguments: ["[1]", "[{}]", "[{ }]", "[[]]", "[\"a\"]"])
  func aRecordWithoutMembersShowsNoLayout(array: String) throws {
    let rendered = try text(array, named: "a.json").rendered(["id": 2, "n": [1]])
    #expect(rendered == Array("{\"id\":2,\"n\":[1]}".utf8))
  }

  @Test func aBraceOnTheLineOfTheLastMemberShowsNoIndent() throws {
    let rendered = try text("[{\n\t\"id\" : 1}]", named: "a.json").rendered(["id": 2, "n": [1]])
    #expect(rendered == Array("{\"id\" : 2,\"n\" : [1]}".utf8))
  }

  @Test(arguments: [
    ("{\"id\":1}", "a.jsonl"), ("[{\"id\":1}", "a.json"), ("[{\"id\":1},]", "a.json"), ("id,b\n1,2", "a.csv"),
    ("id,b\n1,\"2\n", "a.csv"), ("id,b\n1\n", "a.csv"), ("id,b\n1,2,3\n", "a.csv"),
  ])
  func whatIsNotWholeIsRefused(string: String, path: String) {
    #expect(throws: BindingError.self) { try text(string, named: path) }
  }

  @Test func valuesAreSeparated() throws {
    let csv = "\u{FEFF}id;a\r\n1;\"x;\"\"y\"\"\"\r\n\r\n2;\r\n"
    #expect(
      try records(csv, named: "a.csv") == [#"{"id":"1","a":"x;\"y\""}"#, #"{"id":"2","a":null}"#])
    #expect(try edited(csv, named: "a.csv") == "\u{FEFF}id;a\r\n1;\"x;\"\"y\"\"\"\r\n2;\r\n")
    let rendered = try text(csv, named: "a.csv").rendered(["id": 3, "a": "1;2", "more": true])
    #expect(rendered.map { String(decoding: $0, as: UTF8.self) } == "3;\"1;2\"")
    #expect(try text(csv, named: "a.csv").rendered(["id": 3, "a": [1]]) == nil)
  }

  /// Texts written as separated values are read back unchanged.
  @Test(arguments: Tries.seeds(200)) func valuesComeBack(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let letters = Array("a,;\t\"\n\r é".unicodeScalars)
    let values = (0..<4).map { _ in
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...5, using: &random)).map { _ in letters.randomElement(using: &random)! }))
    }
    let header = "k,l,m,n\n"
    let record = JSONValue.object(
      zip(["k", "l", "m", "n"], values).map { JSONMember($0, $1.isEmpty ? .null : .string($1)) })
    let empty = try text(header, named: "a.csv")
    let row = try #require(empty.rendered(record))
    let again = try RecordText(empty.replacing([:], adding: [row]), named: "a.csv")
    guard values != ["", "", "", ""] || again.pieces.count == 1 else { return }
    let found = try #require(again.pieces.first).record
    #expect(try JSONValue(parsing: found.span) == record)
  }

  private func fault(_ string: String, named path: String) throws -> BindingError {
    try #require(throws: BindingError.self) { try text(string, named: path) }
  }

  @Test(arguments: ["{\"theme\":\"dark\"}", "{\n  \"theme\": \"dark\"\n}", "\u{FEFF}{}", "\n{}"])
  func oneObjectIsNoListOfRecords(object: String) throws {
    let fault = try fault(object, named: "a.json")
    #expect(fault.message == "a JSON object, not a list of records")
    #expect(fault.hint?.contains("to_entries") == true)
  }

  @Test func anObjectOverLinesIsNoListEither() throws {
    let object = "{\n  \"milk\": {\"n\": 1},\n  \"salt\": {\"n\": 2}\n}\n"
    #expect(try fault(object, named: "a.json").hint?.contains("to_entries") == true)
    // A record stays one, although it has to be written on one line.
    #expect(try records("{\n  \"id\": 1\n}\n", named: "a.json").count == 3)
  }

  @Test func objectWithAListNamesItsRecords() throws {
    let fault = try fault("{\"version\":1,\"items\":[{\"id\":1}]}", named: "a.json")
    #expect(fault.hint?.contains("jq -c '.[\"items\"][]'") == true)
  }

  @Test func anotherValueIsNoListOfRecords() throws {
    #expect(try fault("\"a\"", named: "a.json").message == "one JSON value, not a list of records")
    #expect(try fault("{\n}", named: "a.jsonl").message == "a JSON object, not a list of records")
  }

  @Test(arguments: [
    ("{\"id\":1}", "a.jsonl"), ("{\"id\":1}", "a.ndjson"), ("{\"id\":1}\n{\"id\":2}", "a.json"),
    ("{\"id\":", "a.json"), ("[{\"id\":1}", "a.json"),
  ])
  func whatMayGoOnIsHalfWritten(string: String, path: String) throws {
    #expect(try fault(string, named: path).message.hasSuffix("; the file may be half written"))
  }

  @Test(arguments: ["[{\"n\":NaN}]", "[1,]", "[1] 2"]) func whatIsWrongIsNotHalfWritten(array: String) throws
  {
    #expect(try !fault(array, named: "a.json").message.contains("half written"))
  }

  @Test func aCommaBeforeABracketIsNamed() throws {
    for array in ["[{\"id\":1},]", "[{\"id\":1,}]", "[{\"id\":1},\n]\n"] {
      #expect(try fault(array, named: "a.json").hint?.contains("comma") == true)
    }
    #expect(try fault("[{\"id\":1},,]", named: "a.json").hint == nil)
  }

  @Test func aByteOrderMarkStays() throws {
    let mark = "\u{FEFF}"
    let array = mark + "[\n  {\"id\":1}\n]\n"
    #expect(try records(array, named: "a.json") == ["{\"id\":1}"])
    #expect(try edited(array, adding: ["2"], named: "a.json") == mark + "[\n  {\"id\":1},\n  2\n]\n")
    #expect(try edited(mark + "[]", adding: ["2"], named: "a.json") == mark + "[\n  2\n]\n")
    let lines = mark + "{\"id\":1}\n{\"id\":2}\n"
    #expect(try records(lines) == ["{\"id\":1}", "{\"id\":2}"])
    #expect(try edited(lines, without: [0]) == mark + "{\"id\":2}\n")
    #expect(try fault(mark + "[\n1,\n]", named: "a.json").line == 3)
  }

  @Test func carriageReturnsAloneAreNoLineEnds() throws {
    let fault = try fault("id,a\r1,2\r", named: "a.csv")
    #expect(fault.message == "its lines end with carriage returns only")
    #expect(fault.hint?.contains(#"tr '\r' '\n'"#) == true)
  }

  @Test func extensionsMayBeInCapitals() throws {
    #expect(try records("id\n1\n", named: "A.CSV") == [#"{"id":"1"}"#])
    #expect(try records("milk\n", named: "A.Txt") == [#"{"line":"milk"}"#])
    #expect(try edited("", adding: ["1"], named: "A.JSON") == "[\n  1\n]\n")
    #expect(FileFormat.isText("A.TXT"))
  }

  /// Lines stay lines, even if all of them were removed.
  @Test func linesDoNotBecomeAnArray() throws {
    let empty = try edited("{\"id\":1}\n", without: [0], named: "a.json")
    #expect(empty == "\n")
    #expect(try edited(empty, adding: ["{}"], named: "a.json") == "{}\n")
    #expect(try edited(empty, named: "a.json") == "\n")
    #expect(try edited("{\"id\":1}\n", without: [0]) == "")
  }

  @Test func typesStayWhatTheyWere() {
    let before: JSONValue = ["n": 1, "b": true, "s": "x", "z": .null, "more": [1]]
    let row: JSONValue = ["n": "2.50", "b": "false", "s": .null, "z": .null, "new": "7"]
    #expect(
      row.typed(like: before)
        == ["n": .number("2.50"), "b": false, "s": "", "z": .null, "new": "7", "more": [1]])
    let odd: JSONValue = ["n": "two", "b": "no", "z": "x"]
    #expect(odd.typed(like: before) == ["n": "two", "b": "no", "z": "x", "s": "x", "more": [1]])
  }
}
