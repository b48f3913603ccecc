import Synchronization
import SystemIO

/// A line on the terminal that says how far a long run is; nothing elsewhere, and nothing in the first second.
package struct Progress: ~Copyable {
  private let console: Console
  private let label: String
  private let total: Int
  private let start = SystemClock.monotonic()
  private var next = Duration.seconds(1)

  /// `total` in bytes, 0 where it is not known.
  package init(_ label: String, total: Int = 0, on console: Console) {
    self.console = console
    self.label = label
    self.total = total
  }

  /// Call as often as once a window: it looks at the clock and writes at most five times a second.
  package mutating func update(_ done: Int) {
    guard console.canRewrite, console.format == .text, !console.quiet else { return }
    let elapsed = SystemClock.monotonic() - start
    guard elapsed >= next else { return }
    next = elapsed + .milliseconds(200)
    console.write("\(console.blankLine)\(console.tool): \(label): \(Self.amount(done, of: total))")
    Console.hasProgress.store(true, ordering: .relaxed)
  }

  /// Call before something else is written: on a terminal it would stand behind the progress.
  package func clear() {
    let blank = console.blankLine
    if !blank.isEmpty { console.write(blank) }
  }

  deinit { clear() }

  static func amount(_ done: Int, of total: Int) -> String {
    let size = "\(done >> 20) MiB"
    return total > 0 ? "\(size) of \(total >> 20) MiB (\(min(100, done * 100 / total)) %)" : size
  }
}
