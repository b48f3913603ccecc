import CoreInputs
import CommandLine
import JSONLines
import Store
import SyncCore
import SystemIO
import ToolInputs

extension SynclogTool {
  struct ReclockSettings: StoreConfigurable {
    var store = StoreSettings()
    var id: String?
    var ahead = false
    var sent = false
    var only: String?
  }

  static let reclock = Command(
    "reclock", "bring clocks that are ahead back to now",
    discussion: [
      "A record that was written while the clock was wrong wins over every later change, and peers do not take it. "
        + "This gives it the present for its clock. ID is as for get; --ahead means all whose clock is further ahead "
        + "than --max-drift allows. Writes the counts, one object.",
      "What a peer has been given is left as it is, and named (65): if the peer has taken it, the old clock would come "
        + "back and win over what is written meanwhile. If the peer has it in quarantine, drop it there, and reclock "
        + "with --sent here.",
    ],
    settings: ReclockSettings(),
    options: [
      .flag("ahead", "All whose clock is too far ahead.") { $0.ahead = true },
      .flag("sent", "Those too that a peer has been given.") { $0.sent = true },
      .value("only", named: "NAME", "Only the records of this entity.", completion: .entities) {
        $0.only = $1
      },
    ] + Option.storePlace + Option.present + Option.drift,
    operands: Operands("[ID]", count: 0...1, completion: .nothing) { $1.id = $0.first }, statuses: stored,
    examples: [.init("After the clock was wrong:", "synclog reclock --ahead")],
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
      if given.isEmpty, changes.isEmpty { console.note("no such record has a clock that is ahead") }
      return given.isEmpty ? .done : .badData
    }
  }
}

extension Diagnostic {
  fileprivate init(given change: AheadChange) {
    let peers = change.holders.map { "'\($0.id.escapingControls)'" }.joined(separator: ", ")
    self.init(
      .clockAhead, "\(change.name): \(peers) has been given the clock \(change.clock); left as it is",
      hint: "if it is in quarantine there, drop it there and use --sent here")
  }
}
