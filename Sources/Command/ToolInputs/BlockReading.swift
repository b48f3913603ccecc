import CommandLine
import SyncCore
import SystemIO

/// Reads files block by block, on several threads where there is more than one block.
struct BlockReading {
  let source: BlockSource
  private let shape: RecordShape
  private let drift: DriftGuard?
  private let use: LineUse
  private let threads: Int

  init(
    _ paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ memory: MemoryPlan,
    _ drift: DriftGuard? = nil, use: LineUse = .filter
  ) {
    source = BlockSource(paths, size: memory.block, maps: settings.maps && memory.holds(paths))
    (self.shape, self.drift, threads) = (shape, drift, settings.workers)
    self.use = use
  }

  /// Hands over the blocks in the order of the files.
  func run(_ take: (ReadBlock) throws -> Void) throws {
    if let only = source.fewBlocks() {
      guard let job = only else { return }
      var reader = BlockReader(shape, drift: drift, use: use)
      try check(ReadBlock(job, &reader), take)
    } else {
      let (source, shape, drift, use) = (source, shape, drift, use)
      let work = OrderedWork(
        threads: threads, next: { try source.next() },
        scratch: { BlockReader(shape, drift: drift, use: use) }
      ) { job, reader in
        ReadBlock(job, &reader)
      }
      try work.run { try check($0, take) }
    }
    try source.check()
  }

  /// A file that is cut off while it is read has bad lines at its end that nobody wrote.
  private func check(_ read: ReadBlock, _ take: (ReadBlock) throws -> Void) throws {
    if !read.report.unusable.isEmpty || !read.report.isTerminated { try source.check() }
    try take(read)
  }
}

struct ReadBlock: Sendable {
  var block: LineBlock
  let isMapped: Bool
  let report: BlockReader.Report

  init(_ job: BlockSource.Job, _ reader: inout BlockReader) {
    (block, isMapped) = (job.block, job.isMapped)
    report = reader.read(&block, number: job.number)
  }
}
