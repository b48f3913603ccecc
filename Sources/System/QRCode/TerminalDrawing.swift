/// A symbol as text for a terminal, with its quiet zone.
///
/// It is dark on light with any terminal colours: it uses black and white of the 256-colour cube, which
/// colour schemes do not change. Each line resets the colours at its end.
package struct TerminalDrawing: Sendable {
  package enum Style: Sendable {
    /// Two rows of modules per line, with the block characters of Unicode.
    case halfBlocks
    /// One row of modules per line, two blanks per module: for fonts without block characters or with gaps in
    /// them.
    case full
  }

  private let symbol: QRSymbol
  private let style: Style

  package init(_ symbol: QRSymbol, _ style: Style) {
    self.symbol = symbol
    self.style = style
  }

  package var columns: Int { style == .full ? 2 * symbol.outerSide : symbol.outerSide }
  package var rows: Int { style == .full ? symbol.outerSide : (symbol.outerSide + 1) / 2 }

  /// Whether a terminal can show the drawing: scanners cannot read wrapped or scrolled rows, and the prompt
  /// below needs a row.
  package func fits(columns: Int, rows: Int) -> Bool { self.columns <= columns && self.rows < rows }

  package var text: String {
    switch style {
    case .halfBlocks: (0..<rows).map { halfBlockLine(2 * $0) }.joined()
    case .full: (0..<rows).map(fullLine).joined()
    }
  }

  private static let reset = "\u{1b}[0m\n"

  /// Black characters on white; with an odd number of rows the last half row is white.
  private func halfBlockLine(_ row: Int) -> String {
    let blocks = (0..<columns).map { column in
      switch (symbol.isDark(row: row, column: column), symbol.isDark(row: row + 1, column: column)) {
      case (true, true): "█"
      case (true, false): "▀"
      case (false, true): "▄"
      case (false, false): " "
      }
    }
    return "\u{1b}[38;5;16;48;5;231m" + blocks.joined() + Self.reset
  }

  /// A line that sets colours only where they change.
  private func fullLine(_ row: Int) -> String {
    var line = ""
    var isLastDark: Bool?
    for column in 0..<symbol.outerSide {
      let isDark = symbol.isDark(row: row, column: column)
      if isDark != isLastDark { line += isDark ? "\u{1b}[48;5;16m" : "\u{1b}[48;5;231m" }
      line += "  "
      isLastDark = isDark
    }
    return line + Self.reset
  }
}
