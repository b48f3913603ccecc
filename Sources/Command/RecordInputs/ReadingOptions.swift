package import CommandLine
import SystemIO

/// How files of changes are read; this affects the speed but not the result.
package struct ReadingSettings: Sendable {
  package var threads = ThreadCount.standard
  package var memory: ByteSize?
  package var maps = true

  package init() {}
}

/// Settings of a tool that reads changes in key order.
package protocol ReadingConfigurable: Sendable {
  var reading: ReadingSettings { get set }
}

extension Option where Settings: ReadingConfigurable {
  package static var reading: [Option] {
    [
      .value(
        "memory",
        "Use temporary files beyond this much memory, a size such as 256M (default: half of the free "
          + "memory). In addition, each thread may need up to 26 times the longest record."
      ) { $0.reading.memory = $1 },
      .value("threads", "Use N threads, at most 64 (default: one per processor).") {
        $0.reading.threads = $1
      },
      .flag("no-mmap", "Read files piece by piece instead of mapping them into memory.") {
        $0.reading.maps = false
      },
    ]
  }
}

/// The limits of memory use.
///
/// Free memory is measured only when it matters, because reading most inputs takes less time than measuring
/// it.
struct MemoryPlan: Sendable {
  /// This much memory is assumed to be available without measuring it.
  private static let small = 64 << 20
  private static let half = MemoryLimit.available / 2
  private let wanted: Int?
  private let threads: ThreadCount

  init(_ settings: ReadingSettings) {
    wanted = settings.memory.map { max(1 << 20, $0.bytes) }
    threads = settings.threads
  }

  /// Whether the files fit into memory completely, with a third added for entries of 32 bytes a line.
  func holds(_ paths: [String]) -> Bool { holds(paths.reduce(0) { $0 + FileMode.size(of: $1) } / 3 * 4) }

  /// Whether text of these sizes may be sorted together, with its entries; the rest of memory is for other
  /// work.
  func holdsRun(of sizes: Intake.Sizes) -> Bool { holds(sizes.own / 2 * 5 + sizes.mapped) }

  private func holds(_ bytes: Int) -> Bool { bytes <= wanted ?? Self.small || bytes <= total }

  private var total: Int { wanted ?? max(Self.half, Self.small) }

  /// The number of bytes to read at a time; each thread works on a few blocks.
  var block: Int { wanted.map { min(max($0 / (32 * threads.value), 64 << 10), 4 << 20) } ?? 4 << 20 }
  /// The number of bytes that a thread produces before they are written.
  var piece: Int { block / 2 }
  /// The number of runs to merge at a time.
  ///
  /// Each thread visits a set of windows, and one more set may be read meanwhile. Windows grow for long
  /// records; `longest` is the length of the longest record.
  func fanIn(longest: Int) -> Int {
    min(max(8, windows / (64 << 10)), max(2, total / (Self.copies * max(longest, 1))))
  }
  /// Whether the longest records of all runs fit into memory together.
  func holdsOneOfEach(_ lengths: [Int]) -> Bool { holds(lengths.reduce(0, +) * Self.copies) }
  /// The copies of a long record: the window grown by doubling, the previous window, and the record.
  private static let copies = 4
  func window(of runs: Int) -> Int { max(16 << 10, windows / max(runs, 1)) }
  private var windows: Int { min(total / (16 * threads.value), 8 << 20) }
}
