import Crypto
import JSONLines
import Links
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/rules-digest.json: the given rules, and the form that two stores compare.
///
/// The results were made by a program in another language, after docs/formats/dialogue.md and store.md alone.
struct RulesVector: Decodable, CustomTestStringConvertible {
  /// The values of the options with the same names.
  struct Shape: Decodable {
    var entityName: String?
    var key: [String]?
    var clock: String?
    var tombstone: String?
    var entity: String?
    /// The text of a profile.
    var profile: String?
  }

  var name: String
  var shape: Shape
  /// All that a store keeps, as canonical JSON.
  var rules: String
  var mergeRules: String
  var rulesDigest: String

  var testDescription: String { name }

  static let all: [RulesVector] = VectorFile.load("rules-digest")

  func recordShape() throws -> RecordShape {
    var record = RecordShape()
    record.entityName = shape.entityName ?? ""
    record.keys = (shape.key ?? []).compactMap { JSONPointer($0) }
    record.clock = shape.clock.flatMap { JSONPointer($0) }
    record.tombstone = shape.tombstone.flatMap { JSONPointer($0) }
    record.entity = shape.entity.flatMap { JSONPointer($0) }
    let text = Array((shape.profile ?? "{}").utf8)
    record.profile = try Profile(parsing: text.span)
    return record
  }
}

@Suite struct RulesDigestTests {
  @Test(arguments: RulesVector.all)
  func isThatOfTheCanonicalRules(_ vector: RulesVector) throws {
    let shape = try vector.recordShape()
    #expect(String(decoding: shape.rules, as: UTF8.self) == vector.rules)
    #expect(String(decoding: shape.mergeRules, as: UTF8.self) == vector.mergeRules)
    #expect(try shape.rulesDigest() == vector.rulesDigest)
  }

  /// A store that takes over another's rules merges as that one does.
  @Test(arguments: RulesVector.all)
  func isTheSameOfRulesThatAreTakenOver(_ vector: RulesVector) throws {
    let text = Array(vector.rules.utf8)
    #expect(try RecordShape(rules: text.span).rulesDigest() == vector.rulesDigest)
  }

  @Test func theBuiltInProfileIsAmongThem() throws {
    let chores = try #require(RulesVector.all.first { $0.name == "the chores profile" })
    #expect(try RecordShape.chores.rulesDigest() == chores.rulesDigest)
  }
}
