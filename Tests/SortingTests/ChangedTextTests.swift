import JSONLines
import SyncCore
import Synchronization
import TestSupport
import Testing

/// The text of a block may change after it was read, as a mapped file does: what is made of it then does not matter, but it has
/// an end, and is no longer than the block.
@Suite struct ChangedTextTests {
  /// Bytes that a block reads and that are changed then.
  @safe private final class Memory {
    let bytes: UnsafeMutableRawBufferPointer
    let region: TextRegion

    init(_ text: String) {
      let text = Array(text.utf8)
      unsafe bytes = .allocate(byteCount: text.count, alignment: 16)
      unsafe bytes.copyBytes(from: text)
      unsafe region = TextRegion(UnsafeRawBufferPointer(bytes)) { address, _ in
        unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      }
    }

    func change(_ range: Range<Int>, to byte: (Int) -> UInt8) {
      for index in range { unsafe bytes[index] = byte(index) }
    }
  }

  private static let count = 2_000
  private static let lines = (0..<count).map { number in
    number % 7 == 3
      ? "{\"entity\":\"\\u0054\(number % 3)\",\"id\":{\"n\":\(number)}}\n"
      : "{\"id\":\"\(number * 7_919 % 2_503)\",\"title\":\"a text that makes the line longer\",\"updatedAt\":\(number)}\n"
  }.joined()

  /// Each byte of the changed part is one of these in turn.
  private static let others: [[UInt8]] = [
    [0], Array(" ".utf8), Array("\"".utf8), Array("a".utf8), Array("{".utf8), Array("\\".utf8),
    Array("0".utf8),
    Array("{\"id\":\"x\",\"t\":1}\n".utf8), Array("\n".utf8),
  ]

  @Test(arguments: others.indices, [0, 4_096, 70_000])
  func whatIsMadeOfALineHasAnEnd(other: Int, from: Int) {
    let memory = Memory(Self.lines)
    let size = memory.region.count
    var block = LineBlock(memory.region, 0..<size, source: 0)
    var (reader, keys) = (BlockReader(RecordShape()), BlockKeys(RecordShape()))
    let report = reader.read(&block, number: 0)
    memory.change(from..<size) { Self.others[other][$0 % Self.others[other].count] }
    var (lines, keyBytes) = (0, [UInt8]())
    for entry in block.entries {
      lines += block.line(at: Int(entry.offset)).count
      keys.append(entry, of: block, report.forms, to: &keyBytes)
    }
    #expect(report.entries == Self.count && lines <= size && keyBytes.count <= 2 * size)
  }

  /// The same in the order of keys, changed before the words are made or between two visits.
  @Test(arguments: Tries.some(others.indices), [0, 4_096, 70_000])
  func whatIsSortedHasAnEnd(other: Int, from: Int) {
    for isSorted in [false, true] {
      let memory = Memory(Self.lines)
      let size = memory.region.count
      var block = LineBlock(memory.region, 0..<size, source: 0)
      var reader = BlockReader(RecordShape())
      var forms = KeyForms()
      let places = forms.add(reader.read(&block, number: 0).forms)
      var sorter = BlockSorter(KeyWords(forms), RecordShape())
      func change() { memory.change(from..<size) { Self.others[other][$0 % Self.others[other].count] } }
      if !isSorted { change() }
      sorter.sort(&block, places)
      if isSorted { change() }
      var (walk, bytes, visited) = (KeyWalk(RecordShape()), 0, 0)
      let (plan, table) = (RangePlan([block]), LineTable([block]))
      for range in 0..<plan.count {
        walk.forEachKey(of: range, in: plan, table) { lines, reader in
          for index in lines.indices { bytes += lines.text(index).count }
          visited += lines.indices.count
          _ = Merge.outcome(of: lines, &reader)
        }
      }
      #expect(visited == Self.count && bytes <= size)
    }
  }

  /// Two spellings of one key, of which one line is damaged: its key cannot be read again, though its bytes are there.
  @Test func keysThatCannotBeReadAgainHaveAnEnd() {
    let first = "{\"id\":\"a\",\"title\":\"x\"}\n"
    let memory = Memory(first + "{\"id\":\"\\u0061\",\"title\":\"x\"}\n")
    var block = LineBlock(memory.region, 0..<memory.region.count, source: 0)
    var reader = BlockReader(RecordShape())
    var forms = KeyForms()
    let places = forms.add(reader.read(&block, number: 0).forms)
    var sorter = BlockSorter(KeyWords(forms), RecordShape())
    sorter.sort(&block, places)
    memory.change(first.utf8.count - 8..<first.utf8.count - 1) { _ in 0 }
    var (walk, visited) = (KeyWalk(RecordShape()), 0)
    walk.forEachKey(of: 0, in: RangePlan([block]), LineTable([block])) { lines, _ in
      visited += lines.indices.count
    }
    #expect(visited == 2)
  }

  /// Records of an append-only entity are compared by what they say, which is looked at again.
  @Test(arguments: others.indices) func damagedRecordsAreCompared(other: Int) throws {
    let profile = Array(#"{"entities":{"*":{"rule":"append-only"}}}"#.utf8)
    var shape = RecordShape()
    shape.profile = try Profile(parsing: profile.span)
    let line = "{\"id\":\"a\",\"title\":[1,{\"b\":\"c\"}]}\n"
    let memory = Memory(line + line.replacing("[1", with: "[2"))
    var block = LineBlock(memory.region, 0..<memory.region.count, source: 0)
    var reader = BlockReader(shape)
    var forms = KeyForms()
    let places = forms.add(reader.read(&block, number: 0).forms)
    var sorter = BlockSorter(KeyWords(forms), shape)
    sorter.sort(&block, places)
    memory.change(20..<line.utf8.count) { Self.others[other][$0 % Self.others[other].count] }
    var walk = KeyWalk(shape)
    walk.forEachKey(of: 0, in: RangePlan([block]), LineTable([block])) { lines, reader in
      _ = Merge.representatives(lines, &reader)
    }
  }
}
