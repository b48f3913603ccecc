import Chores
import CommandLine
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

/// The commands `plan` and `due`, which decide whom to notify.
extension NotifyTool {
  struct PlanSettings: HoldingConfigurable {
    var records = RecordSettings(profile: "chores")
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var now: Instant?
    var holding = HoldingChoices()
    var old: FilePath?
    var new: FilePath?
    var actor: String?
    var isSilent = false
    var tellsLosers = false
  }

  struct DueSettings: HoldingConfigurable {
    var records = RecordSettings(profile: "chores")
    var badLines = BadLineSettings()
    var reading = ReadingSettings()
    var now: Instant?
    var holding = HoldingChoices()
    var state: FilePath?
  }

  static let plan = Command(
    "plan", "decide whom to notify of changes",
    discussion: [
      "plan compares two states of a household. A member who gets a turn is notified. Everyone except the "
        + "actor is notified of occurrences that were done or skipped. New turns of one template are one "
        + "notification with a count.",
      "plan also writes a withdraw line for each outdated reminder. The line removes the reminder from the "
        + "outbox if the reminder still waits there. " + withheld,
      held,
    ],
    settings: PlanSettings(),
    options: [
      .value("old", "Read the household before the changes from FILE.") { $0.old = $1 },
      .value("new", "Read the household after the changes from FILE.") { $0.new = $1 },
      .value(
        "actor", named: "MEMBER",
        "Name the member who made the changes, by id or name (default: the member who completed each "
          + "occurrence)."
      ) {
        $0.actor = $1
      },
      .flag("silent", "Also make the devices of everyone except the actor fetch the changes, if any.") {
        $0.isSilent = true
      },
      .flag("tell-loser", "Also notify a member who loses a turn.") {
        $0.tellsLosers = true
      },
    ] + Option.holding + Option.household,
    statuses: [.no] + planned,
    examples: [
      .init(
        "Queue notifications after a sync:",
        "notify plan --old before.jsonl --new after.jsonl | notify outbox add")
    ],
    run: runPlan)

  static let due = Command(
    "due", "decide whom to remind now",
    discussion: [
      "A reminder is due from the start of an occurrence's lead time until the occurrence is due. If the lead "
        + "time is shorter than an hour, the reminder is due for an hour. The reminder is for the member whose "
        + "turn it is. It has the same id in each run, so an outbox stores it once.",
      "due also writes a withdraw line for each occurrence that was done, skipped or deleted in its lead "
        + "time. The line removes the reminder from the outbox if the reminder still waits "
        + "there. " + withheld,
      held,
    ],
    settings: DueSettings(),
    options: [.value("state", "Read the household from FILE.") { $0.state = $1 }] + Option.holding
      + Option.household,
    statuses: [.no] + planned,
    examples: [
      .init("Run this every five minutes from cron:", "notify due --state home.jsonl | notify outbox add")
    ],
    run: runDue)

  private static let held =
    "Members in quiet hours, or busy, are notified later. Members can have their own timeZone and quietHours."

  private static let withheld = "After a skipped bad line in a household, withdraw lines are not written."

  private static let planned: [ExitStatus] = [
    .badData, .noInput, .unavailable, .cannotCreate, .inputOutput, .configuration,
  ]

  private static func runPlan(_ settings: PlanSettings, on console: Console) throws -> ExitStatus {
    guard let old = settings.old, let new = settings.new else {
      throw UsageError.conflict("plan needs --old and --new")
    }
    let inputs = [old.path, new.path] + settings.holding.files
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: inputs, on: console) { badLines in
      let states = try [old, new].map { file in
        try HouseholdState(reading: [file.path], shape, settings.reading, &badLines)
      }
      let withholds = badLines.count > 0
      console.note(states[0], states[1])
      let members = settings.actor.map { states[1].household.members(named: $0) }
      if let members, members.count != 1 {
        console.note(members.count, of: "member", named: settings.actor ?? "")
        return .no
      }
      guard
        let rules = try settings.holding.rules(
          states[1].household, now: settings.present, &badLines, console)
      else { return .no }
      let plan = ChangeNotifications(
        old: states[0].household, new: states[1].household,
        actor: members.map { states[1].household.members[$0[0]].id }, tellingLosers: settings.tellsLosers,
        rules: rules, now: settings.present)
      return try write(
        plan.withdrawals, withholding: withholds,
        plan.notifications + (settings.isSilent ? plan.pulls : []), on: console)
    }
  }

  private static func runDue(_ settings: DueSettings, on console: Console) throws -> ExitStatus {
    guard let file = settings.state else { throw UsageError.conflict("due needs --state") }
    let inputs = [file.path] + settings.holding.files
    let shape = try settings.records.load()
    return try BadLines.collecting(settings, inputs: inputs, on: console) { badLines in
      let state = try HouseholdState(reading: [file.path], shape, settings.reading, &badLines)
      let withholds = badLines.count > 0
      console.note(state)
      guard
        let rules = try settings.holding.rules(state.household, now: settings.present, &badLines, console)
      else { return .no }
      let reminders = DueReminders(state.household, rules: rules, now: settings.present)
      return try write(
        reminders.withdrawals, withholding: withholds, reminders.notifications, on: console)
    }
  }

  /// Writes the lines; `withholds` leaves out the withdrawals, as a reminder may look outdated only because a
  /// line is missing.
  private static func write(
    _ withdrawals: [Withdrawal], withholding withholds: Bool, _ notifications: [Notification],
    on console: Console
  ) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    for value in (withholds ? [] : withdrawals.map(\.value)) + notifications.map(\.value) {
      try output.write(Array((value.text + "\n").utf8))
    }
    try output.flush()
    if withholds, !withdrawals.isEmpty {
      console.report(
        Diagnostic(
          .partialRun,
          "withdrawals left out: \(withdrawals.count); the bad lines may contain the records of those "
            + "occurrences"))
    }
    return .done
  }
}
