import JSONLines
import Synchronization
import SystemIO

/// A line on the terminal with the progress of a run, after the first second.
package struct Progress: ~Copyable {
  private let console: Console
  private let label: String
  /// The unit of the count, if it does not count bytes.
  package var unit: String?
  package var total: Int
  private let start = SystemClock.monotonic()
  private var next = Duration.seconds(1)
  private let isShown: Bool

  /// `total` is 0 if it is not known; it is evaluated only on a terminal.
  package init(_ label: String, total: @autoclosure () -> Int = 0, on console: Console) {
    self.console = console
    self.label = label
    isShown = console.canRewrite && console.format == .text && !console.quiet
    self.total = isShown ? total() : 0
  }

  /// Shows the progress; call it as often as you like, because it writes at most five times a second.
  package mutating func update(_ done: Int) {
    guard isShown else { return }
    let elapsed = SystemClock.monotonic() - start
    guard elapsed >= next else { return }
    next = elapsed + .milliseconds(200)
    let text = "\(console.tool): \(label): \(Self.amount(done, of: total, after: elapsed, unit))"
    console.write(console.blankLine + TextCells.fitting(text, into: Console.lineWidth))
    Console.hasProgress.store(true, ordering: .relaxed)
  }

  /// Erases the line of progress; call it before other output, so that this output starts on its own line.
  package func clear() {
    let blank = console.blankLine
    if !blank.isEmpty { console.write(blank) }
  }

  deinit { clear() }

  /// `5.0 MiB of 10.0 MiB (50 %), 2.5 MiB/s, 2 s left`, or `500 of 1000 changes (50 %), 250/s, 2 s left`.
  static func amount(
    _ done: Int, of total: Int, after elapsed: Duration, _ unit: String? = nil
  ) -> String {
    func size(_ count: Int) -> String { unit == nil ? Self.size(count) : "\(count)" }
    let name = unit.map { " \($0)" } ?? ""
    let seconds = max(Double(elapsed.wholeMilliseconds) / 1_000, 0.001)
    let rate = "\(size(Int(Double(done) / seconds)))/s"
    guard total > 0 else { return "\(size(done))\(name), \(rate)" }
    let share = min(100, Int(Double(done) * 100 / Double(total)))
    let text = "\(size(done)) of \(size(total))\(name) (\(share) %), \(rate)"
    guard done > 0, done < total else { return text }
    return text + ", \(time(Int(Double(total - done) * seconds / Double(done)) + 1)) left"
  }

  private static func size(_ bytes: Int) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var (amount, unit) = (Double(bytes), 0)
    while amount >= 1_000, unit < units.count - 1 { (amount, unit) = (amount / 1_024, unit + 1) }
    guard unit > 0 else { return "\(bytes) B" }
    let tenths = Int(amount * 10)
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  private static func time(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : seconds < 6_000 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
  }
}
