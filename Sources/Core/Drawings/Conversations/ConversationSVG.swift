import JSONLines

/// Conversations as a picture, one below the other.
///
/// Programs without support for style sheets draw it in light colors.
package struct ConversationSVG {
  private static let width = 960
  private static let margin = 24
  /// The positions of the two lifelines.
  private static let (left, right) = (136, 936)
  /// The room for text between the lifelines.
  private static let room = right - left - 32
  /// Programs that print pictures reject 32,768 pixels and more.
  private static let mostHeight = 32_000
  private static let lineHeight = 18

  private var svg = XMLText()
  private var y = margin
  package private(set) var leftOut: LeftOut
  package private(set) var text = ""

  package init(_ drawings: ConversationDrawings) {
    leftOut = drawings.leftOut
    for drawing in drawings.shown { draw(drawing) }
    let height = y + Self.margin / 2
    var whole = XMLText()
    whole.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width) \(height)\" width=\"\(Self.width)\" "
        + "height=\"\(height)\" role=\"img\" aria-label=\"Messages between two "
        + "peers\">\n<style>\(Self.style)</style>\n")
    whole.element("rect", ["class": "page", "width": "\(Self.width)", "height": "\(height)"])
    whole.raw(svg.text + "</svg>\n")
    text = whole.text
  }

  private mutating func draw(_ drawing: ConversationDrawing) {
    let heads = [ConversationSides.Side.left, .right].map { drawing.sides.head(of: $0) }
    let headHeight = 44 + (heads.map(\.count).max() ?? 0) * Self.lineHeight
    guard y + headHeight + 40 < Self.mostHeight else {
      return leftOut.add(line: drawing.rows[0].line, count: drawing.rows.count)
    }
    write("heading", Self.margin, y + 18, drawing.title)
    y += 44
    for (side, head) in zip([ConversationSides.Side.left, .right], heads) {
      for (index, line) in head.enumerated() {
        write(
          index == 0 ? "head" : "peer", side == .left ? Self.left : Self.right,
          y + index * Self.lineHeight + 12,
          TextWidth.fitting(line, into: 390, size: 13), anchor: side == .left ? "start" : "end")
      }
    }
    y += headHeight - 44 + 4
    let (top, place) = (y, svg)
    // The lifelines are drawn behind the rows, and have the same length.
    svg = XMLText()
    y += 6
    for index in drawing.rows.indices {
      let height = self.height(of: drawing.rows[index]) + 26
      guard y + height < Self.mostHeight else {
        leftOut.add(line: drawing.rows[index].line, count: drawing.rows.count - index)
        break
      }
      if let pause = drawing.pause(before: index) { draw(pause: pause) }
      draw(drawing.rows[index])
    }
    y += 6
    let rows = svg
    svg = place
    for x in [Self.left, Self.right] {
      svg.element("path", ["class": "life", "d": "M\(x) \(top)V\(y)"])
    }
    svg.raw(rows.text)
    y += 34
  }

  private func texts(_ text: String, size: Int) -> [String] {
    TextCells.wrapped(text) { TextWidth.pixels($0, size: size) <= Self.room }
  }

  private func height(of row: ConversationDrawing.Row) -> Int {
    let lines =
      [row.label].flatMap { texts($0, size: 14) }
      + (row.content + row.findings).flatMap { texts($0, size: 13) }
    return lines.count * Self.lineHeight + 20
  }

  private mutating func draw(pause: String) {
    y += 6
    svg.element(
      "rect", ["class": "pause", "x": "\(Self.left - 4)", "y": "\(y)", "width": "8", "height": "14"])
    svg.element(
      "rect", ["class": "pause", "x": "\(Self.right - 4)", "y": "\(y)", "width": "8", "height": "14"])
    write("faint", (Self.left + Self.right) / 2, y + 12, pause, anchor: "middle")
    y += 20
  }

  private mutating func draw(_ row: ConversationDrawing.Row) {
    let isLeft = row.side == .left
    svg.raw("<g class=\"\(row.isLost ? "lost" : "message")\">\n")
    for line in texts(row.label, size: 14) {
      y += Self.lineHeight
      write("label", isLeft ? Self.left + 14 : Self.right - 14, y - 3, line, anchor: isLeft ? "start" : "end")
    }
    y += 6
    if let time = row.time { write("faint", Self.left - 12, y + 4, time.timeOfDay, anchor: "end") }
    let (start, end, step) = isLeft ? (Self.left, Self.right, -9) : (Self.right, Self.left, 9)
    svg.element("path", ["class": "arrow", "d": "M\(start) \(y)H\(end + step)"])
    let head =
      row.isLost
      ? "M\(end + step - 5) \(y - 5)l10 10m0 -10l-10 10" : "M\(end) \(y)l\(step) -5v10z"
    svg.element("path", ["class": row.isLost ? "arrow cross" : "tip", "d": head])
    y += 6
    for line in row.content.flatMap({ texts($0, size: 13) }) {
      y += Self.lineHeight
      write("content", Self.left + 16, y - 4, line)
    }
    for line in row.findings.flatMap({ texts($0, size: 13) }) {
      svg.element(
        "rect",
        [
          "class": "flag", "x": "\(Self.left + 8)", "y": "\(y + 1)",
          "width": "\(Self.right - Self.left - 16)",
          "height": "\(Self.lineHeight)",
        ])
      y += Self.lineHeight
      write("finding", Self.left + 16, y - 4, line)
    }
    y += row.content.isEmpty && row.findings.isEmpty ? 2 : 8
    svg.raw("</g>\n")
  }

  private mutating func write(_ kind: String, _ x: Int, _ y: Int, _ text: String, anchor: String = "start") {
    svg.element("text", ["class": kind, "x": "\(x)", "y": "\(y)", "text-anchor": anchor], text)
  }

  private static let style = """

    text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:13px;fill:#1d2330}
    .page{fill:#fff}.heading{font-size:18px;font-weight:700}.head{font-weight:600}.peer,.faint{fill:#5c6575}.label{font-size:14px}
    .content{fill:#39414f}.life{stroke:#8b95a7;stroke-width:2;fill:none}.arrow{stroke:#2f6fdb;stroke-width:1.5;fill:none}.tip{fill:#2f6fdb}
    .lost .arrow{stroke:#c0392b;stroke-dasharray:5 4}.lost .cross{stroke-dasharray:none}.lost .label,.finding{fill:#a61b1b}
    .flag{fill:#fbe3e1}.pause{fill:#fff}
    @media (prefers-color-scheme:dark){
    text{fill:#e8ebf2}.page,.pause{fill:#14171d}.peer,.faint{fill:#a4aebe}.content{fill:#ccd3df}.life{stroke:#6d788b}
    .arrow{stroke:#7eaaf5}.tip{fill:#7eaaf5}.lost .arrow{stroke:#ff8a80}.lost .label,.finding{fill:#ffb4ac}.flag{fill:#4a2323}}

    """
}
