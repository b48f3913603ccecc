package import JSONLines
import SyncCore

/// Why a member has a turn.
package struct TurnExplanation {
  private struct Standing {
    var member: Member
    var turns: Int
    var level: Int
    var note: String
  }

  private let found: OccurrenceFinder.Found
  private let household: Household
  private let standings: [Standing]

  package init(_ found: OccurrenceFinder.Found, in household: Household) {
    (self.found, self.household) = (found, household)
    let walk = found.walk
    standings =
      found.turn == nil
      ? []
      : walk.order.members.map { index in
        Standing(
          member: household.members[index], turns: walk.book.turns[index], level: walk.book.levels[index],
          note: Self.note(index, found))
      }
  }

  private static func note(_ index: Int, _ found: OccurrenceFinder.Found) -> String {
    let walk = found.walk
    var notes: [String] = []
    if found.turn?.holder == index { notes.append("has this turn") }
    if !walk.attendance.isPresent[index] { notes.append("not there") }
    if walk.book.last == index { notes.append("had the last turn") }
    return notes.joined(separator: ", ")
  }

  private var reason: String {
    guard let turn = found.turn else { return "not planned" }
    return switch turn.reason {
    case .done: "done"
    case .skipped: "skipped"
    case .overridden: "overridden"
    case .given: turn.holder == nil ? "nobody is present" : "given by \(found.template.record.rule.rawValue)"
    }
  }

  private var holder: Member? { found.turn?.holder.map { household.members[$0] } }

  /// The date, the second of the day and the zone; those of UTC if the local date cannot be written.
  private var moment: (day: Int, second: Int, zone: String) {
    guard !Civil.isWritable(found.day), let due = found.due else {
      return (found.day, found.walk.schedule.secondOfDay, found.template.record.zoneName ?? "UTC")
    }
    let (day, second) = Zone.utc.local(due)
    return (day, second, "UTC")
  }

  /// The explanation as one JSON object.
  package var value: JSONValue {
    var members: [JSONMember] = [
      JSONMember("occurrenceID", .string(found.id)),
      JSONMember("templateID", found.template.record.spelledID),
      JSONMember("date", .string(CivilText.date(moment.day))), JSONMember("reason", .string(reason)),
    ]
    if let holder { members.append(JSONMember("memberID", holder.spelledID)) }
    let list = standings.map { standing in
      JSONValue.object([
        JSONMember("memberID", standing.member.spelledID), JSONMember("turns", .integer(standing.turns)),
        JSONMember("level", .integer(standing.level)), JSONMember("note", .string(standing.note)),
      ])
    }
    members.append(JSONMember("standings", .array(list)))
    return .object(members)
  }

  /// The explanation as text for people.
  package var text: String {
    let (day, second, zone) = moment
    let date = "\(CivilText.weekday(day)) \(CivilText.date(day)) \(CivilText.time(second)) \(zone)"
    let title = "\(found.template.record.label.escapingControls), \(date)\n"
    let outcome = "\(holder?.label.escapingControls ?? "nobody"): \(reason)\n"
    guard !standings.isEmpty else { return title + outcome }
    let rows =
      [["", "turns", "level", ""]]
      + standings.map { [$0.member.label.escapingControls, "\($0.turns)", "\($0.level)", $0.note] }
    return title + outcome + TextTable(rows, numbers: [1, 2]).text
  }
}

/// A table with columns as wide as their widest text.
struct TextTable {
  private let rows: [[String]]
  /// The right-aligned columns.
  private let numbers: Set<Int>

  init(_ rows: [[String]], numbers: Set<Int>) { (self.rows, self.numbers) = (rows, numbers) }

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.count > column ? TextCells.width($0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in line(row, widths) + "\n" }.joined()
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    let cells = row.enumerated().map { column, text in
      TextCells.padded(text, to: widths[column], atEnd: !numbers.contains(column))
    }
    return TextCells.trimmed("  " + cells.joined(separator: "  "))
  }
}
