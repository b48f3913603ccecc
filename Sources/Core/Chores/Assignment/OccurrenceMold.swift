import JSONLines
import SyncCore

/// The lines of new occurrences of a template, complete but for ids and dates.
struct OccurrenceMold {
  /// For each member, last of all for nobody.
  private let lines: [[UInt8]]
  /// Where the id stands, both times.
  private let ids: (Int, Int)
  /// Where the due date stands.
  private let due: Int
  /// Where the date of planning stands, counted from the end, as what is before it differs.
  private let planned: Int

  init(_ template: Template, clock: Instant, in household: Household) {
    let (id, date) = (String(repeating: "?", count: 36), String(repeating: "?", count: 20))
    var line = Array("{\"entityName\":\"Occurrence\",\"identity\":{\"id\":\"".utf8)
    let first = line.count
    line += "\(id)\"},\"modifiedAt\":\"\(clock)\",\"fields\":{\"id\":\"".utf8
    ids = (first, line.count)
    line += Array("\(id)\",\"templateID\":".utf8) + template.spelling + Array(",\"dueDate\":\"".utf8)
    due = line.count
    line += "\(date)\",\"statusRaw\":\"pending\"".utf8
    let end = Array(",\"scheduledAt\":\"\(date)\"}}\n".utf8)
    planned = date.utf8.count + 4
    let assigned = Array(",\"assignedMemberID\":".utf8)
    lines = household.members.map { line + assigned + $0.spelling + end } + [line + end]
  }

  /// Appends a line: one copy, and then what differs is written over it.
  @inline(__always)
  func append(_ id: UUIDValue, due seconds: Int, member: Int?, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: lines[member ?? lines.count - 1])
    let end = bytes.count
    let (letters, date) = (id.letters, CivilText.letters(ofSeconds: seconds))
    var line = bytes.mutableSpan
    letters.store(in: &line, at: start + ids.0)
    letters.store(in: &line, at: start + ids.1)
    date.store(in: &line, at: start + due)
    date.store(in: &line, at: end - planned)
  }
}
