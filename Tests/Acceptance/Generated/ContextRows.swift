import Devices
import SyncCore

/// The table of docs/formats/application-context.md.
enum ContextRows {
  static var text: String {
    MarkdownTable.text(["side", "state", "event", "does", "next state"], ContextTable.rows.map(cells))
  }

  private static func cells(_ row: ContextTable.Row) -> [String] {
    [
      row.role.rawValue, row.states.map { "`\($0.rawValue)`" }.joined(separator: ", "),
      "`\(row.event.rawValue)`",
      row.does.isEmpty ? "–" : row.does.map { "`\($0.rawValue)`" }.joined(separator: ", "),
      row.next.map { "`\($0.rawValue)`" } ?? "the same",
    ]
  }
}
