import JSONLines
import SyncCore
import TestSupport
import Testing

/// A smaller word is a smaller key.
@Suite struct KeyWordsTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func wordsAreOrderedAsKeysAre(seed: UInt64) throws {
    var random = RandomLines(
      seed: seed, RandomLines.Size(lines: 100, entities: seed % 2 == 0 ? 2 : 200, ids: 50))
    let keys = Self.words(random.texts())
    for (a, b) in zip(keys, keys.dropFirst()) {
      guard a.word != b.word, !a.key.lexicographicallyPrecedes(b.key) else { continue }
      Issue.record("seed \(seed): \(Self.shown(a.key)) and \(Self.shown(b.key))")
    }
    for (a, b) in zip(keys, keys.dropFirst()) where a.key == b.key {
      #expect(a.word == b.word, "seed \(seed): one key, two words: \(Self.shown(a.key))")
    }
  }

  /// The common bytes of all keys leave room for the distinguishing ones.
  @Test func keysThatBeginAlikeHaveWordsOfTheirOwn() {
    let text = (0..<5_000).map { "{\"id\":\"2025-05-02-\($0)\",\"entity\":\"\($0 % 3)\"}\n" }.joined()
    #expect(Set(Self.words([Array(text.utf8)]).map(\.word)).count == 5_000)
  }

  /// In the order of the words.
  private static func words(_ texts: [[UInt8]]) -> [(word: UInt64, key: [UInt8])] {
    let shape = RecordShape()
    var (reader, lineReader) = (BlockReader(shape), LineReader(shape))
    var (blocks, places, forms) = ([LineBlock](), [[Int]](), KeyForms())
    for (number, text) in texts.enumerated() {
      var block = LineBlock(TextRegion(text), 0..<text.count, source: UInt16(number))
      places.append(forms.add(reader.read(&block, number: number).forms))
      blocks.append(block)
    }
    var sorter = BlockSorter(KeyWords(forms), shape)
    for index in blocks.indices { sorter.sort(&blocks[index], places[index]) }
    let table = LineTable(blocks)
    let entries = blocks.flatMap(\.entries).map { entry in
      var key: [UInt8] = []
      _ = try? lineReader.read(table.line(of: entry), key: &key)
      return (entry.word, key)
    }
    return entries.sorted { $0.0 == $1.0 ? $0.1.lexicographicallyPrecedes($1.1) : $0.0 < $1.0 }
  }

  private static func shown(_ key: [UInt8]) -> String { String(decoding: key.prefix(200), as: UTF8.self) }
}
