import Pairing
import SyncCore

/// The table of docs/formats/pairing.md.
enum PairingRows {
  static var text: String {
    MarkdownTable.text(
      ["side", "version", "state", "event", "actions", "next state"], PairingTable.rows.map(cells))
  }

  private static func cells(_ row: PairingTable.Row) -> [String] {
    [
      row.role.rawValue, row.versions.map { "\($0.rawValue)" }.joined(separator: ", "),
      row.states.map { "`\($0.rawValue)`" }.joined(separator: ", "), "`\(row.event.rawValue)`",
      row.actions.isEmpty ? "–" : row.actions.map(\.description).joined(separator: ", "),
      "`\(row.next.rawValue)`",
    ]
  }
}
