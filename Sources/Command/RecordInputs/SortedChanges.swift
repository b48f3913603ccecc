package import CommandLine
package import JSONLines
package import SyncCore
import SystemIO

/// The lines of any number of files, in key order: in memory, or in temporary files if memory is short.
package struct SortedChanges: Sendable {
  /// The number of lines without checkpoints, including lines that were left out.
  package let lines: Int
  /// The number of checkpoints of each source.
  package let checkpointsBySource: [Int]
  /// The line of the last checkpoint.
  package let lastCheckpoint: [UInt8]?
  /// The number of lines of each source that were left out.
  package let leftOut: [Int]
  /// The files without clocks, each with the member that looks like a clock.
  package let likelyClocks: [(file: String, clock: JSONPointer)]
  private let source: BlockSource
  private let place: Place

  private enum Place: Sendable {
    case memory(SortedBlocks)
    case files(SortedRuns)
  }

  /// Reads all files; lines that are not a change are passed to `badLines`.
  ///
  /// Lines that `drift` or `use` rejects are passed to it too. `aside` receives all these lines first, and
  /// may handle them instead. `needsTermination` rejects a last line without a line feed. `condensing`
  /// selects the lines of a key that determine the result; without it, all lines of a key must fit into
  /// memory together. `isTagged` reads one file, whose path is given twice, as two files: see `TaggedBlocks`.
  package init(
    reading paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, drift: DriftGuard? = nil,
    use: LineUse = .filter, needsTermination: Bool = false, isTagged: Bool = false,
    condensing: RunText.Condensing? = nil, aside: Aside? = nil, _ badLines: inout BadLines
  ) throws {
    let memory = MemoryPlan(settings)
    let threads = settings.threads
    var intake = Intake(
      paths, needsTermination: needsTermination, aside: aside)
    var runs: SortedRuns?
    func spill() throws {
      var all = runs ?? SortedRuns(shape, threads: threads, memory, condensing: condensing)
      let blocks = try SortedBlocks(&intake, shape, threads: threads, piece: memory.piece)
      try SpillFile.naming { try all.add(blocks.spill(condensing: condensing)) }
      runs = all
    }
    let reading = try BlockReading(paths, shape, settings, memory, drift, use: use, isTagged: isTagged)
    var progress = InputProgress(isTagged ? [paths[0]] : paths, badLines)
    do {
      try reading.run { block in
        progress.add(block)
        try intake.add(block, &badLines)
        if !memory.holdsRun(of: intake.sizes) { try spill() }
      }
    } catch let error as LongLine {
      throw intake.diagnostic(error)
    }
    if runs != nil, !intake.isEmpty { try spill() }
    if var all = runs {
      try SpillFile.naming { try all.finish() }
      place = .files(all)
    } else {
      place = .memory(try SortedBlocks(&intake, shape, threads: threads, piece: memory.piece))
    }
    source = reading.source
    // The runs now contain all lines that were read.
    if runs != nil { try source.check() }
    lines = intake.lines
    checkpointsBySource = intake.checkpoints
    lastCheckpoint = intake.lastCheckpoint
    leftOut = intake.leftOut
    likelyClocks = paths.indices.compactMap { source in
      guard let line = intake.unclocked[source] else { return nil }
      return JSONPointer.likelyClock(in: line.span, shape).map { (paths[source], $0) }
    }
  }

  package var checkpoints: Int { checkpointsBySource.reduce(0, +) }

  /// Visits the lines of each key in the order of keys.
  ///
  /// Keys are visited piece by piece on several threads. The result for each piece is passed to `take` on the
  /// caller's thread, in the order of the keys.
  package func forEachKey<Piece: Sendable>(
    _ empty: Piece, _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    switch place {
    case .memory(let blocks):
      let files = self.source
      try blocks.forEachKey(empty) { lines, reader, piece in
        // If the rest of a file reads as zeros, it does not have line ends. Then each search for a line end
        // would read the complete rest.
        if ShrinkGuard.hasFoundGap { try files.check() }
        try visit(lines, &reader, &piece)
      } take: { piece in
        try self.source.check()
        try take(piece)
      }
    case .files(let runs):
      try runs.forEachKey(empty, visit, take: take)
    }
  }

  /// Reads files block by block, in any order of keys, with memory for only a few blocks.
  package static func forEachBlock(
    of paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ badLines: inout BadLines,
    _ body: (LineBlock, BlockReader.Report) -> Void
  ) throws {
    _ = try forEachBlock(of: paths, shape, settings, &badLines) { _, _, _ in
    } take: { _, block, report in
      body(block, report)
    }
  }

  /// As above, with keys; `make` runs on several threads, and `take` receives its results in order.
  ///
  /// Returns the number of skipped checkpoints.
  package static func forEachBlock<Made: Sendable>(
    of paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ badLines: inout BadLines,
    _ make: @escaping @Sendable (LineBlock, BlockReader.Report, inout BlockKeys) -> Made,
    take: (Made, LineBlock, BlockReader.Report) throws -> Void
  ) throws -> Int {
    var intake = Intake(paths, needsTermination: false)
    var progress = InputProgress(paths, badLines)
    let reading = try BlockReading(paths, shape, settings, MemoryPlan(settings))
    do {
      try reading.run(scratch: { BlockKeys(shape) }) { read, keys in
        make(read.block, read.report, &keys)
      } take: { read, made in
        progress.add(read)
        try intake.add(read, &badLines)
        _ = intake.takeBlocks()
        try take(made, read.block, read.report)
      }
    } catch let error as LongLine {
      throw intake.diagnostic(error)
    }
    return intake.checkpoints.reduce(0, +)
  }
}

/// The progress of reading all files.
private struct InputProgress: ~Copyable {
  private var progress: Progress
  private var done = 0

  init(_ paths: [String], _ badLines: borrowing BadLines) {
    progress = badLines.progress("read", total: Self.size(of: paths))
  }

  /// The size of all files; 0 if one of them is empty, or is not a file.
  private static func size(of paths: [String]) -> Int {
    let sizes = paths.map { $0 == "-" ? 0 : FileMode.size(of: $0) }
    return sizes.contains(0) ? 0 : sizes.reduce(0, +)
  }

  mutating func add(_ read: ReadBlock) {
    done += read.block.range.count
    progress.update(done)
  }
}
