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
          try run(settings.store, console, drift: settings.store.drift, only: nil)
        }),
      Command(
        "accept", "apply a change even if its clock is far ahead", settings: NamedSettings(),
        options: Option.storePlace + Option.present + Option.maxDelete, operands: number,
        statuses: [.no] + stored,
        examples: [.init("Accept the clock of change 2:", "synclog quarantine accept 2")],
        run: { settings, console in
          try run(settings.store, console, drift: nil, only: try number(settings))
        }),
      Command(
        "drop", "discard a change permanently", settings: NamedSettings(), options: Option.storePlace,
        operands: number, statuses: [.no] + stored,
        examples: [.init("Discard change 3:", "synclog quarantine drop 3")], run: runDrop),
    ])

  private static let number = Operands<NamedSettings>("NUMBER", count: 1...1) { $1.name = $0[0] }

  private static func number(_ settings: NamedSettings) throws -> Int64 {
    guard let number = Int64(settings.name) else {
      throw UsageError.conflict("'\(settings.name)' is not a number")
    }
    return number
  }

  private static func runList(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console) { store in
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
        // The original line: encoding it again would change its spelling.
        try listing.add(
          line: Array(place.text.utf8.dropLast()) + Array(",\"change\":".utf8) + entry.line + Array("}".utf8))
      }
      try listing.finish(none: "quarantine is empty", on: console)
      return .done
    }
  }

  private static func run(
    _ settings: StoreSettings, _ console: Console, drift: DriftGuard?, only number: Int64?
  ) throws -> ExitStatus {
    try withStore(settings, console) { store in
      let released = try store.write {
        let shape = try store.rules() ?? RecordShape()
        let live = store.live
        let retried = try store.retryQuarantine(shape, drift, number.map { .number($0) } ?? .all)
        try settings.maxDelete.check(retried.deletions, of: live)
        return retried.released
      }
      try Descriptor.standardOutput.write("{\"released\":\(released)}\n")
      if let number, released == 0 {
        console.note("change \(number) is not in quarantine, or cannot be applied")
        return .no
      }
      return report(try store.quarantineCount(), settings, console)
    }
  }

  private static func runDrop(_ settings: NamedSettings, on console: Console) throws -> ExitStatus {
    let number = try number(settings)
    return try withStore(settings.store, console) { store in
      try store.write {
        if try store.dropQuarantined(number) { return .done }
        console.note("no change \(number)")
        return .no
      }
    }
  }
}
