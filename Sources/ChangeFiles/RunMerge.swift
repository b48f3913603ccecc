import JSONLines
import SyncCore
import SystemIO

/// Lines in key order out of several sorted runs, in batches.
struct RunMerge {
  /// Lines of whole keys, sorted and marked.
  struct Batch: Sendable {
    var entries: [LineEntry]
    var table: LineTable
  }

  /// Which lines of a key are enough to tell what comes of all of them.
  typealias Condensing = @Sendable (KeyLines, inout ChangeReader) -> [Int]

  private var runs: RunHeap
  private var changes: ChangeReader
  private let bytes: Int
  private let source: Int?
  private let condensing: Condensing?

  /// A batch has about `bytes` bytes, and the lines of one source or of all.
  init(
    _ files: [SpillFile], _ shape: RecordShape, window: Int, bytes: Int, source: Int?, condensing: Condensing?
  ) throws {
    runs = try RunHeap(files, window: window)
    changes = ChangeReader(shape)
    (self.bytes, self.source, self.condensing) = (bytes, source, condensing)
  }

  /// Nil at the end.
  mutating func next() throws -> Batch? {
    runs.dropOldWindows()
    var entries: [LineEntry] = []
    var (size, passed) = (0, 0)
    var sizeOfKey = 0
    var key: [UInt8] = []
    while let record = runs.first {
      let isSame = runs.firstHas(key)
      if !isSame {
        if size >= bytes { break }
        runs.copyKey(to: &key)
        sizeOfKey = 0
      }
      if source == nil || source == Int(record.entry.source) {
        entries.append(record.entry)
        if sizeOfKey > 0 { entries[entries.count - 1].flags.insert(.sameKey) }
        size += record.line.count
        sizeOfKey += record.line.count + 1
      } else {
        passed += record.line.count
      }
      try runs.advance()
      if passed > 2 * bytes {
        // Windows without a line of the source are held by nothing; with one they end the batch.
        if entries.isEmpty { runs.dropOldWindows() } else { size = max(size, bytes) }
        passed = 0
      }
      if sizeOfKey > 2 * bytes, condensing != nil {
        condense(&entries)
        sizeOfKey = 1
      }
    }
    return entries.isEmpty ? nil : Batch(entries: entries, table: LineTable(runs.blocks))
  }

  /// Leaves what is needed of the last key, and copies the batch together, so that its windows can go.
  private mutating func condense(_ entries: inout [LineEntry]) {
    let start = entries.lastIndex { !$0.flags.contains(.sameKey) } ?? 0
    let table = LineTable(runs.blocks)
    let kept = condensing?(KeyLines(entries[start...], in: table), &changes) ?? []
    entries.replaceSubrange(start..., with: kept.map { entries[start + $0] })
    if start < entries.count { entries[start].flags.remove(.sameKey) }
    var text: [UInt8] = []
    for index in entries.indices {
      let offset = text.count
      text.append(table.line(of: entries[index]))
      text.append(10)
      entries[index].offset = UInt32(offset)
      entries[index].block = 0
    }
    runs.dropOldWindows(keeping: LineBlock(TextRegion(text), 0..<text.count, source: 0))
  }
}
