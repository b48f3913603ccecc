import JSONLines
@testable import Remotes
import Store
import SyncCore
import Testing

/// Change lines as documents of Firestore, and documents as change lines.
@Suite struct DocumentTests {
  private static func value(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8).span)
  }

  private static func fields(_ text: String) throws -> [JSONMember] { try value(text).objectValue ?? [] }

  private static func form(deletedField: String? = nil, types: WireTypes = WireTypes()) -> DocumentForm {
    DocumentForm("Task", deletedField: deletedField, types: types, RecordShape())
  }

  private static func document(_ id: String, _ fields: [JSONMember], at time: String) throws -> Document {
    let value: JSONValue = [
      "name": .string("projects/p/databases/(default)/documents/tasks/\(id)"), "fields": .object(fields),
      "updateTime": .string(time),
    ]
    return try #require(Document(value, of: "tasks"))
  }

  /// A document of that clock without a note.
  private static func known(_ clock: Instant?, noted: String = "") -> KnownDocument {
    KnownDocument(id: "1", key: [], updated: "2020-01-01T00:00:00Z", clock: clock, noted: noted)
  }

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

  @Test func unknownTypeIsNoRecord() throws {
    let fields = try Self.fields(#"{"a":{"pipelineValue":{}}}"#)
    #expect(throws: DocumentProblem.self) { _ = try DocumentValues.plain(fields) }
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

  // MARK: Lines

  private static let line =
    #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2025-05-01T10:00:00+02:00","version":3,"by":"ann","fields":{"n":1,"title":"Milk"}}"#

  @Test func lineComesBackAsItWas() throws {
    var form = Self.form()
    let outgoing = try #require(try form.outgoing(Array(Self.line.utf8)))
    let fields = try form.fields(of: outgoing, over: nil, sample: [])
    let change = try form.change(
      Self.document(outgoing.id, fields, at: "2025-06-01T00:00:00.5Z"), since: nil)
    #expect(String(decoding: change.line, as: UTF8.self) == Self.line)
    #expect(change.key == outgoing.key)
  }

  @Test func deletionComesBackWithItsTime() throws {
    var form = Self.form(deletedField: "isDeleted")
    let live = try #require(try form.outgoing(Array(Self.line.utf8)))
    let present = try Self.document(
      "1", form.fields(of: live, over: nil, sample: []), at: "2025-06-01T00:00:00Z")
    #expect(present.fields[named: "isDeleted"] == ["booleanValue": false])
    let line = #"{"entityName":"Task","identity":{"id":"1"},"deletedAt":"2025-05-02T00:00:00.5Z"}"#
    let deletion = try #require(try form.outgoing(Array(line.utf8)))
    let fields = try form.fields(of: deletion, over: present, sample: [])
    #expect(fields[named: "title"] == ["stringValue": "Milk"])
    #expect(fields[named: "isDeleted"] == ["booleanValue": true])
    let change = try form.change(Self.document("1", fields, at: "2025-06-01T00:00:00Z"), since: nil)
    #expect(String(decoding: change.line, as: UTF8.self) == line)
  }

  @Test func otherEntityIsLeftOut() throws {
    var form = Self.form()
    #expect(try form.outgoing(Array(Self.line.replacing("Task", with: "Note").utf8)) == nil)
  }

  /// Another program has changed the title and left all else: the clock of the note is over.
  @Test func editOfAnotherProgramHasItsOwnClock() throws {
    var form = Self.form()
    let outgoing = try #require(try form.outgoing(Array(Self.line.utf8)))
    var fields = try form.fields(of: outgoing, over: nil, sample: [])
    fields[0] = JSONMember("title", ["stringValue": "Oat milk"])
    let change = try form.change(Self.document("1", fields, at: "2025-06-01T00:00:00.123456Z"), since: nil)
    #expect(change.clock == Instant("2025-06-01T00:00:00.123Z"))
    // A device whose clock was ahead had written it: the edit is later all the same.
    let before = try form.change(Self.document("1", fields, at: "2025-01-01T00:00:00Z"), since: nil)
    #expect(before.clock == Instant("2025-05-01T08:00:00.001Z"))
    let known = try form.change(
      Self.document("1", fields, at: "2025-01-01T00:00:00Z"),
      since: Self.known(Instant("2025-05-01T09:00:00Z")))
    #expect(known.clock == Instant("2025-05-01T09:00:00.001Z"))
  }

  /// An app has checked a box, and unchecked it: the content is that of the note again.
  @Test func editThatBringsBackWhatWasIsAnEdit() throws {
    var form = Self.form()
    let outgoing = try #require(try form.outgoing(Array(Self.line.utf8)))
    let fields = try form.fields(of: outgoing, over: nil, sample: [])
    let document = try Self.document("1", fields, at: "2025-06-01T00:00:00Z")
    let edited = Instant("2025-05-20T00:00:00Z")
    let returned = try form.change(
      document, since: Self.known(edited, noted: Document.noteID(fields)))
    #expect(returned.clock == Instant("2025-06-01T00:00:00Z"))
    // Another note was there since: it is an older version, as of a backup.
    let restored = try form.change(document, since: Self.known(edited, noted: "another"))
    #expect(restored.clock == Instant("2025-05-01T08:00:00Z"))
  }

  @Test(arguments: [
    (#"{"doubleValue":0.5}"#, "9007199254740993", #"{"integerValue":"9007199254740993"}"#),
    (
      #"{"geoPointValue":{"latitude":1,"longitude":2}}"#, #"{"latitude":200.5,"longitude":1}"#,
      #"{"mapValue":{"fields":{"latitude":{"doubleValue":200.5},"longitude":{"integerValue":"1"}}}}"#
    ),
    (
      #"{"referenceValue":"projects/p/databases/d/documents/a/b"}"#, #""projects/x""#,
      #"{"stringValue":"projects/x"}"#
    ),
    (#"{"bytesValue":"AAEC"}"#, #""Milk!""#, #"{"stringValue":"Milk!"}"#),
  ])
  func valueThatDoesNotFitHasItsOwnType(_ present: String, _ value: String, _ typed: String) throws {
    let fields = try DocumentValues.typed(
      [JSONMember("a", Self.value(value))], like: [JSONMember("a", Self.value(present))])
    #expect(fields[named: "a"]?.text == typed)
  }

  @Test func textsThatLookAlikeAreTwoDocuments() {
    #expect(DocumentID("\u{e9}") != DocumentID("e\u{301}"))
    #expect(Set([DocumentID("\u{e9}"), DocumentID("e\u{301}")]).count == 2)
  }

  @Test func clockOfAnAppCountsAsLongAsItGoesOn() throws {
    var form = Self.form()
    let fields = try Self.fields(
      #"{"title":{"stringValue":"Milk"},"updatedAt":{"timestampValue":"2025-05-03T00:00:00Z"}}"#)
    let document = try Self.document("1", fields, at: "2025-06-01T00:00:00Z")
    #expect(try form.change(document, since: nil).clock == Instant("2025-05-03T00:00:00Z"))
    #expect(
      try form.change(document, since: Self.known(Instant("2025-05-03T00:00:00Z"))).clock
        == Instant("2025-06-01T00:00:00Z"))
  }

  @Test func everyFieldOfALargeRecordCounts() throws {
    let form = Self.form()
    var reading = form
    let text =
      #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":null,"fields":{"a":"\#(String(repeating: "x", count: 1 << 20))"}}"#
    let outgoing = try #require(try reading.outgoing(Array(text.utf8)))
    #expect { _ = try form.fields(of: outgoing, over: nil, sample: []) } throws: {
      ($0 as? DocumentProblem)?.code == .lineTooLarge
    }
  }

  @Test func nameOfTheNoteIsTaken() throws {
    var form = Self.form()
    let text = #"{"entityName":"Task","identity":{"id":"1"},"fields":{"peersync":1}}"#
    let outgoing = try #require(try form.outgoing(Array(text.utf8)))
    #expect(throws: DocumentProblem.self) { _ = try form.fields(of: outgoing, over: nil, sample: []) }
  }

  // MARK: Places

  @Test(arguments: [
    "firestore://p/tasks", "firestore://p/users/ann/tasks", "firestore://p-1.x:y/größe",
  ])
  func urlIsACollection(_ url: String) { #expect(CollectionPath(url)?.url == url) }

  @Test(arguments: [
    "firestore://", "firestore://p", "firestore://p/", "firestore://p/a/b", "firestore://p//b",
    "firestore:///a",
    "firestore://p/__a__", "firestore://p/..", "firestore://p q/a", "firestore://p/a b", "https://p/a",
  ])
  func urlIsNone(_ url: String) { #expect(CollectionPath(url) == nil) }

  @Test func placeComesBackFromItsToken() {
    var place = FirestorePlace()
    (place.phase, place.after, place.at) = (.changes, "a\"b", "2025-05-01T00:00:00Z")
    (place.from, place.began, place.swept) = ("1", "2", "3")
    #expect(FirestorePlace(token: place.token) == place)
    #expect(FirestorePlace(token: Array("places\n".utf8)) == nil)
    #expect(place.finished.from == "2" && place.finished.after == nil && place.finished.phase == .changes)
  }
}
