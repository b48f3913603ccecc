import JSONLines
import CommandLine

/// The tables of docs/exit-status.md.
enum ExitStatusTables {
  static var statuses: String {
    table(["status", "meaning"], ExitStatus.table.map { ["\($0.status.rawValue)", $0.meaning] })
  }

  static var codes: String {
    let rows = ErrorCode.allCases.map { ["`\($0.rawValue)`", "\($0.exit.rawValue)", $0.meaning] }
    return table(["code", "status", "meaning"], rows)
  }

  private static func table(_ heading: [String], _ rows: [[String]]) -> String {
    MarkdownTable.text(heading, rows)
  }
}

/// A table as Markdown has it.
enum MarkdownTable {
  static func text(_ heading: [String], _ rows: [[String]]) -> String {
    let rule = heading.map { _ in "---" }
    return ([heading, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}
