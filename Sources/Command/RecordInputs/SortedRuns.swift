import CommandLine
import SyncCore
import Synchronization
import SystemIO

/// Sorted runs in temporary files, in the order of the input.
struct SortedRuns: Sendable {
  private let shape: RecordShape
  private let threads: ThreadCount
  private let memory: MemoryPlan
  private let condensing: RunText.Condensing?
  /// The runs, each with the number of times that its lines have been merged.
  private var runs: [(level: Int, run: SortedRun)] = []

  init(_ shape: RecordShape, threads: ThreadCount, _ memory: MemoryPlan, condensing: RunText.Condensing?) {
    (self.shape, self.threads, self.memory) = (shape, threads, memory)
    self.condensing = condensing
  }

  /// Adds a run; if a level has as many runs as can be merged at a time, it merges the last runs into one.
  mutating func add(_ run: SortedRun) throws {
    runs.append((0, run))
    while runs.count >= fanIn, let level = runs.last?.level,
      runs.suffix(fanIn).allSatisfy({ $0.level == level })
    {
      try mergeLast(fanIn)
    }
  }

  /// Merges runs until a single merge can read all that remain; call it after the last run.
  mutating func finish() throws {
    while runs.count > 2, !memory.holdsOneOfEach(runs.map(\.run.longest)) {
      try mergeLast(min(fanIn, runs.count))
    }
  }

  private var fanIn: Int { memory.fanIn(longest: runs.reduce(0) { max($0, $1.run.longest) }) }

  private mutating func mergeLast(_ count: Int) throws {
    let last = runs.suffix(count)
    let merged = try merge(last.map(\.run))
    let level = last.reduce(0) { max($0, $1.level) }
    runs.removeLast(count)
    runs.append((level + 1, merged))
  }

  private func merge(_ parts: [SortedRun]) throws -> SortedRun {
    var merged = try SortedRun()
    try forEachKey(parts, RunText(size: memory.window(of: 1) * 3 / 2, condensing: condensing)) {
      lines, words, reader, piece in
      piece.append(lines, words, &reader)
    } take: { piece in
      try merged.append(piece)
    }
    return merged
  }

  func forEachKey<Piece: Sendable>(
    _ empty: Piece, _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    try forEachKey(
      runs.map(\.run), empty, { lines, _, reader, piece in try visit(lines, &reader, &piece) }, take: take)
  }

  private func forEachKey<Piece: Sendable>(
    _ parts: [SortedRun], _ empty: Piece,
    _ visit: @escaping @Sendable (KeyLines, KeyWords, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    let merge = Mutex(RunMerge(parts.map(\.file), shape, window: memory.window(of: parts.count)))
    let shape = shape
    let walking = OrderedWork(
      threads: threads.value, next: { try merge.withLock { try $0.next() } }, scratch: { KeyWalk(shape) }
    ) { batch, walk in
      var piece = empty
      try walk.forEachKey(of: batch) { try visit($0, $1, &$2, &piece) }
      return piece
    }
    try walking.run(take)
  }
}

/// A sorted run in a temporary file.
struct SortedRun: Sendable {
  private(set) var file: SpillFile
  /// The size of the longest record in bytes; a merge has at least one record in memory.
  private(set) var longest = 0

  init() throws(SystemError) { file = try SpillFile() }

  mutating func append(_ text: RunText) throws(SystemError) {
    try file.append(text.bytes.span)
    longest = max(longest, text.longest)
  }
}
