import Chores
import CommandLine
import CoreInputs
import JSONLines
import Push
import SyncCore
import SystemIO

/// `outbox`: what is to be sent.
extension NotifyTool {
  struct AddSettings: BadLineConfigurable, OutboxConfigurable {
    var badLines = BadLineSettings()
    var outbox = OutboxPlace()
    var files: [String] = []
  }

  struct ListSettings: OutboxConfigurable, ListingConfigurable {
    var outbox = OutboxPlace()
    var listing = ListingSettings()
    var state: PushState?
  }

  struct RetrySettings: OutboxConfigurable {
    var outbox = OutboxPlace()
    var id: String?
  }

  struct PruneSettings: OutboxConfigurable, PresentConfigurable {
    var outbox = OutboxPlace()
    var now: Instant?
    var age = Duration.seconds(7 * 86_400)
  }

  static let outbox = Command(
    "outbox", "what is to be sent, and what became of it",
    discussion: ["What a command has stored is stored, whatever ends it."],
    subcommands: [
      Command(
        "add", "take notifications",
        discussion: [
          "All of them are stored, or none. A notification whose id is known is passed over, unless it was withdrawn. One "
            + "that no push service would take is reported and left out, whatever --on-error says, so that it does not "
            + "hold up the others.",
          "A withdraw line, and a reminder that replaces another, withdraws the reminders of that occurrence that still "
            + "wait. Writes the counts, one object.",
        ],
        settings: AddSettings(), options: Option.outboxPlace + Option.badLines,
        operands: .files { $1.files = $0 }, statuses: stored,
        examples: [.init("The notifications of a file:", "notify outbox add plan.jsonl")], run: runAdd),
      Command(
        "list", "write what there is, one object a push", settings: ListSettings(),
        options: Option.outboxPlace + [
          .value("state", "Only pushes in this state; failed includes those that failed on one device only.")
          {
            $0.state = $1
          }
        ] + Option.json,
        statuses: asked,
        examples: [.init("What could not be delivered:", "notify outbox list --state failed")],
        run: runList),
      Command(
        "retry", "let what has failed be sent again",
        discussion: [
          "ID is that of a push; without one all that have failed are meant. A push that some devices have is sent again "
            + "to the others only. Writes the count, one object."
        ],
        settings: RetrySettings(), options: Option.outboxPlace,
        operands: Operands("[ID]", count: 0...1, completion: .nothing) { $1.id = $0.first?.lowercased() },
        statuses: [.no] + stored,
        examples: [.init("After the key has been put right:", "notify outbox retry")], run: runRetry),
      Command(
        "prune", "forget what ended long ago",
        discussion: [
          "What could come again is kept until it would have expired. Writes the count, one object."
        ],
        settings: PruneSettings(),
        options: Option.outboxPlace + Option.present + [
          .value("older-than", "How long ago; the default is 7d.") { $0.age = $1 }
        ],
        statuses: stored, examples: [.init("Once a week:", "notify outbox prune --older-than 30d")],
        run: runPrune),
    ])

  private static func runAdd(_ settings: AddSettings, on console: Console) throws -> ExitStatus {
    try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      var entries: [Outbox.Entry] = []
      try forEachObject(of: settings.files, &badLines) { value, line in
        entries.append(try entry(value, line))
      }
      let counts = try withOutbox(settings.outbox, console, creating: true) { outbox in
        try outbox.write { try outbox.add(entries) }
      }
      try write(counts.value)
      return .done
    }
  }

  private static func entry(_ value: JSONValue, _ line: Span<UInt8>) throws -> Outbox.Entry {
    if let withdrawal = try Withdrawal(value) { return .withdrawal(withdrawal) }
    let notification = try Notification(value)
    do throws(NotificationError) {
      try PushRequest.check(notification)
    } catch {
      throw UnsendableNotification(reason: error)
    }
    var bytes: [UInt8] = []
    bytes.append(line)
    return .notification(notification, line: bytes)
  }

  private static func runList(_ settings: ListSettings, on console: Console) throws -> ExitStatus {
    try withOutbox(settings.outbox, console) { outbox in
      var listing = Listing(
        [
          .init("id", "id"), .init("state", "state"), .init("to", "notification.memberID"),
          .init("kind", "notification.kind"), .init("title", "notification.title"),
          .init("since", "addedAt", as: .age),
          .init("tries", "attempts", as: .count), .init("reason", "reason"),
        ], settings.listing)
      try outbox.forEachPush(settings.state?.state) { facts, line in
        // The line as it came, which writing it again would not give.
        try listing.add(
          line: Array(facts.text.utf8.dropLast()) + Array(",\"notification\":".utf8) + line + Array("}".utf8))
      }
      try listing.finish(none: "the outbox has no such pushes", on: console)
      return .done
    }
  }

  private static func runRetry(_ settings: RetrySettings, on console: Console) throws -> ExitStatus {
    let count = try withOutbox(settings.outbox, console) { outbox in
      try outbox.write { try outbox.retry(only: settings.id) }
    }
    try write(["retried": .integer(count)])
    if let id = settings.id, count == 0 {
      console.note("no push '\(id)' has failed")
      return .no
    }
    return .done
  }

  private static func runPrune(_ settings: PruneSettings, on console: Console) throws -> ExitStatus {
    let seconds = settings.present.seconds - settings.age.components.seconds
    let count = try withOutbox(settings.outbox, console) { outbox in
      try outbox.write { try outbox.prune(before: Instant(seconds: seconds) ?? .epoch) }
    }
    try write(["pruned": .integer(count)])
    return .done
  }
}

/// The state of a push, on the command line.
struct PushState: OptionValue {
  var state: Outbox.State
  static var valueName: String { "STATE" }
  static var completion: OptionHelp.Completion { .choices(Outbox.State.allCases.map(\.rawValue)) }
  static var expectation: String { "one of " + Outbox.State.allCases.map(\.rawValue).joined(separator: ", ") }

  init?(argument: String) {
    guard let state = Outbox.State(rawValue: argument) else { return nil }
    self.state = state
  }
}
