package import CommandLine
package import JSONLines
package import SyncCore
import SystemIO

/// Notes of the tools that read changes.
extension Console {
  package func note(passedOver checkpoints: Int) {
    if checkpoints > 0 { note("checkpoint lines skipped: \(checkpoints)") }
  }

  /// Reports that a name does not exist, or is ambiguous.
  package func note(_ count: Int, of noun: String, named name: String, hint: String? = nil) {
    note("\(count == 0 ? "unknown" : "ambiguous") \(noun) '\(name)'", hint: hint)
  }

  /// Reports deletions that were left out because bad lines may explain them.
  package func report(withheldDeletions count: Int, in file: String) {
    let message = "deletions left out: \(count); the bad lines may contain the missing records"
    if count > 0 { report(Diagnostic(.partialRun, message, file: file)) }
  }

  /// Reports the members that look like a clock in files without a clock.
  package func note(_ likelyClocks: [(file: String, clock: JSONPointer)]) {
    for (file, clock) in likelyClocks {
      let option = "--clock \(ShellWord.posix(clock.text))"
      note("\(file): the lines do not have a clock; '\(clock.text)' looks like a clock: \(option)")
    }
  }

  /// Reports that a store without rules now uses the rules of a peer.
  package func noteAdoptedRules(of peer: String) {
    note("the store now uses the rules of \(peer); 'synclog rules show' prints them")
  }

  /// Reports records that the other side lacks, if this store is older than a compaction of the other side.
  ///
  /// `peer` names the other side, if that is not obvious.
  package func note(keptAfterRestore count: Int, of peer: String? = nil) {
    guard count > 0 else { return }
    note(
      "\(peer.map { "\($0): " } ?? "")this store was restored from a backup older than deletions that the other "
        + "side has compacted away; records that the other side lacks are kept, and sent to it: \(count)")
  }

  /// Reports the keys of append-only entities that have several different records.
  ///
  /// `peer` names their origin, if that is not obvious.
  package func note(_ conflicts: Conflicts, of peer: String? = nil) {
    let reason = "another record has this key, although the entity is append-only"
    let place = peer.map { "\($0): " } ?? ""
    for key in conflicts.keys {
      // A key may be long enough to fill a screen.
      let name = String(decoding: key.prefix(200), as: UTF8.self) + (key.count > 200 ? "…" : "")
      note("\(place)\(name): \(reason)")
    }
    let rest = conflicts.count - conflicts.keys.count
    if rest > 0 { note("\(place)more such keys: \(rest)") }
  }
}
