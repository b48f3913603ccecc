import JSONLines
import SyncCore
import TestSupport
import Testing

/// Merging gives the same bytes in any order, in any grouping, any number of times; the seed is the argument.
@Suite struct LastWriteLawTests {
  private static func text(_ lines: some Sequence<String>) -> String { lines.map { $0 + "\n" }.joined() }

  private static func lines(_ random: inout SplitMix64) -> [String] {
    (0..<random.pick(1...40)).map { _ in RandomChange(using: &random).line(using: &random) }
  }

  @Test(arguments: Tries.seeds(200))
  func anySplitOrderAndRepeat(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let lines = Self.lines(&random)
    let expected = Lines.merged([Self.text(lines)])
    for _ in 0..<5 {
      var repeated = lines + lines.filter { _ in random.oneIn(3) }
      repeated.shuffle(using: &random)
      var texts = [""]
      for line in repeated {
        if random.oneIn(4) { texts.append("") }
        texts[texts.count - 1] += line + "\n"
      }
      #expect(Lines.merged(texts) == expected)
    }
  }

  @Test(arguments: Tries.seeds(200))
  func associativeCommutativeIdempotent(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (a, b, c) = (
      Self.text(Self.lines(&random)), Self.text(Self.lines(&random)), Self.text(Self.lines(&random))
    )
    let all = Lines.merged([a, b, c])
    #expect(Lines.merged([Lines.merged([a, b]), c]) == all)
    #expect(Lines.merged([a, Lines.merged([c, b])]) == all)
    #expect(Lines.merged([c, a, b]) == all)
    #expect(Lines.merged([all, all]) == all)
    #expect(Lines.merged([all, a]) == all)
    #expect(Lines.merged([all]) == all)
  }

  /// The winner has the largest rank of its key in the model, and is one of the lines, byte for byte.
  @Test(arguments: Tries.seeds(200))
  func winnersAreTheModelsLargest(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let changes = (0..<30).map { _ in RandomChange(using: &random) }
    let lines = changes.map { $0.line(using: &random) }
    let output = Lines.merged([Self.text(lines)]).split(separator: "\n").map(String.init)
    let ids = Set(changes.map(\.id)).sorted()
    #expect(output.count == ids.count)
    for (id, winner) in zip(ids, output) {
      let index = lines.firstIndex(of: winner)
      let best = changes.filter { $0.id == id }.map(\.rank).max { $0.lexicographicallyPrecedes($1) }
      #expect(index.map { changes[$0].id } == id)
      #expect(index.map { changes[$0].rank } == best, "\(winner)")
    }
  }

  @Test func outputIsInTheOrderOfTheKeysBytes() {
    let keys = [
      #""""#, #""A""#, #""Z""#, #""a""#, #""aa""#, #""b""#, #""é""#, #""😀""#, "-1", "10", "1", "2", "[]",
      "true",
    ]
    let lines = keys.map { "{\"id\":\($0)}" }
    #expect(Lines.merged([Self.text(lines.reversed())]) == Self.text(lines))
  }

  @Test func entitiesAreSetApart() {
    let lines = [
      #"{"id":1,"x":9}"#, #"{"entity":"A","id":1}"#, #"{"entity":"A","id":"1"}"#, #"{"entity":"B","id":1}"#,
    ]
    let sorted = [lines[0], lines[2], lines[1], lines[3]]
    #expect(Lines.merged([Self.text(lines)]) == Self.text(sorted))
  }

  @Test func checkpointsAndBlankLinesArePassedOver() {
    let text = "\n{\"newTokenData\":\"AA==\"}\r\n \t\n{\"id\":1}\r\n\n{\"newTokenData\":\"AQ==\"}"
    #expect(Lines.merged([text]) == "{\"id\":1}\n")
    var block = LineBlock(TextRegion(Array(text.utf8)), 0..<text.utf8.count, source: 0)
    var reader = BlockReader(RecordShape())
    let report = reader.read(&block, number: 0)
    #expect(report.checkpoints == 2 && report.lines == 6 && report.entries == 1)
    #expect(!report.isTerminated && report.unusable.isEmpty)
  }
}
