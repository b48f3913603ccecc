package import CommandLine
import CommonInputs
import JSONLines
import SyncCore
import SystemIO

/// Settings of a command that removes tombstones that all peers have.
package protocol CompactConfigurable: StoreConfigurable {
  var retireAfter: Duration { get set }
}

extension CompactConfigurable {
  package static var defaultRetirement: Duration { .seconds(90 * 86_400) }
}

extension Option where Settings: CompactConfigurable {
  package static var retireAfter: Option {
    .value("retire-after", "Do not wait for peers that were silent for longer than this (default: 90d).") {
      $0.retireAfter = $1
    }
  }
}

extension Console {
  /// Writes the number of removed deletions, and notes those with clocks further ahead than allowed.
  package func write(removed count: Int, ahead: [[UInt8]]) throws {
    try Descriptor.standardOutput.write(line: ["removed": .integer(count)])
    guard let key = ahead.first else { return }
    note(
      "deletions with clocks too far ahead: \(ahead.count), the first of \(Key.shown(key.span)); "
        + "if a record is written again under such a key, a peer that still has the deletion may delete that record"
    )
  }
}
