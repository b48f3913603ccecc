@testable import Chores
import JSONLines
import SyncCore
import TestSupport
import Testing

/// A household in a test, as the lines of one device.
struct Home {
  var lines: [String] = []

  static let rules = AssignmentRules { TestZones.zone($0) }
  static let merging = try! ChangeRules(profile: "chores")

  init(_ members: [String], joined: String = "2026-01-01T00:00:00Z") {
    for member in members { add(member: member, joined: joined) }
  }

  mutating func add(
    member: String, joined: String = "2026-01-01T00:00:00Z", at clock: String = "2026-01-01T00:00:00Z"
  ) {
    lines.append(
      #"{"entity":"Member","id":"\#(member)","displayName":"\#(member)","createdAt":"\#(joined)","updatedAt":"\#(clock)"}"#
    )
  }

  mutating func add(
    template: String, every value: Int = 1, _ unit: String = "weeks",
    from start: String = "2026-01-05T18:00:00Z",
    at clock: String = "2026-01-01T00:00:00Z", _ more: String = ""
  ) {
    lines.append(
      #"{"entity":"Template","id":"\#(template)","title":"\#(template)","cadenceUnitRaw":"\#(unit)","cadenceValue":\#(value),"startDate":"\#(start)","updatedAt":"\#(clock)"\#(more.isEmpty ? "" : ",")\#(more)}"#
    )
  }

  mutating func complete(_ turn: Turn, by member: String, at moment: String, id: String? = nil) {
    let event = id ?? "c-\(turn.id)-\(member)"
    lines.append(
      #"{"entity":"CompletionEvent","id":"\#(event)","occurrenceID":"\#(turn.id)","memberID":"\#(member)","timestamp":"\#(moment)"}"#
    )
    end(turn, "completed", at: moment)
  }

  mutating func skip(_ turn: Turn, at moment: String) { end(turn, "skipped", at: moment) }

  private mutating func end(_ turn: Turn, _ status: String, at moment: String) {
    let assigned = turn.member.map { #""assignedMemberID":"\#($0)","# } ?? ""
    lines.append(
      #"{"entityName":"Occurrence","identity":{"id":"\#(turn.id)"},"modifiedAt":"\#(moment)","fields":{"id":"\#(turn.id)","templateID":"\#(turn.template)","dueDate":"\#(turn.due)","statusRaw":"\#(status)",\#(assigned)"completedAt":"\#(moment)"}}"#
    )
  }

  mutating func override(_ turn: Turn, with member: String, at moment: String) {
    lines.append(
      #"{"entity":"Override","id":"\#(turn.id)","occurrenceID":"\#(turn.id)","memberID":"\#(member)","updatedAt":"\#(moment)"}"#
    )
  }

  mutating func absence(
    of member: String, _ first: String, _ last: String, at clock: String = "2026-01-01T00:00:00Z",
    _ more: String = ""
  ) {
    lines.append(
      #"{"entity":"Absence","id":"\#(member)-\#(first)","memberID":"\#(member)","firstDay":"\#(first)","lastDay":"\#(last)","updatedAt":"\#(clock)"\#(more)}"#
    )
  }

  var text: [UInt8] { Array(lines.map { "\($0)\n" }.joined().utf8) }

  /// Assigns, merges what came of it, and gives the lines that were written.
  @discardableResult
  mutating func assign(_ now: String, days: Int = 84) throws -> [UInt8] {
    let written = try Self.rules.assign(
      [text], Horizon(now: Instant(now)!, until: .after(.seconds(days * 86_400))))
    let merged = try Self.merging.merge([text, written])
    lines = String(decoding: merged, as: UTF8.self).split(separator: "\n").map(String.init)
    return written
  }

  /// The lines that remain after a `prune`, with the summaries, and those that are put away.
  func pruned(_ now: String, days: Int) throws -> (kept: [String], archived: [String]) {
    let merged = try Self.merging.merge([text])
    let household = try Self.rules.household([merged])
    let pruning = Pruning(household, now: Instant(now)!, olderThan: .seconds(days * 86_400))
    var (kept, archived): ([String], [String]) = ([], [])
    // The household's text has the lines that it has read, in their order.
    var next = 0
    for line in String(decoding: merged, as: UTF8.self).split(separator: "\n").map(String.init) {
      let own = try Self.rules.record(line)
      let isRead = household.text[next...].starts(with: line.utf8)
      let start = isRead ? next : -1
      if isRead { next += line.utf8.count }
      if pruning.takesAway(own, at: start) { archived.append(line) } else { kept.append(line) }
    }
    return (kept + pruning.summaries.map { String(decoding: $0.text, as: UTF8.self) }, archived)
  }

  /// All live occurrences as they now are, in the order of their dates.
  func turns(of template: String? = nil) throws -> [Turn] {
    let merged = try Self.merging.merge([text], tombstones: false)
    return String(decoding: merged, as: UTF8.self).split(separator: "\n").compactMap { Turn(String($0)) }
      .filter { template == nil || $0.template == template }.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
  }
}

/// An occurrence as a line contains it.
struct Turn: Equatable {
  var id: String
  var template: String
  var due: String
  var status: String
  var member: String?

  init?(_ line: String) {
    guard let value = try? JSONValue(parsing: Array(line.utf8).span) else { return nil }
    let isOccurrence =
      value["entityName"]?.stringValue == "Occurrence" || value["entity"]?.stringValue == "Occurrence"
    let fields = value["fields"] ?? value
    guard isOccurrence, let id = value["identity"]?["id"]?.stringValue ?? value["id"]?.stringValue,
      let template = fields["templateID"]?.stringValue, let due = fields["dueDate"]?.stringValue
    else { return nil }
    (self.id, self.template, self.due) = (id, template, due)
    status = fields["statusRaw"]?.stringValue ?? "pending"
    member = fields["assignedMemberID"]?.stringValue
  }

  var date: String { String(due.prefix(10)) }
}
