import CommandLine
import JSONLines
import SyncCore
import Synchronization
import SystemIO

/// Reads files block by block, on several threads if there are several blocks.
struct BlockReading {
  let source: BlockSource
  private let shape: RecordShape
  private let drift: DriftGuard?
  private let use: LineUse
  private let threads: ThreadCount

  /// Throws if there are more files than possible numbers of sources.
  init(
    _ paths: [String], _ shape: RecordShape, _ settings: ReadingSettings, _ memory: MemoryPlan,
    _ drift: DriftGuard? = nil, use: LineUse = .filter, isTagged: Bool = false
  ) throws(UsageError) {
    guard paths.count <= Int(UInt16.max) + 1 else {
      throw .conflict("more than 65,536 files; merge them in parts")
    }
    source = BlockSource(
      paths, size: memory.block, maps: settings.maps && memory.holds(paths), isTagged: isTagged)
    (self.shape, self.drift, threads) = (shape, drift, settings.threads)
    self.use = use
  }

  /// Passes the blocks to `take` in the order of the files.
  func run(_ take: (ReadBlock) throws -> Void) throws {
    try run(scratch: {}) { _, _ in
    } take: { block, _ in
      try take(block)
    }
  }

  /// As above, with the result of `make` for each block; each thread has its own `scratch`.
  func run<Scratch, Made: Sendable>(
    scratch: @escaping @Sendable () -> Scratch,
    _ make: @escaping @Sendable (ReadBlock, inout Scratch) -> Made, take: (ReadBlock, Made) throws -> Void
  ) throws {
    if let only = source.fewBlocks() {
      guard let job = only else { return }
      var (reader, scratch) = (BlockReader(shape, drift: drift, use: use), scratch())
      let block = ReadBlock(job, &reader)
      try check(block, made: make(block, &scratch), take)
    } else {
      let (source, shape, drift, use) = (source, shape, drift, use)
      let work = OrderedWork(
        threads: threads.value, next: { try source.next() },
        scratch: { (reader: BlockReader(shape, drift: drift, use: use), scratch: scratch()) }
      ) { job, own in
        let block = ReadBlock(job, &own.reader)
        return (block: block, made: make(block, &own.scratch))
      }
      try work.run { try check($0.block, made: $0.made, take) }
    }
    try source.check()
  }

  /// Checks the file before reporting bad lines, as a truncated file has wrong lines at its end.
  ///
  /// A mapped file is also checked if it was read a second time for `made`.
  private func check<Made>(_ read: ReadBlock, made: Made, _ take: (ReadBlock, Made) throws -> Void) throws {
    let isReadAgain = read.isMapped && Made.self != Void.self
    if isReadAgain || !read.report.unusable.isEmpty || !read.report.isTerminated { try source.check() }
    try take(read, made)
  }
}

struct ReadBlock: Sendable {
  var block: LineBlock
  let isMapped: Bool
  let report: BlockReader.Report

  init(_ job: BlockSource.Job, _ reader: inout BlockReader) {
    (block, isMapped) = (job.block, job.isMapped)
    report = reader.read(&block, number: job.number, copy: isMapped ? Self.copy(block) : nil)
  }

  /// A copy of the text of a mapped file.
  ///
  /// A reader reads a byte more than once, and each time the byte must have the same value.
  private static func copy(_ block: LineBlock) -> TextRegion? {
    // The size is rounded, so that the next block usually fits into the memory of this one.
    let size = (block.range.count >> 20 + 1) << 20
    return (try? TextBuffer(capacity: size, startingWith: block.text))?.region()
  }
}

/// Cuts files into blocks of complete lines, one after the other; several threads may use it.
package final class BlockSource: Sendable {
  /// The place of the next block.
  private struct State: ~Copyable {
    var input: InputBlocks?
    var tagged: TaggedBlocks?
    var source = 0
    var blocks = 0
    var mapped: [MappedFile] = []
    /// Blocks that were read to find out whether there are several.
    var ahead: [Job] = []
    /// The error that ended reading, which is thrown after the earlier blocks.
    var failure: (any Error)?
  }

  /// The maximum number of mapped files: `check` takes time for each of them at each block.
  private static let mostMapped = 1_024

  private let paths: [String]
  private let size: Int
  private let maps: Bool
  private let isTagged: Bool
  private let state = Mutex(State())

  /// Reads files in blocks; maps those that can be mapped, unless `maps` is false.
  ///
  /// A block has about `size` bytes. With `isTagged`, both paths are the same file, which is read as two
  /// files.
  package init(_ paths: [String], size: Int, maps: Bool, isTagged: Bool = false) {
    (self.paths, self.size, self.maps, self.isTagged) = (paths, size, maps, isTagged)
  }

  /// A block and its number.
  struct Job: Sendable {
    var number: Int
    var block: LineBlock
    /// Whether the text is mapped pages of a file, which the system frees if memory is short.
    var isMapped: Bool
  }

  /// The next block; nil at the end.
  func next() throws -> Job? {
    try state.withLock { state in
      if !state.ahead.isEmpty { return state.ahead.removeFirst() }
      if let failure = state.failure { throw failure }
      return try read(&state)
    }
  }

  /// The only block; an inner nil for an empty input, and an outer nil for two or more blocks.
  ///
  /// Call it before `next`.
  func fewBlocks() -> Job?? {
    state.withLock { state in
      do {
        while state.ahead.count < 2, let job = try read(&state) { state.ahead.append(job) }
      } catch {
        state.failure = error
        return nil
      }
      return state.ahead.count < 2 ? .some(state.ahead.popLast()) : nil
    }
  }

  private func read(_ state: inout State) throws -> Job? {
    if isTagged { return try readTagged(&state) }
    while state.source < paths.count {
      if state.input == nil {
        let mapsMore = maps && state.mapped.count < Self.mostMapped
        state.input = try InputBlocks(paths[state.source], size: size, maps: mapsMore)
        if let file = state.input?.mappedFile { state.mapped.append(file) }
      }
      if let (region, range) = try nextLines(&state) {
        defer { state.blocks += 1 }
        let block = LineBlock(region, range, source: UInt16(state.source))
        return Job(number: state.blocks, block: block, isMapped: state.input?.mappedFile != nil)
      }
      state.input = nil
      state.source += 1
    }
    return nil
  }

  private func readTagged(_ state: inout State) throws -> Job? {
    if state.tagged == nil { state.tagged = try TaggedBlocks(paths[0], size: size) }
    guard let (text, source) = try state.tagged?.next() else { return nil }
    defer { state.blocks += 1 }
    let block = LineBlock(text, 0..<text.count, source: source)
    return Job(number: state.blocks, block: block, isMapped: false)
  }

  private func nextLines(_ state: inout State) throws -> (TextRegion, Range<Int>)? {
    do {
      return try state.input?.next()
    } catch var error as LongLine {
      error.source = state.source
      throw error
    }
  }

  /// Throws if a mapped file was replaced.
  ///
  /// Throws if a file changed while it was read. A file that became shorter may have returned zeros, and a
  /// changed file a mix of old and new lines.
  package func check() throws {
    let files = state.withLock { $0.mapped }
    guard let file = files.first(where: { !$0.isWhole || !$0.isUnchanged }) else { return }
    throw Diagnostic(
      .readFailed,
      file.isWhole
        ? "the file was changed while it was read" : "the file became shorter while it was read",
      file: file.name, hint: "let its writer finish first, or use --no-mmap to read it anyway")
  }
}
