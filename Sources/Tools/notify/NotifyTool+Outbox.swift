import Chores
import CommandLine
import CommonInputs
import JSONLines
import Push
import RecordInputs
import SyncCore
import SystemIO

/// The command `outbox`, which manages the waiting notifications.
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
    "outbox", "manage the notifications to be sent, and their results",
    discussion: ["Stored data survives if the command is interrupted."],
    subcommands: [
      Command(
        "add", "add notifications",
        discussion: [
          "add stores all notifications of a file in one transaction. From a pipe, it stores the arrived "
            + "notifications before each wait for the next line, so the input may be 'syncserve pushes "
            + "--follow'. It skips notifications with known ids, unless they were withdrawn.",
          "Regardless of --on-error, add reports and leaves out a notification that push services would "
            + "reject, and stores the others. After another kind of bad line, it does not store the lines of "
            + "the same transaction.",
          "A withdraw line, or a reminder that replaces another, withdraws the waiting reminders of that "
            + "occurrence. add writes the counts as one object.",
        ],
        settings: AddSettings(), options: Option.outboxPlace + Option.badLines,
        operands: .files { $1.files = $0 }, statuses: stored,
        examples: [.init("Add the notifications of a file:", "notify outbox add plan.jsonl")], run: runAdd),
      Command(
        "list", "write the pushes, one object each", settings: ListSettings(),
        options: Option.outboxPlace + [
          .value(
            "state", "Write only pushes in this state; failed includes those that failed on only one device."
          ) {
            $0.state = $1
          }
        ] + Option.json,
        statuses: asked,
        examples: [.init("List the pushes that failed:", "notify outbox list --state failed")],
        run: runList),
      Command(
        "retry", "retry failed pushes",
        discussion: [
          "ID is the id of a push (at least its first 4 characters). Without ID, all failed pushes are "
            + "retried. A push that some devices have received is sent only to the others. retry writes the "
            + "count as one object."
        ],
        settings: RetrySettings(), options: Option.outboxPlace,
        operands: Operands("[ID]", count: 0...1, completion: .nothing) { $1.id = $0.first?.lowercased() },
        statuses: [.no] + stored,
        examples: [.init("Retry after the key was fixed:", "notify outbox retry")], run: runRetry),
      Command(
        "prune", "remove old finished pushes",
        discussion: [
          "prune keeps a push that could be added again until it would have expired. prune writes the count "
            + "as one object."
        ],
        settings: PruneSettings(),
        options: Option.outboxPlace + Option.present + [
          .value("older-than", "Remove pushes that ended longer ago than this (default: 7d).") { $0.age = $1 }
        ],
        statuses: stored, examples: [.init("Prune once a week:", "notify outbox prune --older-than 30d")],
        run: runPrune),
    ])

  private static func runAdd(_ settings: AddSettings, on console: Console) throws -> ExitStatus {
    try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      var (entries, counts, isAgain) = ([Outbox.Entry](), Outbox.Counts(), false)
      func store() throws {
        counts += try withOutbox(settings.outbox, console, creating: true, isAgain: isAgain) { outbox in
          try outbox.write { try outbox.add(entries) }
        }
        (entries, isAgain) = ([], true)
      }
      // Store the received lines whenever the input pauses, because a pipe may stay open forever.
      try forEachObject(of: settings.files, &badLines) {
        if !entries.isEmpty { try store() }
      } _: { value, line in
        entries.append(try entry(value, line))
      }
      try badLines.save()
      if !isAgain || !entries.isEmpty { try store() }
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
    try withOutbox(settings.outbox, console, onlyRead: true) { outbox in
      var listing = Listing(
        [
          .init("id", "notification.id", as: .id), .init("state", "state"),
          .init("to", "notification.recipient"), .init("kind", "notification.kind"),
          .init("title", "notification.title"),
          .init("not before", "notification.notBefore", as: .age),
          .init("tries", "attempts", as: .count), .init("reason", "reason"),
        ], settings.listing)
      try outbox.forEachPush(settings.state?.state) { facts, line in
        let facts = settings.listing.isForPeople ? summarized(facts) : facts
        // This is the original line, because encoding it again would change its spelling.
        try listing.add(
          line: Array(facts.text.utf8.dropLast()) + Array(",\"notification\":".utf8) + line + Array("}".utf8))
      }
      try listing.finish(none: "no such pushes in the outbox", on: console)
      return .done
    }
  }

  /// Adds the most attempts and the last reason of a push's deliveries, for a table.
  private static func summarized(_ facts: JSONValue) -> JSONValue {
    let deliveries = facts["deliveries"]?.arrayValue ?? []
    var members = facts.objectValue ?? []
    if let attempts = deliveries.compactMap({ $0["attempts"]?.intValue }).max() {
      members.append(.init("attempts", .integer(attempts)))
    }
    if let reason = deliveries.compactMap({ $0["reason"] }).last { members.append(.init("reason", reason)) }
    return .object(members)
  }

  private static func runRetry(_ settings: RetrySettings, on console: Console) throws -> ExitStatus {
    let (count, found) = try withOutbox(settings.outbox, console) { outbox in
      try outbox.write {
        guard let id = settings.id else { return (try outbox.retry(only: nil), 0) }
        let found = try outbox.failedPushes(meantBy: id)
        let count = try found.count == 1 ? outbox.retry(only: found[0]) : 0
        return (count, found.count)
      }
    }
    try write(["retried": .integer(count)])
    guard let id = settings.id, found != 1 else { return .done }
    if found == 0 {
      console.note("no failed push '\(id)'")
    } else {
      console.note(found, of: "push", named: id)
    }
    return .no
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
