/// Rows in columns as wide as their widest text.
struct TextTable {
  private let rows: [[String]]
  /// The columns that stand right.
  private let numbers: Set<Int>

  init(_ rows: [[String]], numbers: Set<Int>) { (self.rows, self.numbers) = (rows, numbers) }

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in line(row, widths) + "\n" }.joined()
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    let cells = row.enumerated().map { column, text in
      let blanks = String(repeating: " ", count: widths[column] - text.count)
      return numbers.contains(column) ? blanks + text : text + blanks
    }
    var line = "  " + cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
