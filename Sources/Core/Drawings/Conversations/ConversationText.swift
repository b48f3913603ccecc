import JSONLines

/// Conversations as text for a terminal: two lifelines, and an arrow for each message.
package struct ConversationText {
  private let width: Int
  /// Whether findings are red and times are faint.
  private let isColored: Bool
  /// The width of the column of times; 0 on a narrow terminal.
  private var column: Int { width >= 50 ? 14 : 0 }
  /// The cells between the lifelines.
  private var inner: Int { width - column - 2 }

  /// `width` is at least ``narrowest``.
  package init(width: Int, isColored: Bool) {
    (self.width, self.isColored) = (max(width, Self.narrowest), isColored)
  }

  package static let narrowest = 20

  package func text(_ drawings: ConversationDrawings) -> String {
    drawings.shown.map { lines(of: $0).map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private func lines(of drawing: ConversationDrawing) -> [String] {
    var lines = TextCells.wrapped(drawing.title, into: width) + [""]
    lines += head(of: drawing.sides)
    for index in drawing.rows.indices {
      if let pause = drawing.pause(before: index) { lines += between(pause, "┊") }
      lines += draw(drawing.rows[index])
    }
    return lines
  }

  /// The names of the sides in the corners, below each other if they do not fit beside each other.
  private func head(of sides: ConversationSides) -> [String] {
    let (left, right) = (sides.head(of: .left), sides.head(of: .right))
    let room = inner + 2
    let areBeside = (0..<max(left.count, right.count)).allSatisfy { row in
      let words = [left, right].map { $0.count > row ? TextCells.width($0[row]) : 0 }
      return words[0] + words[1] + 2 <= room
    }
    func onLeft(_ text: String) -> String { TextCells.fitting(text, into: room) }
    func onRight(_ text: String) -> String {
      TextCells.padded(TextCells.fitting(text, into: room), to: room, atEnd: false)
    }
    let lines =
      areBeside
      ? (0..<max(left.count, right.count)).map { row in
        let first = left.count > row ? left[row] : ""
        return first
          + TextCells.padded(
            right.count > row ? right[row] : "", to: room - TextCells.width(first), atEnd: false)
      } : left.map(onLeft) + right.map(onRight)
    return lines.map { margin("") + TextCells.trimmed($0) }
  }

  private func draw(_ row: ConversationDrawing.Row) -> [String] {
    let texts = TextCells.wrapped(row.label, into: inner - 5)
    var lines = [margin(row.time?.timeOfDay ?? "") + arrow(texts[0], row)]
    lines += texts.dropFirst().flatMap { between($0) }
    lines += row.content.flatMap { between($0) }
    lines += row.findings.flatMap { between("! " + $0, isMarked: true) }
    return lines
  }

  private func arrow(_ label: String, _ row: ConversationDrawing.Row) -> String {
    let shaft = row.isLost ? "╌" : "─"
    let rest = String(repeating: shaft, count: inner - 4 - TextCells.width(label))
    let text = row.isLost ? marked(label) : label
    return row.side == .left
      ? "├\(shaft) \(text) \(rest)\(row.isLost ? "╳" : "▶")│"
      : "│\(row.isLost ? "╳" : "◀")\(shaft) \(text) \(rest)┤"
  }

  /// Lines of text between the lifelines.
  private func between(_ text: String, _ life: String = "│", isMarked: Bool = false) -> [String] {
    TextCells.wrapped(text, into: inner - 4).map { line in
      let padded = TextCells.padded(line, to: inner - 4)
      return margin("") + "\(life)  \(isMarked ? marked(padded) : padded)  \(life)"
    }
  }

  private func margin(_ time: String) -> String {
    guard column > 0 else { return "" }
    let text = TextCells.padded(time, to: column)
    return isColored && !time.isEmpty ? "\u{1b}[2m\(text)\u{1b}[0m" : text
  }

  private func marked(_ text: String) -> String { isColored ? "\u{1b}[1;31m\(text)\u{1b}[0m" : text }
}
