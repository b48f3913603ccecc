/// Terms on the left and their explanations, wrapped, on the right: 80 columns together.
struct Columns {
  private static let margin = 2
  private static let widestTerm = 22
  var rows: [(term: String, text: String)]

  var text: String {
    let width = rows.map(\.term.count).filter { $0 <= Self.widestTerm }.max() ?? Self.widestTerm
    return rows.map { row($0, termWidth: width) }.joined()
  }

  /// A term too wide for its column has a line of its own.
  private func row(_ row: (term: String, text: String), termWidth: Int) -> String {
    let start = Self.margin + termWidth + 2
    let lines = Wrapping.lines(row.text, width: 80 - start)
    let term = blanks(Self.margin) + row.term
    let rest = lines.map { blanks(start) + $0 + "\n" }
    guard row.term.count <= termWidth, let first = lines.first else {
      return term + "\n" + rest.joined()
    }
    return term + blanks(start - term.count) + first + "\n" + rest.dropFirst().joined()
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
