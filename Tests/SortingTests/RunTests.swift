import JSONLines
import SyncCore
import TestSupport
import Testing

/// Sorted runs that are read through windows give the result of a dictionary; the seed is in the message.
@Suite struct RunTests {
  /// The bytes of a run and how many of them have been read.
  private struct Run {
    let bytes: [UInt8]
    var offset = 0
    var window = RunStretch()

    var isAtEnd: Bool { offset == bytes.count }

    /// Reads `count` bytes more, or as many as there are already: a long record does not take many steps.
    mutating func read(_ count: Int) {
      let count = max(count, window.restSize)
      var text: [UInt8] = []
      text.append(window.rest)
      text += bytes[offset..<min(offset + count, bytes.count)]
      offset = min(offset + count, bytes.count)
      window = RunStretch(TextRegion(text), after: window)
    }
  }

  private static let sizes = [
    RandomLines.Size(lines: 12, entities: 1, ids: 4), RandomLines.Size(lines: 150, entities: 3, ids: 30),
    RandomLines.Size(lines: 300, entities: 300, ids: 2),
  ]

  @Test(arguments: sizes.indices, Array(0..<6) as [UInt64])
  func windowsOfAnySizeComeToTheSame(size: Int, seed: UInt64) throws {
    var lines = RandomLines(seed: seed, Self.sizes[size])
    let texts = lines.texts()
    var random = SplitMix64(seed: seed)
    let windows = random.pick([1, 40, 300, 5_000, 1_000_000])
    try check(texts, seed) { Int.random(in: 1...windows, using: &random) }
  }

  @Test(arguments: RandomIdentities.Kind.allCases, Tries.some(0..<6))
  func identitiesInManySpellings(kind: RandomIdentities.Kind, seed: UInt64) throws {
    var lines = RandomIdentities(seed: seed, kind, ids: 60)
    let texts = lines.texts(200)
    var random = SplitMix64(seed: seed)
    try check(texts, seed, lines.shape) { Int.random(in: 1...3_000, using: &random) }
  }

  private func check(
    _ texts: [[UInt8]], _ seed: UInt64, _ shape: RecordShape = RecordShape(), _ window: () -> Int
  ) throws {
    var runs = texts.indices.map { Run(bytes: Self.run(texts[$0], source: $0, shape)) }
    let reference = try ReferenceLines(texts, shape)
    var (walk, reader, index) = (KeyWalk(shape), ChangeReader(shape), 0)
    while runs.contains(where: { !$0.isAtEnd || !$0.window.isEmpty }) {
      var limit: [UInt8]?
      for place in runs.indices {
        while !runs[place].isAtEnd, runs[place].window.isEmpty { runs[place].read(window()) }
        if runs[place].isAtEnd { continue }
        let last = try #require(runs[place].window.lastKey(&reader))
        if limit.map(last.precedes) ?? true { limit = last }
      }
      let parts = runs.indices.map { runs[$0].window.take(before: limit, &reader) }.filter { !$0.isEmpty }
      if parts.isEmpty { for place in runs.indices { runs[place].read(window()) } }
      try walk.forEachKey(of: parts) { lines, _, reader in
        try #require(index < reference.keys.count, "seed \(seed)")
        let key = reference.keys[index]
        let isSame =
          reader.key(of: lines.text(0)) == key.key
          && lines.indices.map { Array(copying: lines.text($0)) } == key.lines.map(\.text)
          && lines.indices.map(lines.lineNumber) == key.lines.map(\.number)
          && Merge.winner(of: lines, &reader) == key.lines.winner
        try #require(isSame, "seed \(seed), key \(index)")
        index += 1
      }
    }
    #expect(index == reference.keys.count, "seed \(seed)")
  }

  /// The run of one text.
  private static func run(_ text: [UInt8], source: Int, _ shape: RecordShape) -> [UInt8] {
    var (reader, walk) = (BlockReader(shape), KeyWalk(shape))
    var block = LineBlock(TextRegion(text), 0..<text.count, source: UInt16(source))
    var forms = KeyForms()
    let places = forms.add(reader.read(&block, number: 0).forms)
    let words = KeyWords(forms)
    var sorter = BlockSorter(words, shape)
    sorter.sort(&block, places)
    let (plan, table) = (RangePlan([block]), LineTable([block]))
    var run: [UInt8] = []
    for range in 0..<plan.count {
      var part = RunText(size: 0, condensing: nil)
      walk.forEachKey(of: range, in: plan, table) { part.append($0, words, &$1) }
      run += part.bytes
    }
    return run
  }

  /// Of many lines of a key only the sufficient ones are written.
  @Test func aRunHasFewLinesOfAKey() {
    let lines = (0..<100).map { "{\"id\":1,\"n\":\($0 % 3),\"updatedAt\":\($0)}\n" }.joined()
    var condensed = RunText(size: 0, condensing: Merge.representatives)
    var whole = RunText(size: 0, condensing: nil)
    var block = LineBlock(TextRegion(Array(lines.utf8)), 0..<lines.utf8.count, source: 0)
    var reader = BlockReader(RecordShape())
    let words = KeyWords(reader.read(&block, number: 0).forms)
    var walk = KeyWalk(RecordShape())
    walk.forEachKey(of: 0, in: RangePlan([block]), LineTable([block])) { lines, reader in
      condensed.append(lines, words, &reader)
      whole.append(lines, words, &reader)
    }
    #expect(whole.bytes.count { $0 == 10 } > 99)
    let text = String(decoding: condensed.bytes, as: UTF8.self)
    #expect(text.contains("\"updatedAt\":99}") && text.count { $0 == "\n" } < 6)
  }
}
