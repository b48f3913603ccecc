package import CommandLine
package import JSONLines
import SyncCore
import SystemIO

/// The list that a command prints: a table on a terminal, otherwise one JSON object per line.
package struct Listing: ~Copyable {
  /// A column of the table, from a member of the objects or of a nested object.
  package struct Column: Sendable {
    package enum Form: Sendable {
      case text, count
      /// An id, which is not cut so far that its beginning is no longer distinct.
      case id
      /// A time, shown as its age.
      case age
    }

    let title: String
    /// Possible paths to the member, with dots between the names; the first path that exists counts.
    let members: [String]
    let form: Form

    package init(_ title: String, _ members: String..., as form: Form = .text) {
      (self.title, self.members, self.form) = (title, members, form)
    }
  }

  private let columns: [Column]
  private let isTable: Bool
  private let now: Instant
  private var rows: [[String]] = []
  private var output = ByteOutput.standardOutput

  package init(_ columns: [Column], _ settings: ListingSettings) {
    self.columns = columns
    isTable = settings.isForPeople
    now = .wallClock
  }

  /// Adds an object; in a table, `name` replaces the text of the first column.
  package mutating func add(_ row: JSONValue, named name: String? = nil) throws {
    if isTable {
      var cells = columns.map { $0.text(of: row, now) }
      if let name { cells[0] = name.shown(upTo: 200) }
      return rows.append(cells)
    }
    try output.write(Array("\(row.text)\n".utf8))
  }

  /// Adds an object in its given spelling, without its line feed.
  package mutating func add(line: [UInt8]) throws {
    if isTable { return try add(JSONValue(parsing: line.span)) }
    try output.write(line + [10])
  }

  /// Writes the remaining output; `none` replaces an empty table.
  package mutating func finish(none: String, on console: Console) throws {
    if isTable {
      if rows.isEmpty { console.note(none) }
      try output.write(Array(table(width: TerminalSize.ofStandardOutput?.columns ?? 100).utf8))
    }
    try output.flush()
  }

  /// The table without empty columns; long texts are cut if the terminal is too narrow.
  private func table(width: Int) -> String {
    let shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    if shown.isEmpty { return "" }
    let lines = [shown.map { columns[$0].title.uppercased() }] + rows.map { row in shown.map { row[$0] } }
    var widths = shown.indices.map { column in lines.map { TextCells.width($0[column]) }.max() ?? 0 }
    let gaps = 2 * (shown.count - 1)
    let narrowest = shown.map { columns[$0].form == .id ? Self.narrowestID : Self.narrowest }
    while widths.reduce(gaps, +) > width,
      let widest = widths.indices.filter({ widths[$0] > narrowest[$0] }).max(by: { widths[$0] < widths[$1] })
    {
      widths[widest] -= 1
    }
    return lines.map { line in
      let cells = shown.indices.map { column in
        TextCells.padded(
          TextCells.fitting(line[column], into: widths[column]), to: widths[column],
          atEnd: columns[shown[column]].form != .count)
      }
      return TextCells.trimmed(cells.joined(separator: "  ")) + "\n"
    }.joined()
  }

  /// The smallest width of a cut text, in columns of the terminal.
  private static let narrowest = 8
  /// The smallest width of a cut id, in which the id of a server's key is whole: its commands need all of it.
  private static let narrowestID = 16
}

extension Listing.Column {
  fileprivate func text(of row: JSONValue, _ now: Instant) -> String {
    let value = members.lazy.compactMap { path in
      path.split(separator: ".").reduce(row as JSONValue?) { $0?[String($1)] }
    }.first { $0 != .null }
    guard let value else { return "" }
    guard form == .age, let time = value.stringValue.flatMap({ Instant($0) }) else { return Self.text(value) }
    return Self.age(of: time, now)
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .bool(let bool): bool ? "yes" : "no"
    case .string(let text): text.shown(upTo: 200)
    case .array(let values): values.map { text($0) }.joined(separator: ", ")
    case .object, .number: value.text.shown(upTo: 200)
    }
  }

  private static func age(of time: Instant, _ now: Instant) -> String {
    let seconds = Int(now.seconds - time.seconds)
    let size = abs(seconds)
    let text =
      switch size {
      case ..<60: "just now"
      case ..<3_600: "\(size / 60) min"
      case ..<172_800: "\(size / 3_600) h"
      case ..<(14 * 86_400): "\(size / 86_400) days"
      default: String(time.description.prefix(10))
      }
    if size < 60 || size >= 14 * 86_400 { return text }
    return seconds < 0 ? "in \(text)" : "\(text) ago"
  }
}
