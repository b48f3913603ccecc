import CommandLine
import CommonInputs
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  static let quarantine = Command(
    "quarantine", "manage changes that could not be applied",
    discussion: ["Changes in quarantine are retried at every apply. list prints the number of each change."],
    subcommands: [
      Command(
        "list", "write the changes in quarantine, one object per line", settings: PlainSettings(),
        options: Option.json + Option.storePlace, statuses: asked,
        examples: [.init("List the changes, and the reasons:", "synclog quarantine list")],
        run: runList),
      Command(
        "retry", "apply the changes that can now be applied", settings: PlainSettings(),
        options: Option.storePlace + Option.present + Option.drift + Option.maxDelete, statuses: stored,
        examples: [.init("Retry after the clock was corrected:", "synclog quarantine retry")],
        run: { settings, console in
          try run(settings.store, console, drift: settings.store.drift, [.all])
        }),
      Command(
        "accept", "apply changes even if their clocks are far ahead", settings: NumberedSettings(),
        options: Option.storePlace + Option.present + Option.maxDelete, operands: changeNumbers,
        statuses: [.no] + stored,
        examples: [.init("Accept the clock of change 2:", "synclog quarantine accept 2")],
        run: { settings, console in
          try run(settings.store, console, drift: nil, settings.numbers().map { .number($0) })
        }),
      Command(
        "drop", "discard changes permanently", settings: NumberedSettings(), options: Option.storePlace,
        operands: changeNumbers, statuses: [.no] + stored,
        examples: [.init("Discard change 3:", "synclog quarantine drop 3")], run: runDrop),
    ])

  private static func runList(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      var listing = Listing(
        [
          .init("number", "number", as: .count), .init("since", "since", as: .age), .init("peer", "peer"),
          .init("entity", "change.entityName"), .init("record", "change.identity"), .init("reason", "reason"),
        ], settings.listing)
      try store.forEachQuarantined { entry in
        let place: JSONValue = [
          "number": .integer(entry.number), "peer": .string(entry.peer), "reason": .string(entry.reason),
          "since": .string(entry.since),
        ]
        // This is the original line, because encoding it again would change its spelling.
        try listing.add(
          line: Array(place.text.utf8.dropLast()) + Array(",\"change\":".utf8) + entry.line + Array("}".utf8))
      }
      try listing.finish(none: "quarantine is empty", on: console)
      return .done
    }
  }

  private static func run(
    _ settings: StoreSettings, _ console: Console, drift: DriftGuard?, _ scopes: [QuarantineRetry]
  ) throws -> ExitStatus {
    try withStore(settings, console) { store in
      var unreleased: [Int64] = []
      let released = try store.write {
        let shape = try store.rules() ?? RecordShape()
        let live = store.live
        var sum = (released: 0, deletions: 0)
        for scope in scopes {
          let retried = try store.retryQuarantine(shape, drift, scope)
          if case .number(let number) = scope, retried.released == 0 { unreleased.append(number) }
          sum = (sum.released + retried.released, sum.deletions + retried.deletions)
        }
        try settings.maxDelete.check(sum.deletions, of: live)
        return sum.released
      }
      try Descriptor.standardOutput.write("{\"released\":\(released)}\n")
      for number in unreleased {
        console.note("change \(number) is not in quarantine, or cannot be applied")
      }
      guard unreleased.isEmpty else { return .no }
      return report(try store.quarantineCount(), settings, console)
    }
  }

  private static func runDrop(_ settings: NumberedSettings, on console: Console) throws -> ExitStatus {
    let numbers = try settings.numbers()
    return try withStore(settings.store, console) { store in
      let unknown = try store.write { try numbers.filter { try !store.dropQuarantined($0) } }
      for number in unknown { console.note("change \(number) is not in quarantine") }
      return unknown.isEmpty ? .done : .no
    }
  }
}
