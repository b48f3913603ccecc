import Links
package import JSONLines
package import CommandLine
import Pairing
import SyncCore
import SystemIO

/// Notes about connections that came to nothing: some of each kind in a minute, and how many more there were.
package final class RefusalNotes {
  private let console: Console
  private var limit = RepetitionLimit()

  package init(on console: Console) { self.console = console }

  package func note(_ diagnostic: Diagnostic) {
    guard limit.allows(diagnostic.code.rawValue, at: SystemClock.monotonic()) else { return }
    tellHeld()
    console.note(diagnostic.text)
  }

  /// For the end of a run as well.
  package func tellHeld() {
    for (kind, count) in limit.takeHeld() { console.note("\(count) more of the kind: \(kind)") }
  }
}
