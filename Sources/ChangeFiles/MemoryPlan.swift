import CommandLineTool
import SystemIO

/// What may be in memory at a time.
struct MemoryPlan: Sendable {
  private let total: Int

  init(_ settings: ReadingSettings) { total = max(1 << 20, settings.memory?.bytes ?? MemoryLimit.available / 2) }

  /// Whether the files may lie in memory as a whole.
  func holds(_ paths: [String]) -> Bool {
    // Beside the text there are its entries, of 32 bytes each.
    paths.reduce(0) { $0 + FileMode.size(of: $1) } < total / 4 * 3
  }

  /// How much is read at a time.
  var block: Int { min(max(total / 64, 64 << 10), 4 << 20) }
  /// How much text a thread makes before it is written.
  var piece: Int { block / 2 }
  /// How much text and how many entries, in bytes, are sorted together.
  var run: Int { total / 2 }
  /// How many runs are merged at a time, and how much of each is in memory.
  var fanIn: Int { max(8, total / 4 / window) }
  var window: Int { min(max(total / 256, 32 << 10), 1 << 20) }
}
