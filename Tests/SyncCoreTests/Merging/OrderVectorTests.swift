import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/merge-order.json: two lines of one key under a rule, and the step that decides.
///
/// Wherever possible, each step after that one favours the loser.
struct OrderVector: Decodable, CustomTestStringConvertible {
  var name: String
  var rule: String
  var step: String
  var winner: String
  var loser: String

  var testDescription: String { "\(rule): \(name)" }

  static let all = VectorFile.load("merge-order", of: OrderVector.self)
}

@Suite struct OrderVectorTests {
  @Test(arguments: OrderVector.all)
  func decides(_ vector: OrderVector) throws {
    let profile = #"{"entities":{"Item":{"rule":"\#(vector.rule)"}}}"#
    let lines = try RuleLines([vector.winner, vector.loser], profile: profile)
    try #require(lines.count == 2 && lines.haveOneKey)
    #expect(lines.compare(0, 1).step.rawValue == vector.step)
    #expect(lines.compare(1, 0).step.rawValue == vector.step)
    let order = vector.step == "identical" ? 0 : 1
    #expect(lines.compare(0, 1).order.signum() == order)
    #expect(lines.compare(1, 0).order.signum() == -order)
  }

  @Test func everyStepHasAVector() {
    #expect(Set(OrderVector.all.map(\.step)) == Set(MergeOrder.Step.allCases.map(\.rawValue)))
  }
}
