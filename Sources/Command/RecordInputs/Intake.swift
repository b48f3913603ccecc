import CommandLine
package import JSONLines
package import SyncCore

/// Receives each unusable line, and returns whether the line was handled.
package typealias Aside = (Span<UInt8>, BlockReader.Reason) -> Bool

/// Receives blocks in order; counts lines, reports unusable ones, and collects the forms of keys.
struct Intake {
  private let paths: [String]
  /// Whether a last line without a line feed is an error.
  private let needsTermination: Bool
  private(set) var lines = 0
  private(set) var forms = KeyForms()
  /// A block, and the place of its forms among all forms.
  struct Block: Sendable {
    var block: LineBlock
    var forms: [Int]
  }

  /// The size of the blocks in bytes: in the process's own memory, and in pages of mapped files.
  struct Sizes: Sendable {
    var own = 0
    var mapped = 0
  }

  private var blocks: [Block] = []
  /// The number of the first block.
  private(set) var firstBlock = 0
  private(set) var sizes = Sizes()
  /// The progress in one source; the blocks of tagged lines alternate between two sources.
  private struct Source {
    var lines = 0
    var size = 0
    var leftOut = 0
    var checkpoints = 0
  }

  private var sources: [Source]
  /// The line of the last checkpoint.
  private(set) var lastCheckpoint: [UInt8]?
  private let aside: Aside?
  /// For each source without a clock so far, its first usable line, if that line is short.
  private(set) var unclocked: [Int: [UInt8]] = [:]
  private var clocked: Set<Int> = []
  private static let longestKept = 64 << 10

  init(_ paths: [String], needsTermination: Bool, aside: Aside? = nil) {
    (self.paths, self.needsTermination, self.aside) = (paths, needsTermination, aside)
    sources = Array(repeating: Source(), count: paths.count)
  }

  mutating func add(_ read: ReadBlock, _ badLines: inout BadLines) throws {
    var (block, report) = (read.block, read.report)
    let source = Int(block.source)
    block.firstLine = sources[source].lines
    sources[source].lines += report.lines
    for unusable in report.unusable { try leaveOut(unusable, of: block, &badLines) }
    sources[source].size += block.range.count
    sizes.own += block.entries.count * MemoryLayout<LineEntry>.stride
    if read.isMapped { sizes.mapped += block.range.count } else { sizes.own += block.range.count }
    if needsTermination, !report.isTerminated {
      throw Diagnostic.unterminated(paths[source], size: sources[source].size)
    }
    sources[source].leftOut += report.unusable.count
    lines += report.entries + report.unusable.count
    lookForClock(block)
    sources[source].checkpoints += report.checkpoints
    if let offset = report.lastCheckpoint {
      lastCheckpoint = []
      lastCheckpoint?.append(block.line(at: offset))
    }
    let formsBefore = forms.size
    blocks.append(Block(block: block, forms: forms.add(report.forms)))
    // Counted twice, because the tables that sort keys are made from the forms.
    sizes.own += (forms.size - formsBefore) * 2
  }

  private mutating func lookForClock(_ block: LineBlock) {
    let source = Int(block.source)
    guard let first = block.entries.first, !clocked.contains(source) else { return }
    let line = block.line(at: Int(first.offset))
    if block.entries.contains(where: { $0.clock != 0 }) {
      clocked.insert(source)
      unclocked[source] = nil
    } else if unclocked[source] == nil, line.count <= Self.longestKept {
      unclocked[source] = []
      unclocked[source]?.append(line)
    }
  }

  var isEmpty: Bool { blocks.isEmpty }
  /// The number of lines of each source that were left out.
  var leftOut: [Int] { sources.map(\.leftOut) }
  /// The number of checkpoints of each source.
  var checkpoints: [Int] { sources.map(\.checkpoints) }

  /// Returns the blocks received so far; the next block starts a new group.
  mutating func takeBlocks() -> [Block] {
    defer {
      firstBlock += blocks.count
      blocks = []
      sizes = Sizes()
      forms = KeyForms()
    }
    return blocks
  }

  /// The error with the place of the line, which follows all blocks received so far.
  func diagnostic(_ error: LongLine) -> Diagnostic {
    .longLine(in: paths[error.source], line: sources[error.source].lines + error.lines + 1)
  }

  private func leaveOut(
    _ unusable: BlockReader.Unusable, of block: LineBlock, _ badLines: inout BadLines
  ) throws {
    let (file, line) = (paths[Int(block.source)], block.firstLine + unusable.line + 1)
    let text = block.line(at: unusable.offset)
    if let aside, aside(text, unusable.reason) { return }
    let matter = Diagnostic(unusable.reason, file: file, line: line)
    if case .clockAhead = unusable.reason {
      try badLines.passOver(text, because: matter)
    } else {
      try badLines.leaveOut(text, because: matter)
    }
  }
}

extension Diagnostic {
  package static func unterminated(_ file: String, size: Int) -> Diagnostic {
    Diagnostic(
      .unterminatedLine, "the last line has no line feed", file: file, offset: size,
      hint: "if the file is complete, end it with a line feed")
  }
}
