package import CommandLineTool
import Synchronization
package import SyncCore
import SystemIO

/// The lines of any number of files, in key order.
package struct SortedChanges: Sendable {
  package private(set) var lines = 0
  package private(set) var checkpoints = 0
  /// How many lines of each source were left out.
  package private(set) var leftOut: [Int]
  private let table: LineTable
  private let plan: RangePlan
  private let shape: RecordShape
  private let threads: Int

  /// Reads all files; what is no change goes to `badLines`.
  package init(
    reading paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, drift: DriftGuard? = nil,
    needsTermination: Bool = false, _ badLines: inout BadLines
  ) throws {
    (self.shape, threads) = (shape, settings.threads.value)
    var intake = Intake(paths, needsTermination: needsTermination)
    let reading = Self.reading(paths, shape, settings, drift)
    try reading.run { block in try intake.take(block, &badLines) }
    lines = intake.lines
    checkpoints = intake.checkpoints
    leftOut = intake.leftOut
    let words = KeyWords(intake.forms)
    let pile = Pile(intake.blocks)
    intake.blocks = []
    var blocks: [LineBlock] = []
    let sorting = OrderedWork(
      threads: threads, next: { pile.next() }, scratch: { BlockSorter(words, shape) }
    ) { job, sorter in
      var block = job.block
      sorter.sort(&block, job.forms)
      return block
    }
    try sorting.run { blocks.append($0) }
    table = LineTable(blocks)
    plan = RangePlan(blocks)
  }

  /// Reads files block by block, in no order of keys: what can be counted needs no more memory than a few blocks.
  package static func forEachBlock(
    of paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ badLines: inout BadLines,
    _ body: (LineBlock, BlockReader.Report) -> Void
  ) throws {
    var intake = Intake(paths, needsTermination: false)
    try reading(paths, shape, settings, nil).run { read in
      try intake.take(read, &badLines)
      intake.blocks = []
      body(read.block, read.report)
    }
  }

  private static func reading(
    _ paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ drift: DriftGuard?
  ) -> OrderedWork<(number: Int, block: LineBlock), ReadBlock, BlockReader> {
    let source = BlockSource(paths, maps: settings.maps)
    return OrderedWork(
      threads: settings.threads.value, next: { try source.next() },
      scratch: { BlockReader(shape, drift: drift) }
    ) { job, reader in
      var block = job.block
      let report = reader.read(&block, number: job.number)
      return ReadBlock(block: block, report: report)
    }
  }

  /// Visits the lines of each key, of one source or of all, in the order of keys.
  ///
  /// Keys are visited range by range on several threads; what the visits of a range have made of `empty` is handed
  /// to `take` on the caller's thread, in the order of the ranges.
  package func forEachKey<Piece: Sendable>(
    source: Int? = nil, _ empty: Piece,
    _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    let ranges = Pile(Array(0..<plan.count))
    let (table, plan, shape) = (table, plan, shape)
    let walking = OrderedWork(
      threads: threads, next: { ranges.next() }, scratch: { KeyWalk(shape) }
    ) { range, walk in
      var piece = empty
      try walk.forEachKey(of: range, source: source, in: plan, table) { lines, reader in
        try visit(lines, &reader, &piece)
      }
      return piece
    }
    try walking.run(take)
  }
}

struct ReadBlock: Sendable {
  var block: LineBlock
  var report: BlockReader.Report
}

/// Things that threads take one by one.
final class Pile<Element: Sendable>: Sendable {
  private let elements: Mutex<[Element]>
  init(_ elements: [Element]) { self.elements = Mutex(elements.reversed()) }
  func next() -> Element? { elements.withLock { $0.popLast() } }
}
