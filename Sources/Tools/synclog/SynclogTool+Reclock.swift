import CommonInputs
import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  struct ReclockSettings: StoreConfigurable {
    var store = StoreSettings()
    var id: String?
    var ahead = false
    var sent = false
    var only: String?
  }

  static let reclock = Command(
    "reclock", "set clocks that are ahead back to now",
    discussion: [
      "A record written while the clock was ahead wins over every later change, and peers reject it. reclock "
        + "sets the clock of the record to now. ID has the same form as for get; --ahead selects all records "
        + "with clocks further ahead than --max-drift allows. reclock writes the counts as one object.",
      "reclock reports a record that was sent to a peer, does not change it, and exits with 65. If the peer "
        + "has accepted the record, it would send back the old clock, which would win over later changes. "
        + "--sent changes the record too. If a peer has accepted the record, use --sent there too. If a peer "
        + "has it in quarantine, drop it there with 'synclog quarantine drop'. Otherwise the peer applies it "
        + "when that time has come. If that peer has changed the record meanwhile, 'synclog conflicts' on "
        + "this device lists the peer's version.",
    ],
    settings: ReclockSettings(),
    options: [
      .flag("ahead", "Change all records with clocks too far ahead.") { $0.ahead = true },
      .flag("sent", "Also change records that have been sent to a peer.") { $0.sent = true },
      .value("only", named: "NAME", "Change only the records of this entity.", completion: .entities) {
        $0.only = $1
      },
    ] + Option.storePlace + Option.present + Option.drift,
    operands: Operands("[ID]", count: 0...1, completion: .nothing) { $1.id = $0.first }, statuses: stored,
    examples: [.init("Repair the records after the clock was ahead:", "synclog reclock --ahead")],
    run: runReclock)

  private static func runReclock(_ settings: ReclockSettings, on console: Console) throws -> ExitStatus {
    if settings.ahead != (settings.id == nil) {
      throw UsageError.conflict("reclock needs either an ID or --ahead")
    }
    let wanted = IdentityPattern(settings.id ?? "", entity: settings.only)
    return try withStore(settings.store, console) { store in
      let now = settings.store.present
      let (given, changes) = try store.write {
        let ahead = try store.changes(ahead: settings.ahead ? settings.store.drift.latest ?? now : now).filter
        {
          settings.ahead
            ? settings.only == nil || settings.only == Key.entity(of: $0.key.span)
            : wanted.matches($0.key[...])
        }
        let changes = ahead.filter { settings.sent || $0.holders.isEmpty }
        try store.reclock(changes, to: now)
        return (ahead.filter { !settings.sent && !$0.holders.isEmpty }, changes)
      }
      try Descriptor.standardOutput.write(
        line: ["reclocked": .integer(changes.count), "given": .integer(given.count)])
      for change in given { console.report(Diagnostic(given: change)) }
      let sent = changes.count { $0.isSent }
      if sent > 0 {
        console.note(
          "changed although they were sent before: \(sent); a peer that has the old versions in quarantine "
            + "applies them when their time has come",
          hint: "on each peer: 'synclog quarantine list' shows them, and 'synclog quarantine drop NUMBER' "
            + "drops them")
      }
      if given.isEmpty, changes.isEmpty { console.note("no such record with a clock that is ahead") }
      return given.isEmpty ? .done : .badData
    }
  }
}

extension Diagnostic {
  fileprivate init(given change: AheadChange) {
    let peers = change.holders.map { "'\($0.id.escapingControls)'" }.joined(separator: ", ")
    self.init(
      .clockAhead, "\(change.name): already sent to \(peers) with the clock \(change.clock); not changed",
      hint: "--sent changes it too; use it on each device that has accepted the record")
  }
}
