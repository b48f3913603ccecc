import Chores
import Drawings
import JSONLines
import SyncCore

/// Operations on a household besides its turns: notifications, reminders, calendars, explanations, pruning.
///
/// The first byte chooses quiet hours; lines that are not records are left out, and notifications read back
/// the same.
func fuzzHousehold(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  var lines: [[UInt8]] = []
  for line in bytes.dropFirst().split(separator: 10).map({ Array($0) + [10] }) {
    if (try? rules.household([line])) != nil {
      lines.append(line)
    } else if let value = try? JSONValue(parsing: line.span) {
      check(value)
    }
  }
  guard let old = try? rules.household([Array(lines.prefix(lines.count / 2).joined())]),
    let new = try? rules.household([Array(lines.joined())])
  else { return }
  var holding = HoldingRules()
  holding.quiet = [nil, QuietHours("22:00-07:00"), QuietHours("00:00-23:59")][Int(choice) % 3]
  holding.action = HoldingRules.Action.allCases[Int(choice >> 2) % HoldingRules.Action.allCases.count]
  let plan = ChangeNotifications(old: old, new: new, actor: nil, rules: holding, now: now)
  for notification in plan.notifications + plan.pulls { check(notification) }
  for notification in DueReminders(new, rules: holding, now: now).notifications { check(notification) }
  look(at: new)
}

private func look(at household: Household) {
  let rota = Rota(household, now: now, weeks: 3)
  _ = (rota.text, rota.values, CalendarSVG(rota).text)
  for record in household.occurrences.values.joined().prefix(3) {
    let finder = OccurrenceFinder(household, Horizon(now: now, until: .after(.seconds(20 * 86_400))))
    for found in finder.occurrences(record.record.id.text) {
      let explanation = TurnExplanation(found, in: household)
      _ = (explanation.text, explanation.value)
      guard let member = household.members.first else { continue }
      _ = Override.line(of: found, for: member, now: now, in: household)
    }
  }
  for summary in Pruning(household, now: now, olderThan: .seconds(86_400)).summaries {
    require((try? rules.household([summary.text + [10]])) != nil, "a summary is a record")
  }
}

private func check(_ notification: Notification) {
  guard let again = try? Notification(notification.value) else { fatalError("a notification reads back") }
  require(again.value.text == notification.value.text, "the same notification")
  _ = try? PushRequest.payload(notification)
  _ = Notification.digest(of: [notification, again])
}

/// Lines of other kinds that `notify` reads.
private func check(_ value: JSONValue) {
  if let notification = try? Notification(value) { check(notification) }
  _ = try? BusyInterval(value)
  _ = PushAnswer(status: 410, body: Array(value.text.utf8), retryAfter: .max)
}

private let now = Instant("2026-01-01T00:00:00Z")!

private let rules = AssignmentRules { name in
  ZoneRule(Array(name.utf8).span).map { rule in Zone { rule.offset(at: $0) } }
}
