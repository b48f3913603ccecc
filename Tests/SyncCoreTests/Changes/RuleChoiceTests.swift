import JSONLines
import SyncCore
import Testing

/// The rules that a command line states in addition to those of a store.
@Suite struct RuleChoiceTests {
  private func shape(_ change: (inout RecordShape) -> Void) -> RecordShape {
    var shape = RecordShape()
    change(&shape)
    return shape
  }

  private func choice(
    _ change: (inout RecordShape) -> Void = { _ in }, hasProfile: Bool = false, entity: String? = nil
  ) -> RuleChoice { RuleChoice(shape(change), hasProfile: hasProfile, entityName: entity) }

  private func spelled(_ difference: RuleChoice.Difference) -> String {
    "\(difference.option) \(difference.given) \(difference.stored ?? "-")"
  }

  @Test func whatIsNotGivenDoesNotDiffer() {
    #expect(choice().difference(from: .chores) == nil)
    #expect(choice(entity: "Task").difference(from: shape { $0.entityName = "Contact" }) == nil)
    #expect(choice().isEmpty)
    #expect(!choice(hasProfile: true).isEmpty)
  }

  @Test func theFirstOptionThatDiffersIsNamed() throws {
    let rules = shape {
      $0.keys = [JSONPointer("/uuid")!]
      $0.clock = JSONPointer("/at")
    }
    #expect(choice { $0.keys = [JSONPointer("/uuid")!] }.difference(from: rules) == nil)
    #expect(
      choice { $0.keys = [JSONPointer("/id")!] }.difference(from: rules)
        .map(spelled) == "--key /id /uuid")
    #expect(
      choice { $0.clock = JSONPointer("/x") }.difference(from: rules)
        .map(spelled) == "--clock /x /at")
    #expect(
      choice { $0.tombstone = JSONPointer("/gone") }.difference(from: rules)
        .map(spelled) == "--tombstone /gone -")
    let profile = try Profile(parsing: Array(#"{"entities":{"T":{"rule":"append-only"}}}"#.utf8).span)
    #expect(
      choice({ $0.profile = profile }, hasProfile: true).difference(from: rules)
        .map(spelled) == #"--profile {"entities":{"T":{"rule":"append-only"}}} {}"#)
    #expect(
      choice { $0.keys = [JSONPointer("/id")!] }.difference(from: RecordShape()) == nil, "it is the usual one"
    )
  }

  /// In a profile, or by its option.
  @Test func anEntityPointerIsOneWhereverItStands() throws {
    let profile = try Profile(parsing: Array(#"{"entity":"/kind"}"#.utf8).span)
    #expect(
      choice { $0.entity = JSONPointer("/kind") }.difference(from: shape { $0.profile = profile }) == nil)
  }

  @Test func aRecordWithoutAnEntityIsOfTheOnlyOne() {
    let rules = shape { $0.entityName = "Task" }
    #expect(choice().shape(under: rules, entities: []).entityName == "Task")
    #expect(choice().shape(under: RecordShape(), entities: ["Note"]).entityName == "Note")
    #expect(choice().shape(under: rules, entities: ["Note"]).requiresEntity)
    #expect(choice().shape(under: RecordShape(), entities: ["", "Note"]).requiresEntity)
    let named = choice(entity: "").shape(under: rules, entities: ["Note", "Task"])
    #expect(named.entityName.isEmpty && !named.requiresEntity)
  }

  @Test func whatIsGivenTakesThePlaceOfARule() {
    let rules = shape {
      $0.clock = JSONPointer("/at")
      $0.entityName = "Task"
    }
    let changed = choice({ $0.keys = [JSONPointer("/uuid")!] }, entity: "Note").shape(replacing: rules)
    #expect(
      String(decoding: changed.rules, as: UTF8.self)
        == #"{"clock":"/at","entityName":"Note","key":["/uuid"]}"#)
  }
}
