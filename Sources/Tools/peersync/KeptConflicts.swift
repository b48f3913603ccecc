import CommandLine
import CommonInputs
import JSONLines
import RecordInputs
import Sessions
import Store
import SystemIO

/// The replaced versions of records that a store has kept since the last call.
struct KeptConflicts {
  private let store: OpenStore
  private var known: (count: Int, last: Int64)

  init(_ store: OpenStore) throws {
    self.store = store
    known = try store.current().conflictCount()
  }

  /// Returns the number of new replaced versions, and prints it on a terminal.
  mutating func tell(_ settings: PeersyncTool.Settings) throws -> Int {
    let now = try store.current().conflictCount()
    defer { known = now }
    guard now.last > known.last else { return 0 }
    // The count may be too low, because the oldest versions are dropped when new ones are kept.
    let count = max(1, now.count - known.count)
    guard settings.listing.isForPeople, !settings.isDryRun else { return count }
    let list = Diagnostic.command("synclog conflicts list", store: settings.store.path)
    try Descriptor.standardOutput.write(
      "\(count == 1 ? "1 conflict" : "\(count) conflicts"); '\(list)' lists the replaced "
        + "\(count == 1 ? "version" : "versions")\n")
    return count
  }
}
