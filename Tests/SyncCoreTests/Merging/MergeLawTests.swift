import SyncCore
import TestSupport
import Testing

/// Merging is commutative, associative and idempotent to the byte, for all rules together.
@Suite struct MergeLawTests {
  private static let seedsEach: UInt64 = 50

  /// Each number stands for `seedsEach` seeds.
  @Test(arguments: LawProfile.all, Tries.some(Tries.isSoak ? 0..<10 : 0..<2))
  func lawsHold(profile: LawProfile, block: UInt64) throws {
    let merge = try LawMerge(profile: profile.text)
    for seed in block * Self.seedsEach..<(block + 1) * Self.seedsEach {
      var changes = RandomChanges(seed: seed, profile: profile)
      let devices = changes.devices()
      try Self.check(devices, merge, "profile \(profile.name), seed \(seed)")
      let check = try LawCheck(devices.joined().map { Array($0.utf8) }) { try merge($0) }
      for law in LawCheck.Law.allCases {
        #expect(try check.violation(of: law, seed: seed) == nil, "profile \(profile.name), seed \(seed)")
      }
    }
  }

  private static func check(_ devices: [[String]], _ merge: LawMerge, _ place: Comment) throws {
    let texts = devices.map { $0.map { $0 + "\n" }.joined() }.map { Array($0.utf8) }
    let all = try merge(texts)
    #expect(try merge(texts.reversed()) == all, place)
    #expect(try merge(Array(texts.dropFirst() + texts.prefix(1))) == all, place)
    let fromLeft = try texts.dropFirst().reduce(merge(texts[0])) { try merge($0, $1) }
    #expect(fromLeft == all, place)
    let last = texts[texts.count - 1]
    let fromRight = try texts.dropLast().reversed().reduce(merge(last)) { try merge($1, $0) }
    #expect(fromRight == all, place)
    #expect(try merge(all) == all && merge(all, all) == all, place)
    for text in texts { #expect(try merge(text, all) == all, place) }
  }

  /// The properties that the generator promises; without them the laws would hold for empty input, too.
  @Test(arguments: LawProfile.all)
  func theLinesMeet(profile: LawProfile) throws {
    var steps: Set<String> = []
    var rules: Set<String> = []
    for seed in 0..<100 as Range<UInt64> {
      var changes = RandomChanges(seed: seed, profile: profile)
      let lines = try RuleLines(Array(changes.devices().joined()), profile: profile.text)
      for i in 0..<lines.count {
        rules.insert(lines.ruleName(i))
        for j in 0..<i where lines.haveSameKey(i, j) {
          steps.insert(lines.compare(i, j).step.rawValue)
        }
      }
    }
    #expect(rules.count == 3)
    #expect(Set(MergeOrder.Step.allCases.map(\.rawValue)).subtracting(steps) == [])
  }
}
