import JSONLines
@testable import Remotes
import Store
import SyncCore
import Testing

/// Change lines as documents of Firestore, and documents as change lines.
@Suite struct DocumentTests {
  private static func form(deletedField: String? = nil, types: WireTypes = WireTypes()) -> DocumentForm {
    DocumentForm("Task", deletedField: deletedField, types: types, RecordShape())
  }

  static func document(_ id: String, _ fields: [JSONMember], at time: String) throws -> Document {
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

  private static func past(
    _ clock: Instant?, noted: String = "", isContinuous: Bool = false
  ) -> DocumentForm.Past {
    DocumentForm.Past(known: known(clock, noted: noted), isContinuous: isContinuous)
  }

  private static let line =
    #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2025-05-01T10:00:00+02:00","version":3,"by":"ann","fields":{"n":1,"title":"Milk"}}"#

  @Test func lineComesBackAsItWas() throws {
    var form = Self.form()
    let outgoing = try #require(try form.outgoing(Array(Self.line.utf8)))
    let fields = try form.fields(of: outgoing, over: nil, id: "1", sample: [])
    let change = try form.change(
      Self.document(form.id(for: outgoing), fields, at: "2025-06-01T00:00:00.5Z"), since: .init())
    #expect(String(decoding: change.line, as: UTF8.self) == Self.line)
    #expect(change.key == outgoing.key)
  }

  @Test func deletionComesBackWithItsTime() throws {
    var form = Self.form(deletedField: "isDeleted")
    let live = try #require(try form.outgoing(Array(Self.line.utf8)))
    let present = try Self.document(
      "1", form.fields(of: live, over: nil, id: "1", sample: []), at: "2025-06-01T00:00:00Z")
    #expect(present.fields[named: "isDeleted"] == ["booleanValue": false])
    let line = #"{"entityName":"Task","identity":{"id":"1"},"deletedAt":"2025-05-02T00:00:00.5Z"}"#
    let deletion = try #require(try form.outgoing(Array(line.utf8)))
    let fields = try form.fields(of: deletion, over: present, id: "1", sample: [])
    #expect(fields[named: "title"] == ["stringValue": "Milk"])
    #expect(fields[named: "isDeleted"] == ["booleanValue": true])
    let change = try form.change(Self.document("1", fields, at: "2025-06-01T00:00:00Z"), since: .init())
    #expect(String(decoding: change.line, as: UTF8.self) == line)
  }

  /// A deletion needs no fields, and its time may be in them, although the document does not keep them.
  @Test(arguments: [
    #""deletedAt":"2025-05-02T00:00:00Z","fields":[1]"#, #""fields":{"deletedAt":"2025-05-02T00:00:00Z"}"#,
    #""deletedAt":false,"fields":{"deletedAt":"2025-05-02T00:00:00Z"}"#,
  ])
  func everyDeletionComesBackAsOne(_ members: String) throws {
    var form = Self.form(deletedField: "isDeleted")
    let line = #"{"entityName":"Task","identity":{"id":"1"},\#(members)}"#
    let deletion = try #require(try form.outgoing(Array(line.utf8)))
    let fields = try form.fields(of: deletion, over: nil, id: "1", sample: [])
    let change = try form.change(Self.document("1", fields, at: "2025-06-01T00:00:00Z"), since: .init())
    #expect(change.isTombstone && change.clock == Instant("2025-05-02T00:00:00Z"))
  }

  @Test func otherEntityIsLeftOut() throws {
    var form = Self.form()
    #expect(try form.outgoing(Array(Self.line.replacing("Task", with: "Note").utf8)) == nil)
  }

  /// Another program has changed only the title: the clock of the note no longer counts.
  @Test func editOfAnotherProgramHasItsOwnClock() throws {
    var form = Self.form()
    let outgoing = try #require(try form.outgoing(Array(Self.line.utf8)))
    var fields = try form.fields(of: outgoing, over: nil, id: "1", sample: [])
    fields[0] = JSONMember("title", ["stringValue": "Oat milk"])
    let change = try form.change(
      Self.document("1", fields, at: "2025-06-01T00:00:00.123456Z"), since: .init())
    #expect(change.clock == Instant("2025-06-01T00:00:00.123Z"))
    // A device whose clock was ahead had written it: the edit is later all the same.
    let before = try form.change(Self.document("1", fields, at: "2025-01-01T00:00:00Z"), since: .init())
    #expect(before.clock == Instant("2025-05-01T08:00:00.001Z"))
    let known = try form.change(
      Self.document("1", fields, at: "2025-01-01T00:00:00Z"),
      since: Self.past(Instant("2025-05-01T09:00:00Z")))
    #expect(known.clock == Instant("2025-05-01T09:00:00.001Z"))
  }

  /// An app has checked a box, and unchecked it: the content matches the note again.
  @Test func editThatBringsBackWhatWasIsAnEdit() throws {
    var form = Self.form()
    let outgoing = try #require(try form.outgoing(Array(Self.line.utf8)))
    let fields = try form.fields(of: outgoing, over: nil, id: "1", sample: [])
    let document = try Self.document("1", fields, at: "2025-06-01T00:00:00Z")
    let edited = Instant("2025-05-20T00:00:00Z")
    let returned = try form.change(
      document, since: Self.past(edited, noted: Document.noteID(fields)))
    #expect(returned.clock == Instant("2025-06-01T00:00:00Z"))
    // Another note was there since: it is an older version, which only a backup brings back without an app.
    let restored = try form.change(document, since: Self.past(edited, noted: "another"))
    #expect(restored.clock == Instant("2025-05-01T08:00:00Z"))
    let undone = try form.change(document, since: Self.past(edited, noted: "another", isContinuous: true))
    #expect(undone.clock == Instant("2025-06-01T00:00:00Z"))
    let ahead = try form.change(
      document, since: Self.past(Instant("2025-07-01T00:00:00Z"), isContinuous: true))
    #expect(ahead.clock == Instant("2025-07-01T00:00:00.001Z"))
    let later = try form.change(
      document, since: Self.past(Instant("2025-04-01T00:00:00Z"), isContinuous: true))
    #expect(later.clock == Instant("2025-05-01T08:00:00Z"))
  }

  /// Documents that exist again after a removal: an app's is later, a device's has its own clock.
  @Test(arguments: [
    ("2025-05-10T00:00:00.000Z", "2025-06-01T00:00:00Z"),
    ("2025-05-31T23:59:59.999Z", "2025-05-01T08:00:00Z"),
  ])
  func documentThatIsThereAgain(_ time: String, _ clock: String) throws {
    var form = Self.form()
    let outgoing = try #require(try form.outgoing(Array(Self.line.utf8)))
    var fields = try form.fields(of: outgoing, over: nil, id: "1", sample: [])
    let note = fields.firstIndex { $0.name == Document.note }!
    let members = fields[note].value["mapValue"]?["fields"]?.objectValue ?? []
    fields[note] = JSONMember(
      Document.note,
      ["mapValue": ["fields": .object(members + [.init("at", ["timestampValue": .string(time)])])]])
    let removed = DocumentForm.Past(
      removed: RemovedDocument(
        updated: try #require(Instant("2025-05-10T00:00:00.5Z")),
        gone: try #require(Instant("2025-05-20T00:00:00Z"))))
    let document = try Self.document("1", fields, at: "2025-06-01T00:00:00Z")
    #expect(try form.change(document, since: removed).clock == Instant(clock))
    // Without a note it is an app's, whatever clock it has in itself.
    let plain: [JSONMember] = [.init("updatedAt", ["stringValue": "2025-05-02T00:00:00Z"])]
    let again = try Self.document("1", plain, at: "2025-05-15T00:00:00Z")
    #expect(try form.change(again, since: removed).clock == Instant("2025-05-20T00:00:00.001Z"))
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
    (#"{"bytesValue":"AAEC"}"#, #""AAE""#, #"{"stringValue":"AAE"}"#),
    (#"{"bytesValue":"AAEC"}"#, #""AA EC""#, #"{"stringValue":"AA EC"}"#),
    (#"{"bytesValue":"AAEC"}"#, #""AB==""#, #"{"stringValue":"AB=="}"#),
  ])
  func valueThatDoesNotFitHasItsOwnType(_ present: String, _ value: String, _ typed: String) throws {
    let fields = try DocumentValues.typed(
      [JSONMember("a", DocumentValueTests.value(value))],
      like: [JSONMember("a", DocumentValueTests.value(present))])
    #expect(fields[named: "a"]?.text == typed)
  }

  @Test func textsThatLookAlikeAreTwoDocuments() {
    #expect(DocumentID("\u{e9}") != DocumentID("e\u{301}"))
    #expect(Set([DocumentID("\u{e9}"), DocumentID("e\u{301}")]).count == 2)
  }

  @Test func clockOfAnAppCountsAsLongAsItGoesOn() throws {
    var form = Self.form()
    let fields = try DocumentValueTests.fields(
      #"{"title":{"stringValue":"Milk"},"updatedAt":{"timestampValue":"2025-05-03T00:00:00Z"}}"#)
    let document = try Self.document("1", fields, at: "2025-06-01T00:00:00Z")
    #expect(try form.change(document, since: .init()).clock == Instant("2025-05-03T00:00:00Z"))
    #expect(
      try form.change(document, since: Self.past(Instant("2025-05-03T00:00:00Z"))).clock
        == Instant("2025-06-01T00:00:00Z"))
  }

  @Test(arguments: ["uuid", "date"])
  func clockOfAnAppCountsWhateverTheIdentity(_ identity: String) throws {
    let profile = Array(#"{"entities":{"*":{"identity":"\#(identity)"}}}"#.utf8)
    var shape = RecordShape()
    shape.profile = try Profile(parsing: profile.span)
    var form = DocumentForm("Task", deletedField: nil, types: WireTypes(), shape)
    let fields = try DocumentValueTests.fields(#"{"updatedAt":{"timestampValue":"2025-05-03T00:00:00Z"}}"#)
    let document = try Self.document("2025-05-01T00:00:00.000Z", fields, at: "2025-06-01T00:00:00Z")
    #expect(try form.change(document, since: .init()).clock == Instant("2025-05-03T00:00:00Z"))
  }

  @Test func everyFieldOfALargeRecordCounts() throws {
    let form = Self.form()
    var reading = form
    let text =
      #"{"entityName":"Task","identity":{"id":"1"},"modifiedAt":null,"fields":{"a":"\#(String(repeating: "x", count: 1 << 20))"}}"#
    let outgoing = try #require(try reading.outgoing(Array(text.utf8)))
    #expect { _ = try form.fields(of: outgoing, over: nil, id: "1", sample: []) } throws: {
      ($0 as? DocumentProblem)?.code == .lineTooLarge
    }
  }

  @Test(arguments: [#"{"gone":true}"#, #"{"gone":"no"}"#, #"{"gone":0}"#])
  func recordThatWouldBeDeleted(_ fields: String) throws {
    var form = Self.form(deletedField: "gone")
    let text = #"{"entityName":"Task","identity":{"id":"1"},"fields":\#(fields)}"#
    let outgoing = try #require(try form.outgoing(Array(text.utf8)))
    #expect(throws: DocumentProblem.self) {
      _ = try form.fields(of: outgoing, over: nil, id: "1", sample: [])
    }
  }

  @Test func fieldsThatAreNone() throws {
    var form = Self.form()
    let text = #"{"entityName":"Task","identity":{"id":"1"},"fields":[1]}"#
    #expect(throws: DocumentProblem.self) { _ = try form.outgoing(Array(text.utf8)) }
  }

  @Test func markHasToBeABoolean() throws {
    var form = Self.form(deletedField: "gone")
    let time = "2025-06-01T00:00:00Z"
    for (mark, isDeleted) in [(#"{"nullValue":null}"#, false), (#"{"booleanValue":true}"#, true)] {
      let document = try Self.document("1", [JSONMember("gone", DocumentValueTests.value(mark))], at: time)
      #expect(try form.change(document, since: .init()).isTombstone == isDeleted)
    }
    let odd = try Self.document("1", [JSONMember("gone", ["stringValue": "yes"])], at: time)
    #expect(throws: DocumentProblem.self) { _ = try form.change(odd, since: .init()) }
  }

  @Test func nameOfTheNoteIsTaken() throws {
    var form = Self.form()
    let text = #"{"entityName":"Task","identity":{"id":"1"},"fields":{"peersync":1}}"#
    let outgoing = try #require(try form.outgoing(Array(text.utf8)))
    #expect(throws: DocumentProblem.self) {
      _ = try form.fields(of: outgoing, over: nil, id: "1", sample: [])
    }
  }
}
