import CommandLineTool
import SyncCore
import SystemIO

/// Reads files block by block on several threads.
struct BlockReading {
  private let work: OrderedWork<(number: Int, block: LineBlock), ReadBlock, BlockReader>

  init(
    _ paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ memory: MemoryPlan,
    _ drift: DriftGuard?
  ) {
    let source = BlockSource(paths, size: memory.block, maps: settings.maps && memory.holds(paths))
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
  func run(_ take: (ReadBlock) throws -> Void) throws { try work.run(take) }
}

struct ReadBlock: Sendable {
  var block: LineBlock
  var report: BlockReader.Report
}
