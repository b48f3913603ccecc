import CommandLine
import SyncCore
import Synchronization
import SystemIO

/// Sorted blocks of lines in memory; the keys of a range of words can be visited independently.
struct SortedBlocks: Sendable {
  private let table: LineTable
  private let plan: RangePlan
  private let words: KeyWords
  private let shape: RecordShape
  private let threads: ThreadCount
  /// The approximate limit of text in a range, in bytes.
  private let piece: Int

  /// Sorts the blocks from `intake`.
  init(_ intake: inout Intake, _ shape: RecordShape, threads: ThreadCount, piece: Int) throws {
    (self.shape, self.threads, self.piece) = (shape, threads, piece)
    let words = KeyWords(intake.forms)
    self.words = words
    let first = intake.firstBlock
    let blocks = try Self.sorted(intake.takeBlocks(), words, shape, threads)
    table = LineTable(blocks, first: first)
    plan = RangePlan(blocks, bytes: piece)
  }

  /// Uses threads only for several blocks, as starting them takes longer than sorting one block.
  private static func sorted(
    _ blocks: consuming [Intake.Block], _ words: KeyWords, _ shape: RecordShape, _ threads: ThreadCount
  ) throws -> [LineBlock] {
    if blocks.isEmpty { return [] }
    if blocks.count == 1 {
      var sorter = BlockSorter(words, shape)
      var block = blocks[0].block
      sorter.sort(&block, blocks[0].forms)
      return [block]
    }
    var sorted: [LineBlock] = []
    // Only the pile may keep the blocks, so that each block is freed after sorting.
    let pile = Pile(blocks)
    blocks = []
    let sorting = OrderedWork(
      threads: threads.value, next: { pile.next() }, scratch: { BlockSorter(words, shape) }
    ) { job, sorter in
      var block = job.block
      sorter.sort(&block, job.forms)
      return block
    }
    try sorting.run { sorted.append($0) }
    return sorted
  }

  func forEachKey<Piece: Sendable>(
    _ empty: Piece,
    _ visit: @escaping @Sendable (KeyLines, inout ChangeReader, inout Piece) throws -> Void,
    take: (Piece) throws -> Void
  ) throws {
    if plan.count == 1 {
      var walk = KeyWalk(shape)
      var piece = empty
      try walk.forEachKey(of: 0, in: plan, table) { try visit($0, &$1, &piece) }
      return try take(piece)
    }
    let ranges = Pile(Array(0..<plan.count))
    let (table, plan, shape) = (table, plan, shape)
    let walking = OrderedWork(
      threads: threads.value, next: { ranges.next() }, scratch: { KeyWalk(shape) }
    ) { range, walk in
      var piece = empty
      try walk.forEachKey(of: range, in: plan, table) { lines, reader in
        try visit(lines, &reader, &piece)
      }
      return piece
    }
    try walking.run(take)
  }

  /// Writes all lines as a run; if a key has very many lines, it writes only those that `condensing` selects.
  func spill(condensing: RunText.Condensing?) throws -> SortedRun {
    var run = try SortedRun()
    let words = words
    try forEachKey(RunText(size: piece * 3 / 2, condensing: condensing)) { lines, reader, piece in
      piece.append(lines, words, &reader)
    } take: { piece in
      try run.append(piece)
    }
    return run
  }
}

/// Items that threads remove one by one.
package final class Pile<Element: Sendable>: Sendable {
  private let elements: Mutex<[Element]>

  package init(_ elements: [Element]) { self.elements = Mutex(elements.reversed()) }

  /// The next item in order; nil at the end.
  package func next() -> Element? { elements.withLock { $0.popLast() } }
}
