import CommandLine
import CommonInputs
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  static let conflicts = Command(
    "conflicts", "manage changes that lost a conflict",
    discussion: [
      "If two devices change one record before they sync, the later change wins, and the other change is "
        + "kept here for 30 days. At most 10,000 changes, and 16 MiB of them, are kept; the oldest are removed first. They "
        + "may include changes that arrived through a third device."
    ],
    subcommands: [
      Command(
        "list", "write the lost changes, one object per line",
        discussion: [
          "peer is the id of the peer, and deviceName its name if this device trusts it. isDeleted is true if "
            + "the lost change is a deletion; restore then deletes the record."
        ],
        settings: PlainSettings(),
        options: Option.json + Option.storePlace, statuses: asked,
        examples: [.init("List the lost changes and their times:", "synclog conflicts list")],
        run: runConflictList),
      Command(
        "show", "write both sides of conflicts, and the differences",
        discussion: ["differs has each member of the record that is different on the two sides."],
        settings: NumberedSettings(), options: Option.storePlace, operands: changeNumbers, statuses: asked,
        examples: [.init("Show the first conflict:", "synclog conflicts show 1")], run: runConflictShow),
      Command(
        "restore", "restore lost changes",
        discussion: [
          "A lost change is stored again with the present time, also in the record's own clock member, and "
            + "sent to all peers. The version that it replaces is discarded."
        ],
        settings: NumberedSettings(), options: Option.storePlace + Option.present, operands: changeNumbers,
        statuses: [.no] + stored,
        examples: [.init("Restore the first lost change:", "synclog conflicts restore 1")],
        run: runConflictRestore),
      Command(
        "drop", "discard lost changes", settings: NumberedSettings(), options: Option.storePlace,
        operands: changeNumbers, statuses: [.no] + stored,
        examples: [.init("Discard the first lost change:", "synclog conflicts drop 1")],
        run: runConflictDrop),
    ])

  private static func runConflictList(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console, onlyRead: true) { store in
      var listing = Listing(
        [
          .init("number", "number", as: .count), .init("when", "at", as: .age), .init("entity", "entityName"),
          .init("record", "identity"), .init("deleted", "isDeleted"), .init("differs in", "differs"),
          .init("peer", "deviceName", "peer"),
        ], settings.listing)
      let names = TrustedNames()
      for conflict in try store.conflicts() {
        let differs = ConflictSides(conflict, try store.line(of: conflict.key)).differs.map {
          JSONValue.string($0.member)
        }
        try listing.add(
          line: conflict.object(with: "", names, [JSONMember("differs", .array(differs))]).dropLast())
      }
      try listing.finish(none: "no conflicts", on: console)
      return .done
    }
  }

  private static func runConflictShow(_ settings: NumberedSettings, on console: Console) throws -> ExitStatus
  {
    try withConflicts(settings, console, onlyRead: true) { store, conflicts in
      var output = ByteOutput.standardOutput
      let names = TrustedNames()
      for conflict in conflicts {
        let sides = ConflictSides(conflict, try store.line(of: conflict.key))
        let differs = sides.differs.map { difference in
          JSONValue.object(
            [JSONMember("member", .string(difference.member))]
              + [("lost", difference.lost), ("stored", difference.stored)].compactMap { name, value in
                value.map { JSONMember(name, $0) }
              })
        }
        let lines =
          ",\"lost\":\(String(decoding: conflict.line, as: UTF8.self)),\"stored\":"
          + (sides.stored.map { String(decoding: $0, as: UTF8.self) } ?? "null")
        try output.write(conflict.object(with: lines, names, [JSONMember("differs", .array(differs))]))
      }
      try output.flush()
      return .done
    }
  }

  private static func runConflictRestore(
    _ settings: NumberedSettings, on console: Console
  ) throws -> ExitStatus {
    try withConflicts(settings, console) { store, conflicts in
      let (outcomes, counts) = try store.write {
        let shape = try store.rules() ?? RecordShape()
        var reader = ChangeReader(shape)
        let bounds = settings.store.bounds
        var intake = try LocalIntake(store, shape, now: bounds.now, drift: bounds.drift)
        let clocks = try RecordClocks(store)
        var keys: Set<[UInt8]> = []
        let outcomes: [LocalIntake.Outcome?] = try conflicts.map { conflict in
          // Restoring a second version of a record would discard the first one.
          if keys.contains(conflict.key) { return LocalIntake.Outcome?.none }
          // Restoring is an edit made now.
          var change = reader.change(conflict.line.span)
          change.clock = nil
          let outcome = try intake.put(conflict.key.span, conflict.line.span, change, setting: clocks)
          if outcome == .stored { keys.insert(conflict.key) }
          if outcome == .stored || outcome == .same { _ = try store.dropConflict(conflict.number) }
          return outcome
        }
        return (outcomes, intake.counts)
      }
      let restored = outcomes.count { $0 == .stored }
      try Descriptor.standardOutput.write(line: ["restored": .integer(restored)])
      note(counts, console)
      for (conflict, outcome) in zip(conflicts, outcomes) {
        guard outcome != .stored else { continue }
        let reason =
          outcome?.reason ?? "another version of the record is restored; this one stays in the list"
        console.note("conflict \(conflict.number): not restored: \(reason)")
      }
      return restored == conflicts.count ? .done : .no
    }
  }

  private static func runConflictDrop(_ settings: NumberedSettings, on console: Console) throws -> ExitStatus
  {
    let numbers = try settings.numbers()
    return try withStore(settings.store, console) { store in
      let unknown = try store.write { try numbers.filter { try !store.dropConflict($0) } }
      for number in unknown { note(unknown: number, console) }
      return unknown.isEmpty ? .done : .no
    }
  }

  private static func note(unknown number: Int64, _ console: Console) {
    console.note("unknown conflict \(number); 'synclog conflicts list' lists them")
  }

  /// Runs a body with the conflicts of the given numbers; unknown numbers are reported, with status 1.
  private static func withConflicts(
    _ settings: NumberedSettings, _ console: Console, onlyRead: Bool = false,
    _ body: (ChangeStore, [ChangeStore.KeptConflict]) throws -> ExitStatus
  ) throws -> ExitStatus {
    let numbers = try settings.numbers()
    return try withStore(settings.store, console, onlyRead: onlyRead) { store in
      var conflicts: [ChangeStore.KeptConflict] = []
      var isComplete = true
      for number in numbers {
        if let conflict = try store.conflicts(only: number).first {
          conflicts.append(conflict)
        } else {
          note(unknown: number, console)
          isComplete = false
        }
      }
      guard !conflicts.isEmpty else { return .no }
      let status = try body(store, conflicts)
      return isComplete ? status : .no
    }
  }
}

extension LocalIntake.Outcome {
  /// Why a lost change was not restored.
  fileprivate var reason: String {
    switch self {
    case .stored: ""
    case .same: "the store already has this record"
    case .conflict: "by the rule of its entity, the stored version wins"
    case .refused: "it is older than the time of the last prune"
    case .excess(let excess): "with its clock it would be \(excess.message)"
    case .ahead: "its clock is too far ahead of now"
    }
  }
}

/// A record that has lost, and the record stored under its key now.
private struct ConflictSides {
  let lost: [UInt8]
  let stored: [UInt8]?

  init(_ conflict: ChangeStore.KeptConflict, _ stored: [UInt8]?) {
    (lost, self.stored) = (conflict.line, stored)
  }

  /// The members in which the two records differ, in the order of the losing record; a deletion does not have members.
  var differs: [(member: String, lost: JSONValue?, stored: JSONValue?)] {
    let (lost, stored) = (Self.fields(of: lost), self.stored.map { Self.fields(of: $0) } ?? [])
    let values = (Self.values(lost), Self.values(stored))
    let names = (lost + stored.filter { values.0[Array($0.name.utf8)] == nil }).map(\.name)
    return names.compactMap { name in
      let bytes = Array(name.utf8)
      let sides = (values.0[bytes], values.1[bytes])
      return sides.0 == sides.1 ? nil : (name, sides.0, sides.1)
    }
  }

  /// The values by the bytes of their names.
  private static func values(_ members: [JSONMember]) -> [[UInt8]: JSONValue] {
    Dictionary(members.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
  }

  private static func fields(of line: [UInt8]) -> [JSONMember] {
    (try? JSONValue(parsing: line.span))?["fields"]?.objectValue ?? []
  }
}

extension ChangeStore.KeptConflict {
  /// A line of output; `texts` and `members` follow the subject of the conflict.
  fileprivate func object(with texts: String, _ names: TrustedNames, _ members: [JSONMember]) -> [UInt8] {
    var head: [JSONMember] = [
      .init("number", .integer(number)), .init("at", .string(Instant(seconds: at)?.description ?? "")),
    ]
    if let peer { head.append(.init("peer", .string(peer))) }
    if let name = peer.flatMap(names.name) { head.append(.init("deviceName", .string(name))) }
    var bytes = Array(JSONValue.object(head).text.utf8.dropLast()) + [UInt8(ascii: ",")]
    var reader = ChangeReader(RecordShape())
    reader.appendKeyMembers(of: line.span, to: &bytes)
    if reader.change(line.span).isTombstone { bytes += Array(",\"isDeleted\":true".utf8) }
    bytes += Array(texts.utf8) + [UInt8(ascii: ",")]
    return bytes + JSONValue.object(members).text.utf8.dropFirst() + [10]
  }
}
