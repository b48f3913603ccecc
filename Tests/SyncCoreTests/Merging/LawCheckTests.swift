import JSONLines
import SyncCore
import TestSupport
import Testing

/// The check finds merges that break a law, and names the seed.
@Suite struct LawCheckTests {
  private static let profile = LawProfile.chores

  /// A merge that is wrong in one way, and the law that it breaks.
  struct Planted: CustomTestStringConvertible {
    var name: String
    var law: LawCheck.Law
    var merge: @Sendable ([[UInt8]]) throws -> [UInt8]
    var testDescription: String { name }
  }

  static let planted: [Planted] = [
    Planted(name: "the last line of a key wins", law: .commutative) { bestLines($0) { _, _ in true } },
    Planted(name: "of two lines with the same clock the later wins", law: .commutative) {
      try laterOfTies($0)
    },
    Planted(name: "stone, paper, scissors", law: .commutative) {
      bestLines($0) { ($0.count % 3 + 1) % 3 == $1.count % 3 }
    },
    Planted(name: "the most frequent line wins", law: .associative) { mostFrequent($0) },
    Planted(name: "a line grows with each merge", law: .idempotent) { grown($0) },
    Planted(name: "lines are kept twice", law: .idempotent) {
      $0.flatMap(\.self).split(separator: 10).sorted { $0.lexicographicallyPrecedes($1) }.joinedLines
    },
  ]

  @Test(arguments: planted)
  func finds(_ planted: Planted) throws {
    let lines = Self.lines(seed: 1) + Self.lines(seed: 2)
    let check = try LawCheck(lines, merge: planted.merge)
    let found = try #require(try Self.firstViolation(of: planted.law, check))
    #expect(found.law == planted.law && found.expected != found.actual)
    #expect(try check.violation(of: planted.law, seed: found.seed) == found, "the seed gives it again")
  }

  @Test func aGoodMergeHasNone() throws {
    let merge = try LawMerge(profile: Self.profile.text)
    let check = try LawCheck(Self.lines(seed: 1)) { try merge($0) }
    for law in LawCheck.Law.allCases {
      for seed in 1...20 as ClosedRange<UInt64> { #expect(try check.violation(of: law, seed: seed) == nil) }
    }
  }

  @Test func aLineThatIsMissingIsShownAsEmpty() throws {
    let lines = ["a", "b"].map { Array($0.utf8) }
    let check = try LawCheck(lines) { texts in
      let lines = texts.flatMap(\.self).split(separator: 10)
      return lines.first?.first == 97 ? lines.joinedLines : lines.prefix(1).joinedLines
    }
    let found = try #require(try Self.firstViolation(of: .commutative, check))
    #expect(found.expected == [97] && found.actual == [98])
    #expect(try LawCheck([], merge: { _ in [] }).violation(of: .associative, seed: 1) == nil)
  }

  private static func firstViolation(of law: LawCheck.Law, _ check: LawCheck) throws -> LawCheck.Violation? {
    try (1...20).compactMap { try check.violation(of: law, seed: $0) }.first
  }

  private static func lines(seed: UInt64) -> [[UInt8]] {
    var changes = RandomChanges(seed: seed, profile: profile)
    return changes.devices().joined().map { Array($0.utf8) }
  }

  /// One line for each first letter of its text, chosen pair by pair in the order of arrival.
  private static func bestLines(
    _ texts: [[UInt8]], _ isBetter: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool
  ) -> [UInt8] {
    var best: [Int: ArraySlice<UInt8>] = [:]
    for line in texts.joined().split(separator: 10).map({ Array($0)[...] }) {
      let key = Int(line[line.startIndex + 2]) % 4
      best[key] = best[key].map { isBetter(line, $0) ? line : $0 } ?? line
    }
    return best.sorted { $0.key < $1.key }.map(\.value).joinedLines
  }

  private static func laterOfTies(_ texts: [[UInt8]]) throws -> [UInt8] {
    var output: [UInt8] = []
    try SortedLines(texts, RecordShape()) { error, _, _ in throw error }.forEachKey { lines, reader in
      let clocks = lines.indices.map { reader.change(lines.text($0)).clock }
      let latest = clocks.compactMap(\.self).max()
      guard let winner = clocks.lastIndex(of: latest) else { return }
      output.append(lines.text(winner))
      output.append(10)
    }
    return output
  }

  private static func mostFrequent(_ texts: [[UInt8]]) -> [UInt8] {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for line in texts.flatMap(\.self).split(separator: 10) { counts[line, default: 0] += 1 }
    let best = counts.max { ($0.value, Array($1.key).hex) < ($1.value, Array($0.key).hex) }
    return [best?.key ?? []].joinedLines
  }

  private static func grown(_ texts: [[UInt8]]) -> [UInt8] {
    let lines = texts.flatMap(\.self).split(separator: 10).sorted { $0.lexicographicallyPrecedes($1) }
    return lines.prefix(1).map { $0 + [UInt8(ascii: " ")] }.joinedLines
  }
}

extension Sequence<ArraySlice<UInt8>> {
  fileprivate var joinedLines: [UInt8] { flatMap { $0 + [10] } }
}
