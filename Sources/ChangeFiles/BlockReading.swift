import CommandLineTool
import SyncCore
import SystemIO

/// Reads files block by block on several threads.
struct BlockReading {
  let source: BlockSource
  private let work: OrderedWork<(number: Int, block: LineBlock), ReadBlock, BlockReader>

  init(
    _ paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ memory: MemoryPlan,
    _ drift: DriftGuard?
  ) {
    let source = BlockSource(paths, size: memory.block, maps: settings.maps && memory.holds(paths))
    self.source = source
    work = OrderedWork(
      threads: settings.threads.value, next: { try source.next() },
      scratch: { BlockReader(shape, drift: drift) }
    ) { job, reader in
      var block = job.block
      let report = reader.read(&block, number: job.number)
      return ReadBlock(block: block, report: report)
    }
  }

  /// Hands over the blocks in the order of the files.
  func run(_ take: (ReadBlock) throws -> Void) throws {
    try work.run { read in
      // A file that is cut off while it is read has bad lines at its end that nobody wrote.
      if !read.report.unusable.isEmpty || !read.report.isTerminated { try source.check() }
      try take(read)
    }
    if ShrinkGuard.hasFoundGap { try source.check() }
  }
}

struct ReadBlock: Sendable {
  var block: LineBlock
  var report: BlockReader.Report
}
