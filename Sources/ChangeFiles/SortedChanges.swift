package import CommandLineTool
import Synchronization
package import SyncCore
import SystemIO

/// How files of changes are to be read.
package struct ReadingSettings: Sendable {
  package var threads = Worker.processors
  package var maps = true
  package init() {}
}

/// The lines of any number of files, in key order.
package struct SortedChanges: Sendable {
  package private(set) var lines = 0
  package private(set) var checkpoints = 0
  private let table: LineTable
  private let plan: RangePlan
  private let shape: RecordShape
  private let threads: Int

  /// Reads all files; what is no change goes to `badLines`.
  package init(
    reading paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, drift: DriftGuard? = nil,
    _ badLines: inout BadLines
  ) throws {
    (self.shape, threads) = (shape, settings.threads)
    var intake = Intake(paths)
    let source = BlockSource(paths, maps: settings.maps)
    let reading = OrderedWork(
      threads: threads, next: { try source.next() }, scratch: { BlockReader(shape, drift: drift) }
    ) { job, reader in
      var block = job.block
      let report = reader.read(&block, number: job.number)
      return ReadBlock(block: block, report: report)
    }
    try reading.run { block in try intake.take(block, &badLines) }
    lines = intake.lines
    checkpoints = intake.checkpoints
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

  /// Visits the lines of each key, in key order; what the visits of one range have made is taken by the caller's
  /// thread, range by range.
  package func forEachKey<Piece: Sendable>(
    _ empty: Piece, _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    let ranges = Pile(Array(0..<plan.count))
    let (table, plan, shape) = (table, plan, shape)
    let walking = OrderedWork(
      threads: threads, next: { ranges.next() }, scratch: { KeyWalk(shape) }
    ) { range, walk in
      var piece = empty
      try walk.forEachKey(of: range, in: plan, table) { lines, reader in try visit(lines, &reader, &piece) }
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
