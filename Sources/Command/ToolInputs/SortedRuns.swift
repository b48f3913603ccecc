import SyncCore
import Synchronization
import SystemIO

/// Sorted runs in temporary files, in the order of the input.
struct SortedRuns: Sendable {
  private let shape: RecordShape
  private let threads: Int
  private let memory: MemoryPlan
  private let condensing: RunText.Condensing?
  /// How often the lines of a run have been merged already, and the run.
  private var runs: [(level: Int, file: SpillFile)] = []

  init(_ shape: RecordShape, threads: Int, _ memory: MemoryPlan, condensing: RunText.Condensing?) {
    (self.shape, self.threads, self.memory) = (shape, threads, memory)
    self.condensing = condensing
  }

  /// Adds a run, and merges the last ones into one where there are as many of a level as can be merged at a time.
  mutating func add(_ file: SpillFile) throws {
    runs.append((0, file))
    while runs.count >= memory.fanIn, let level = runs.last?.level,
      runs.suffix(memory.fanIn).allSatisfy({ $0.level == level })
    {
      let merged = try merge(runs.suffix(memory.fanIn).map(\.file))
      runs.removeLast(memory.fanIn)
      runs.append((level + 1, merged))
    }
  }

  private func merge(_ files: [SpillFile]) throws -> SpillFile {
    var merged = try SpillFile()
    try forEachKey(files, RunText(size: memory.window(of: 1) * 3 / 2, condensing: condensing)) {
      lines, words, reader, piece in
      piece.append(lines, words, &reader)
    } take: { piece in
      try merged.append(piece.bytes.span)
    }
    return merged
  }

  func forEachKey<Piece: Sendable>(
    _ empty: Piece, _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    try forEachKey(
      runs.map(\.file), empty, { lines, _, reader, piece in try visit(lines, &reader, &piece) }, take: take)
  }

  private func forEachKey<Piece: Sendable>(
    _ files: [SpillFile], _ empty: Piece,
    _ visit: @escaping @Sendable (KeyLines, KeyWords, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    let merge = Mutex(RunMerge(files, shape, window: memory.window(of: files.count)))
    let shape = shape
    let walking = OrderedWork(
      threads: threads, next: { try merge.withLock { try $0.next() } }, scratch: { KeyWalk(shape) }
    ) { batch, walk in
      var piece = empty
      try walk.forEachKey(of: batch) { try visit($0, $1, &$2, &piece) }
      return piece
    }
    try walking.run(take)
  }
}
