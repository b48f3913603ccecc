import JSONLines
@testable import Remotes
import Store
import SyncCore
import Testing

/// The document of a collection with the settings on which its devices agree.
@Suite struct AgreementTests {
  @Test func agreementComesBackAsItWas() throws {
    var shape = RecordShape()
    shape.keys = [JSONPointer("/uuid")!]
    var settings = CollectionSettings()
    (settings.entity, settings.deletedField) = ("Task", "gone")
    var stored = StoredEntities()
    stored.names = ["Task": [["uuid"]], "Note": [["id"]]]
    let own = CollectionAgreement(settings, shape, stored)
    let read = try #require(
      CollectionAgreement(DocumentTests.document("agreement", own.fields, at: "2025-06-01T00:00:00Z")))
    #expect(read.settings.difference(from: settings, of: "it") == nil)
    #expect(read.rules.hasSameRules(as: shape))
    #expect(read.identities.names == ["Task": [["uuid"]]])
    #expect(try read.difference(from: shape) == nil)
    #expect(try read.difference(from: RecordShape())?.code == .identityDiffers)
    shape.profile.entities[Array("Note".utf8)] = RecordShape.chores.profile[Array("CompletionEvent".utf8)]
    #expect(try read.difference(from: shape) == nil)
    shape.profile.entities[Array("Task".utf8)] = RecordShape.chores.profile[Array("CompletionEvent".utf8)]
    #expect(try read.difference(from: shape)?.code == .rulesDiffer)
    settings.deletedField = nil
    #expect(read.settings.difference(from: settings, of: "it") != nil)
    for (name, value) in [("deletedField", "peersync"), ("identities", #"{"Task":[]}"#)] {
      let fields = own.fields.filter { $0.name != name } + [JSONMember(name, ["stringValue": .string(value)])]
      #expect(
        try CollectionAgreement(DocumentTests.document("agreement", fields, at: "2025-06-01T00:00:00Z"))
          == nil)
    }
    for name in ["entityName", "rules", "identities"] {
      let fields = own.fields.filter { $0.name != name }
      #expect(
        try CollectionAgreement(DocumentTests.document("agreement", fields, at: "2025-06-01T00:00:00Z"))
          == nil)
    }
  }
}
