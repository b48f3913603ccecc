import CommandLine
import CommonInputs
import JSONLines
import Links
import Pairing
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  static let conflicts = Command(
    "conflicts", "manage changes that lost a conflict",
    discussion: [
      "If two devices change one record before they sync, the later change wins, and the other change is "
        + "kept here for 30 days. At most 16 MiB are kept; the oldest are removed first. Changes that "
        + "arrived through a third device can be included."
    ],
    subcommands: [
      Command(
        "list", "write the lost changes, one object per line",
        discussion: ["peer is the id of the peer, and deviceName its name if this device trusts it."],
        settings: PlainSettings(),
        options: Option.json + Option.storePlace, statuses: asked,
        examples: [.init("List the lost changes and their times:", "synclog conflicts list")],
        run: runConflictList),
      Command(
        "show", "write both sides of a conflict, and the differences",
        discussion: ["differs has each member of the record that is different on the two sides."],
        settings: NamedSettings(), options: Option.storePlace, operands: conflictNumber, statuses: asked,
        examples: [.init("Show the first conflict:", "synclog conflicts show 1")], run: runConflictShow),
      Command(
        "restore", "restore a lost change",
        discussion: [
          "The lost change is stored again with the present time, and sent to all peers. The version that it "
            + "replaces is discarded."
        ],
        settings: NamedSettings(), options: Option.storePlace + Option.present, operands: conflictNumber,
        statuses: [.no] + stored,
        examples: [.init("Restore the first lost change:", "synclog conflicts restore 1")],
        run: runConflictRestore),
      Command(
        "drop", "discard a lost change", settings: NamedSettings(), options: Option.storePlace,
        operands: conflictNumber, statuses: [.no] + stored,
        examples: [.init("Discard the first lost change:", "synclog conflicts drop 1")],
        run: runConflictDrop),
    ])

  private static let conflictNumber = Operands<NamedSettings>("NUMBER", count: 1...1) { $1.name = $0[0] }

  private static func runConflictList(_ settings: PlainSettings, on console: Console) throws -> ExitStatus {
    try withStore(settings.store, console) { store in
      var listing = Listing(
        [
          .init("number", "number", as: .count), .init("when", "at", as: .age), .init("entity", "entityName"),
          .init("record", "identity"), .init("differs in", "differs"), .init("peer", "deviceName", "peer"),
        ], settings.listing)
      let names = PeerNames()
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

  private static func runConflictShow(_ settings: NamedSettings, on console: Console) throws -> ExitStatus {
    try withConflict(settings, console, creating: false) { store, conflict in
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
      var output = ByteOutput.standardOutput
      try output.write(conflict.object(with: lines, PeerNames(), [JSONMember("differs", .array(differs))]))
      try output.flush()
      return .done
    }
  }

  private static func runConflictRestore(_ settings: NamedSettings, on console: Console) throws -> ExitStatus
  {
    try withConflict(settings, console, creating: true) { store, conflict in
      let outcome = try store.write {
        let shape = try store.rules() ?? RecordShape()
        var reader = ChangeReader(shape)
        var intake = try LocalIntake(store, shape, now: settings.store.present)
        let outcome = try intake.put(conflict.key.span, conflict.line.span, reader.change(conflict.line.span))
        if outcome == .stored || outcome == .same { _ = try store.dropConflict(conflict.number) }
        return outcome
      }
      try Descriptor.standardOutput.write(line: ["restored": .integer(outcome == .stored ? 1 : 0)])
      switch outcome {
      case .stored: return .done
      case .same: console.note("not restored: the store already has this record")
      case .conflict: console.note("not restored: by the rule of its entity, the stored version wins")
      case .refused: console.note("not restored: it is older than the time of the last prune")
      case .excess(let excess): console.note("not restored: with its clock it would be \(excess.message)")
      case .ahead: console.note("not restored: its clock is too far ahead of now")
      }
      return .no
    }
  }

  private static func runConflictDrop(_ settings: NamedSettings, on console: Console) throws -> ExitStatus {
    try withConflict(settings, console, creating: true) { store, conflict in
      _ = try store.write { try store.dropConflict(conflict.number) }
      return .done
    }
  }

  private static func withConflict(
    _ settings: NamedSettings, _ console: Console, creating: Bool,
    _ body: (ChangeStore, ChangeStore.KeptConflict) throws -> ExitStatus
  ) throws -> ExitStatus {
    guard let number = Int64(settings.name) else {
      throw UsageError.conflict("'\(settings.name)' is not a number")
    }
    return try withStore(settings.store, console) { store in
      guard let conflict = try store.conflicts(only: number).first else {
        console.note("unknown conflict \(number); 'synclog conflicts list' lists them")
        return .no
      }
      return try body(store, conflict)
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

  /// The members in which the two records differ, in the order of the losing record; a deletion has no
  /// members.
  var differs: [(member: String, lost: JSONValue?, stored: JSONValue?)] {
    let (lost, stored) = (Self.fields(of: lost), self.stored.map { Self.fields(of: $0) } ?? [])
    let names = lost.map(\.name) + stored.map(\.name).filter { name in !lost.contains { $0.name == name } }
    return names.compactMap { name in
      let sides = (lost.first { $0.name == name }?.value, stored.first { $0.name == name }?.value)
      return sides.0 == sides.1 ? nil : (name, sides.0, sides.1)
    }
  }

  private static func fields(of line: [UInt8]) -> [JSONMember] {
    (try? JSONValue(parsing: line.span))?["fields"]?.objectValue ?? []
  }
}

/// The names of the peers that this device trusts.
private struct PeerNames {
  // Without a readable list, the ids are enough.
  private let peers = (try? Peers(in: Places.configuration()).trust.load()) ?? TrustList()

  func name(of id: String) -> String? { peers.record(of: id)?.deviceName }
}

extension ChangeStore.KeptConflict {
  /// A line of output; `texts` and `members` follow the subject of the conflict.
  fileprivate func object(with texts: String, _ names: PeerNames, _ members: [JSONMember]) -> [UInt8] {
    var head: [JSONMember] = [
      .init("number", .integer(number)), .init("at", .string(Instant(seconds: at)?.description ?? "")),
    ]
    if let peer { head.append(.init("peer", .string(peer))) }
    if let name = peer.flatMap(names.name) { head.append(.init("deviceName", .string(name))) }
    var bytes = Array(JSONValue.object(head).text.utf8.dropLast()) + [UInt8(ascii: ",")]
    var reader = ChangeReader(RecordShape())
    reader.appendKeyMembers(of: line.span, to: &bytes)
    bytes += Array(texts.utf8) + [UInt8(ascii: ",")]
    return bytes + JSONValue.object(members).text.utf8.dropFirst() + [10]
  }
}
