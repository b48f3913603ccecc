import JSONLines
@testable import Remotes
import Store
import SyncCore
import Testing

/// Values and ids of documents of Firestore.
@Suite struct DocumentValueTests {
  static func value(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8).span)
  }

  static func fields(_ text: String) throws -> [JSONMember] { try value(text).objectValue ?? [] }

  // MARK: Values

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":{"integerValue":"1"}}"#),
    (#"{"a":-9223372036854775808}"#, #"{"a":{"integerValue":"-9223372036854775808"}}"#),
    (#"{"a":10000000000000000000}"#, #"{"a":{"doubleValue":1e+19}}"#),
    (#"{"a":1.0}"#, #"{"a":{"doubleValue":1.0}}"#), (#"{"a":1e2}"#, #"{"a":{"doubleValue":100.0}}"#),
    (
      #"{"a":[1,"b",null,{"c":true}]}"#,
      #"{"a":{"arrayValue":{"values":[{"integerValue":"1"},{"stringValue":"b"},{"nullValue":null},{"mapValue":{"fields":{"c":{"booleanValue":true}}}}]}}}"#
    ),
    (#"{"a":"2025-05-01T00:00:00Z"}"#, #"{"a":{"stringValue":"2025-05-01T00:00:00Z"}}"#),
  ])
  func plainBecomesTyped(_ plain: String, _ typed: String) throws {
    let fields = try DocumentValues.typed(Self.fields(plain), like: [])
    #expect(JSONValue.object(fields).text == typed)
  }

  @Test(arguments: [
    #"{"t":{"timestampValue":"2025-05-01T08:00:00.123456Z"}}"#, #"{"b":{"bytesValue":"AAEC"}}"#,
    #"{"r":{"referenceValue":"projects/p/databases/(default)/documents/a/b"}}"#,
    #"{"g":{"geoPointValue":{"latitude":1.5,"longitude":-2.0}}}"#, #"{"n":{"doubleValue":"NaN"}}"#,
    #"{"d":{"doubleValue":3.0}}"#, #"{"i":{"integerValue":"7"}}"#,
    #"{"m":{"mapValue":{"fields":{"t":{"timestampValue":"2025-05-01T08:00:00.000Z"}}}}}"#,
    #"{"a":{"arrayValue":{"values":[{"timestampValue":"2025-05-01T08:00:00.000Z"}]}}}"#,
  ])
  func typesOfAnotherProgramStay(_ typed: String) throws {
    let present = try Self.fields(typed)
    let plain = try DocumentValues.plain(present)
    #expect(try JSONValue.object(DocumentValues.typed(plain, like: present)).text == typed)
  }

  @Test(arguments: [
    (#"{"a":[[1]]}"#, ErrorCode.nestedValue), (#"{"a":12345678901234567890.5}"#, .inexactNumber),
    (#"{"a":1e400}"#, .inexactNumber), (#"{"a":9223372036854775808}"#, .inexactNumber),
    (#"{"__a__":1}"#, .unknownMember), (#"{"":1}"#, .unknownMember),
    (#"{"a":{"b":1,"b":2}}"#, .duplicateMember),
    (
      #"{"a":"# + String(repeating: #"{"a":"#, count: 20) + "1" + String(repeating: "}", count: 21),
      .nestingTooDeep
    ),
  ])
  func whatNoDocumentHolds(_ plain: String, _ code: ErrorCode) throws {
    let fields = try Self.fields(plain)
    #expect { _ = try DocumentValues.typed(fields, like: []) } throws: {
      ($0 as? DocumentProblem)?.code == code
    }
  }

  @Test(arguments: [
    (#"{"pipelineValue":{}}"#, ErrorCode.unknownTag), (#"{}"#, .unknownTag), (#"7"#, .unknownTag),
    (#"{"doubleValue":"abc"}"#, .unfitValue), (#"{"integerValue":"x"}"#, .unfitValue),
    (#"{"integerValue":"9223372036854775808"}"#, .unfitValue), (#"{"timestampValue":"soon"}"#, .unfitValue),
    (#"{"bytesValue":"!!!"}"#, .unfitValue), (#"{"referenceValue":"a/b"}"#, .unfitValue),
    (#"{"booleanValue":"true"}"#, .unfitValue), (#"{"stringValue":1}"#, .unfitValue),
    (#"{"mapValue":{"fields":[1]}}"#, .unfitValue), (#"{"mapValue":null}"#, .unfitValue),
    (#"{"arrayValue":{"values":{}}}"#, .unfitValue), (#"{"arrayValue":{"values":[{"a":1}]}}"#, .unknownTag),
    (#"{"geoPointValue":{"latitude":"north"}}"#, .unfitValue),
  ])
  func valueThatIsNone(_ typed: String, _ code: ErrorCode) throws {
    let fields = [JSONMember("a", try Self.value(typed))]
    #expect { _ = try DocumentValues.plain(fields) } throws: { ($0 as? DocumentProblem)?.code == code }
  }

  @Test(arguments: [#"{"integerValue":"007"}"#, #"{"integerValue":"+7"}"#, #"{"integerValue":7}"#])
  func integerHasOneSpelling(_ typed: String) throws {
    let fields = [JSONMember("a", try Self.value(typed))]
    #expect(try DocumentValues.plain(fields)[0].value.text == "7")
  }

  @Test(arguments: [
    ("1.13839745820769952E17", "1.1383974582076995e+17"), ("4.9E-324", "5e-324"), ("3", "3.0"),
    ("-0.0", "0.0"),
    ("1e2", "100.0"),
  ])
  func doubleHasOneSpelling(_ text: String, _ plain: String) throws {
    let fields = [JSONMember("a", ["doubleValue": .number(text)])]
    let members = try DocumentValues.plain(fields)
    #expect(members[0].value.text == plain)
    let back = try DocumentValues.typed(members, like: fields)
    #expect(back[0].value == ["doubleValue": .number(plain)])
    #expect(DocumentForm.digest(back) == DocumentForm.digest(fields))
  }

  @Test(arguments: [
    (#""fields":{},"updateTime":"2025-01-01T00:00:00Z""#, true),
    (#""updateTime":"2025-01-01T00:00:00Z""#, true),
    (#""fields":[1],"updateTime":"2025-01-01T00:00:00Z""#, false), (#""fields":{}"#, false),
    (#""fields":{},"updateTime":"today""#, false),
    (#""fields":{},"updateTime":"0001-01-01T00:00:00Z""#, false),
    (#""fields":{},"updateTime":"9999-12-31T23:59:59Z""#, false),
  ])
  func documentIsOne(_ members: String, _ isOne: Bool) throws {
    let text = #"{"name":"projects/p/databases/(default)/documents/tasks/1",\#(members)}"#
    #expect((Document(try Self.value(text), of: "tasks") != nil) == isOne)
  }

  @Test(
    arguments: ["größe", "gro\u{308}ße", "tasks", "users/änn/tasks"],
    ["milk", "\u{301}a", "\u{200d}", "\u{fe0f}"])
  func documentOfAnyPathHasItsWholeID(_ path: String, _ id: String) throws {
    func value(_ path: String) -> JSONValue {
      [
        "name": .string("projects/p/databases/(default)/documents/\(path)/\(id)"),
        "updateTime": "2025-01-01T00:00:00Z",
      ]
    }
    let document = try #require(Document(value(path), of: path))
    #expect(DocumentID(document.id) == DocumentID(id))
    #expect(Document(value("\(path)\u{301}"), of: path) == nil)
    #expect(Document(value("\(path)/a/b"), of: path) == nil)
  }

  @Test(arguments: [
    ("2025-01-01T00:00:00Z", true), ("AAEC", true), ("projects/p/databases/d/documents/a/b", true),
    ("NaN", true), ("", false), ("Milk!", false), ("projects/p", false),
  ])
  func textMayHaveAnotherType(_ text: String, _ isOpen: Bool) {
    #expect(DocumentValues.isOpen(text) == isOpen)
  }

  @Test func oneValueHasOneDigest() throws {
    let one = try Self.fields(#"{"t":{"timestampValue":"2025-05-01T08:00:00Z"},"d":{"doubleValue":100}}"#)
    let other = try Self.fields(
      #"{"d":{"doubleValue":1e2},"t":{"timestampValue":"2025-05-01T10:00:00.000000+02:00"}}"#)
    #expect(DocumentForm.digest(one) == DocumentForm.digest(other))
    #expect(DocumentForm.digest(one) != DocumentForm.digest(try Self.fields(#"{"d":{"doubleValue":100}}"#)))
  }

  // MARK: Ids

  @Test(arguments: [
    (#"{"id":"42"}"#, "42"), (#"{"id":"A_b-1"}"#, "A_b-1"), (#"{"id":42}"#, "k.eyJpZCI6NDJ9"),
    (#"{"id":"a/b"}"#, "k.eyJpZCI6ImEvYiJ9"), (#"{"id":""}"#, "k.eyJpZCI6IiJ9"),
    (#"{"id":"__x__"}"#, "k.eyJpZCI6Il9feF9fIn0"), (#"{"uuid":"a"}"#, "k.eyJ1dWlkIjoiYSJ9"),
    (#"{"b":1,"a":2}"#, "k.eyJhIjoyLCJiIjoxfQ"),
  ])
  func identityHasOneId(_ identity: String, _ id: String) throws {
    let names = DocumentName("Task", RecordShape())
    #expect(try names.id(of: Self.value(identity)) == id)
    let back = names.identity(of: id)
    #expect(try names.id(of: back) == id)
  }

  @Test func idIsNotLongerThanAllowed() throws {
    let names = DocumentName("Task", RecordShape())
    #expect(try names.id(of: ["id": .string(String(repeating: "x", count: 128))]).utf8.count == 128)
    #expect(try names.id(of: ["id": .string(String(repeating: "x", count: 129))]).hasPrefix("k."))
    #expect(throws: DocumentProblem.self) {
      try names.id(of: ["id": .string(String(repeating: "x", count: 1_200))])
    }
  }

  @Test(arguments: ["k.", "k.!!", "k.eyJpZCI6NDJ9A", "k.NDI", "k.eyJpZCI6IjQyIn0", "größe"])
  func otherIdIsItsOwnIdentity(_ id: String) {
    #expect(DocumentName("Task", RecordShape()).identity(of: id) == .object([JSONMember("id", .string(id))]))
  }

  @Test func rulesNameTheMember() {
    var shape = RecordShape()
    shape.keys = [JSONPointer("/uuid")!]
    #expect(DocumentName("Task", shape).identity(of: "7") == ["uuid": "7"])
  }
}
