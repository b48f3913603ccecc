import JSONLines
import SyncCore
import TestSupport
import Testing

/// The sorted walk visits what a dictionary would hold, in the order of the keys' bytes; the seed is in the message.
@Suite struct SortedLinesTests {
  private static let sizes = [
    RandomLines.Size(lines: 12, entities: 1, ids: 4), RandomLines.Size(lines: 150, entities: 3, ids: 30),
    RandomLines.Size(lines: 400, entities: 400, ids: 2), RandomLines.Size(lines: 600, entities: 2, ids: 500),
  ]

  /// Each number stands for eight seeds.
  @Test(arguments: sizes.indices, Tries.some(0..<3))
  func visitsWhatADictionaryHolds(size: Int, block: UInt64) throws {
    for seed in block * 8..<(block + 1) * 8 { try check(seed, Self.sizes[size]) }
  }

  /// So many lines that there are several ranges.
  @Test(arguments: Tries.some([1_000, 1_001]))
  func manyLines(seed: UInt64) throws {
    var lines = RandomLines(seed: seed, RandomLines.Size(lines: 0, entities: 3, ids: 1_000_000))
    try check([lines.text(15_000), lines.text(15_000)], "seed \(seed)")
  }

  @Test func manyLinesOfOneKey() throws {
    var random = SplitMix64(seed: 1)
    let text = (0..<20_000).map { _ in
      let id = random.pick(["7", "7.0", "70e-1"])
      return "{\"id\":\(id),\"updatedAt\":\(Int.random(in: 0...9, using: &random))}\n"
    }
    try check([Array((text.joined() + "{\"id\":8}\n{\"id\":6}\n").utf8)], "one key")
  }

  /// Keys that are alike but for one byte at any place, and those that end there.
  @Test(arguments: [0, 1, 5, 6, 7, 8, 9, 15, 16, 17, 100])
  func keysThatPartAtAnyByte(shared: Int) throws {
    let start = String(repeating: "k", count: shared)
    let ends = ["", "a", "b", "aa", "a\u{7f}", "é", "😀", "aaaaaaaa", "aaaaaaab", "aaaaaaaaa", "!", " ", "#"]
    var lines = ends.map { "{\"id\":\"\(start)\($0)\"}\n" }
    lines += ["1", "12", "123456789", "1234567890", "-1", "0"].map { "{\"id\":\($0)}\n" }
    lines += ["\\u0000", "\\\"", "\\\\", "\\n", "\\u00e9"].map { "{\"id\":\"\(start)\($0)\"}\n" }
    lines += [
      "{}", "{\"id\":{}}", "{\"id\":[]}", "{\"i\":1}", "{\"id!\":1}", "{\"ide\":1}", "{\"id\":1,\"z\":1}",
    ].map {
      "{\"entityName\":\"\",\"identity\":\($0)}\n"
    }
    for seed in 0..<5 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      try check([Array(lines.shuffled(using: &random).joined().utf8)], "shared \(shared), seed \(seed)")
    }
  }

  /// Keys that begin alike each with some of the others, and for more bytes than are compared at once.
  @Test(arguments: [1, 6, 7, 20_000])
  func keysThatPartOneAfterTheOther(step: Int) throws {
    let ends = ["", "a", "k", "z", "9", "kkkkkkkz", "\\u00e9"]
    for seed in 0..<3 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let ids = (0..<(step > 100 ? 8 : 300)).map { count in
        "\"" + String(repeating: "k", count: count * step) + random.pick(ends) + "\""
      }
      let lines = (ids + ids.shuffled(using: &random)).map { "{\"id\":\($0)}\n" }
      let others = ids.map { "{\"entityName\":\"\",\"identity\":{\"id\":\($0),\"z\":1}}\n" }
      try check(
        [Array((lines + others).shuffled(using: &random).joined().utf8)], "step \(step), seed \(seed)")
    }
  }

  /// Several pointers lead to one long value, so keys are much longer than their lines; one key differs early.
  @Test func keysLongerThanTheirLines() throws {
    let places = (0..<20).map { "p\($0 + 10)" }
    let key = places.indices.map { "\"/" + places[...$0].joined(separator: "/") + "\"" }.joined(
      separator: ",")
    let profile = Array("{\"entities\":{\"*\":{\"key\":[\(key),\"/z\"]}}}".utf8)
    let shape = try RecordShape(rules: profile.span)
    let lines = [3, 1, 2, 0, 1, 3, 2, 2].enumerated().map { index, id in
      let text = "\"" + String(repeating: id == 0 ? "a" : "k", count: 3_000) + "\""
      let nested = places.reversed().reduce(text) { "{\"\($1)\":\($0)}" }.dropFirst().dropLast()
      return "{\(nested),\"z\":\(id),\"updatedAt\":\(index)}\n"
    }
    try check(lines.map { Array($0.utf8) }, "a text a line", shape)
    try check([Array(lines.joined().utf8)], "one text", shape)
  }

  /// An entity with one key has nothing to distinguish keys by, and another may continue after the end of a
  /// value.
  @Test func whatFollowsAKeyInItsLineDoesNotMatter() throws {
    let ends = ["", ",\"n\":1234567890", ",\"nnnnnnnnnnnn\":2", "  ,  \"n\":3"]
    let lines = ends.enumerated().flatMap { index, end in
      ["\"a\"", "\"\"", "7", "\"abcdefghijklmnop\""].enumerated().flatMap { entity, value in
        [
          "{\"id\":\(value)\(end),\"entity\":\"E\(entity)\",\"updatedAt\":\(index)}\n",
          "{\"id\":\(value)\(end),\"entity\":\"F\(entity)\",\"updatedAt\":\(index)}\n",
          "{\"entityName\":\"F\(entity)\",\"identity\":{\"id\":\(value),\"z\":\(index % 2)}}\n",
        ]
      }
    }
    try check([Array(lines.joined().utf8)], "in order")
    try check(lines.reversed().map { Array($0.utf8) }, "a text a line")
  }

  /// A text too large for one block gives the same lines in several.
  @Test(arguments: [1, 100, 3_000])
  func textsThatAreCutIntoBlocks(size: Int) throws {
    for seed in Tries.seeds(8) {
      var lines = RandomLines(seed: seed, Self.sizes[1])
      try check(lines.texts() + [Array("\n\n{\"id\":1}".utf8)], "blocks of \(size), seed \(seed)", size: size)
    }
    let bad = Array("{\"id\":1}\n\n{\"id\":2}\nno\n".utf8)
    var found: [Int] = []
    _ = SortedLines([bad, bad], RecordShape(), size: size) { _, source, line in found += [source, line] }
    #expect(found == [0, 4, 1, 4])
  }

  @Test func nothingAtAll() throws {
    try check([], "no text")
    try check([[], Array("\n\r\n".utf8), Array("{\"newTokenData\":\"AA==\"}".utf8)], "no line")
  }

  /// Identities that a profile compares in a form, in all their spellings.
  @Test(arguments: RandomIdentities.Kind.allCases, Tries.some([1_000, 30, 2]))
  func identitiesInManySpellings(kind: RandomIdentities.Kind, ids: Int) throws {
    for seed in Tries.seeds(4, soak: 12) {
      var lines = RandomIdentities(seed: seed, kind, ids: ids)
      try check(lines.texts(ids * 4), "\(kind), \(ids) ids, seed \(seed)", lines.shape)
    }
  }

  @Test(arguments: Tries.some(RandomIdentities.Kind.allCases))
  func manyIdentities(kind: RandomIdentities.Kind) throws {
    var lines = RandomIdentities(seed: 7, kind, ids: 20_000)
    try check([lines.text(15_000), lines.text(15_000)], "\(kind)", lines.shape)
  }

  private func check(_ seed: UInt64, _ size: RandomLines.Size) throws {
    var lines = RandomLines(seed: seed, size)
    try check(lines.texts(), "seed \(seed), \(size)")
  }

  private func check(
    _ texts: [[UInt8]], _ place: String, _ shape: RecordShape = RecordShape(), size: Int = 1 << 30
  ) throws {
    let comment = Comment(rawValue: place)
    let reference = try ReferenceLines(texts, shape)
    let sorted = try SortedLines(texts, shape, size: size) { error, _, _ in throw error }
    var index = 0
    try sorted.forEachKey { lines, reader in
      try #require(index < reference.keys.count, comment)
      try compare(lines, reference.keys[index], &reader, "\(place), key \(index)")
      index += 1
    }
    #expect(index == reference.keys.count, comment)
  }

  /// The first different key ends the test.
  private func compare(
    _ lines: KeyLines, _ expected: (key: [UInt8], lines: [ReferenceLines.Line]), _ reader: inout ChangeReader,
    _ place: @autoclosure () -> String
  ) throws {
    let actual = lines.indices.map { place in
      ReferenceLines.Line(
        source: lines.source(place), number: lines.lineNumber(place), text: Array(copying: lines.text(place)),
        change: reader.change(lines.text(place)))
    }
    let key = reader.key(of: lines.text(0))
    // All in one, as a failure would print the lines, which may be long.
    let isSame =
      key == expected.key && actual == expected.lines
      && Merge.winner(of: lines, &reader) == expected.lines.winner
      && Delta.difference(lines, &reader) == expected.lines.difference
      && Delta.inverse(lines, &reader) == expected.lines.inverse
      && Delta.result(lines) == expected.lines.result
    try #require(isSame, "\(place()): \(Self.shown(key)) for \(Self.shown(expected.key))")
  }

  private static func shown(_ key: [UInt8]) -> String { String(decoding: key.prefix(200), as: UTF8.self) }
}

extension [UInt8] {
  init(copying text: Span<UInt8>) {
    self = text.indices.map { text[$0] }
  }
}
