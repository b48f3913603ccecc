import JSONLines
import SyncCore
import TestSupport
import Testing

/// Each rule orders all lines of a key, which is why merging is commutative, associative and idempotent.
@Suite struct TotalOrderTests {
  /// Lines of one key with their meaning: every case as a plain record, some as change lines, some respelled.
  private struct Universe {
    var cases: [RuleCase]
    var texts: [String]

    init(_ rule: RuleCase.Rule) {
      let all = RuleCase.universe(rule)
      let changes = all.enumerated().filter { $0.offset % 5 == 0 && $0.element.change != nil }.map(\.element)
      let respelled = all.enumerated().filter { $0.offset % 11 == 0 }.map(\.element)
      cases = all + changes + respelled
      texts = all.map(\.record) + changes.compactMap(\.change) + respelled.enumerated().map(Self.respell)
    }

    /// The same value in other bytes.
    private static func respell(_ index: Int, _ item: RuleCase) -> String {
      switch index % 4 {
      case 0: item.record.replacing(#""id":"1""#, with: #""id":"\u0031""#)
      case 1: item.record.replacing(",", with: " , ")
      case 2: item.record.replacing(":00Z", with: ":00.000Z")
      default: item.record.replacing("T10:", with: "T11:").replacing(":00Z", with: ":00+01:00")
      }
    }
  }

  @Test(arguments: Tries.some(RuleCase.Rule.allCases))
  func everyPairIsDecidedAsTheDesignSays(rule: RuleCase.Rule) throws {
    let universe = Universe(rule)
    let lines = try RuleLines(universe.texts, profile: RuleCase.profile(rule))
    try #require(lines.haveOneKey && lines.count == universe.texts.count)
    let ranks = universe.cases.map { $0.rank(rule) }
    let canonical = universe.texts.map { Self.canonical($0) }
    for i in 0..<lines.count {
      for j in 0..<lines.count {
        let bytes = Self.order(Array(universe.texts[i].utf8), Array(universe.texts[j].utf8))
        let content = Self.order(canonical[i], canonical[j])
        let expected = [Self.order(ranks[i], ranks[j]), content, bytes].first { $0 != 0 } ?? 0
        guard lines.compare(i, j).order.signum() != expected else { continue }
        Issue.record("\(universe.texts[i])\n\(universe.texts[j])\nexpected \(expected)")
        return
      }
    }
  }

  @Test(arguments: RuleCase.Rule.allCases)
  func everyTripleIsInOrder(rule: RuleCase.Rule) throws {
    let texts = Universe(rule).texts
    let wins = try Self.wins(RuleLines(texts, profile: RuleCase.profile(rule)))
    for i in texts.indices {
      for j in texts.indices {
        let isSame = texts[i].utf8.elementsEqual(texts[j].utf8)
        try #require(wins[i].contains(j) != wins[j].contains(i) || isSame, "\(texts[i])\n\(texts[j])")
        guard wins[i].contains(j), let k = wins[i].firstMissing(of: wins[j]) else { continue }
        Issue.record("a cycle or a gap:\n\(texts[i])\n\(texts[j])\n\(texts[k])")
        return
      }
    }
  }

  /// For each line, the lines that lose to it.
  private static func wins(_ lines: RuleLines) -> [BitSet] {
    (0..<lines.count).map { i in
      var bits = BitSet(count: lines.count)
      for j in 0..<lines.count where lines.compare(i, j).order > 0 { bits.insert(j) }
      return bits
    }
  }

  private static func canonical(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var canonical: [UInt8] = []
    CanonicalJSON.append(bytes.span, 0..<bytes.count, to: &canonical)
    return canonical
  }

  private static func order<Element: Comparable>(_ a: [Element], _ b: [Element]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }
}

/// A set of small numbers.
struct BitSet {
  private var words: [UInt64]

  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  mutating func insert(_ number: Int) { words[number / 64] |= 1 << UInt64(number % 64) }

  func contains(_ number: Int) -> Bool { words[number / 64] & 1 << UInt64(number % 64) != 0 }

  /// A number that is in `other` and not in this set.
  func firstMissing(of other: BitSet) -> Int? {
    for index in words.indices where other.words[index] & ~words[index] != 0 {
      return index * 64 + (other.words[index] & ~words[index]).trailingZeroBitCount
    }
    return nil
  }
}
