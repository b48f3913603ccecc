import Chores

/// The members of a calendar: their colours and names, and their turns as bars.
enum CalendarLegend {
  private static let rowHeight = 54
  private static let gap = 22

  static func height(_ page: CalendarPage, inRow count: Int) -> Int {
    (page.rota.household.members.count + count - 1) / count * rowHeight
  }

  static func draw(
    _ page: CalendarPage, _ area: (left: Int, top: Int, width: Int), inRow count: Int, into svg: inout XMLText
  ) {
    let cell = (area.width + gap) / count
    for index in page.rota.household.members.indices {
      let (x, y) = (area.left + index % count * cell, area.top + index / count * rowHeight)
      svg.raw("<g>")
      drawPerson(page, index, x, y, width: cell - gap, &svg)
      svg.raw("</g>\n")
    }
  }

  private static func drawPerson(
    _ page: CalendarPage, _ index: Int, _ x: Int, _ y: Int, width: Int, _ svg: inout XMLText
  ) {
    let (rota, color) = (page.rota, page.colors[index])
    let (turns, chances) = (rota.turns[index], rota.chances[index])
    let label = rota.household.members[index].label
    svg.element("title", [:], "\(label): \(turns) turns, present on \(chances) of the dates")
    svg.element("circle", ["cx": "\(x + 7)", "cy": "\(y + 11)", "r": "7", "fill": color])
    svg.element(
      "text", ["class": "person", "x": "\(x + 22)", "y": "\(y + 17)"],
      TextWidth.fitting(label, into: width - 34, size: 16))
    // Bars are relative to the longest one: a tinted bar for possible dates, and a solid bar for turns.
    let full = width - 34
    let bar = ["x": "\(x)", "y": "\(y + 27)", "height": "7", "rx": "3.5"]
    func drawBar(_ attributes: [String: String], _ part: Int, of most: Int) {
      let own = ["width": "\(full * part / max(most, 1))"].merging(attributes) { $1 }
      svg.element("rect", bar.merging(own) { $1 })
    }
    drawBar(["class": "track"], 1, of: 1)
    drawBar(["class": "tint", "fill": color], chances, of: rota.chances.max() ?? 0)
    drawBar(["fill": color], turns, of: rota.turns.max() ?? 0)
    svg.element(
      "text", ["class": "count", "x": "\(x + width)", "y": "\(y + 35)", "text-anchor": "end"], "\(turns)")
  }
}

/// The colours of members: their own colours, or colours that are easy to distinguish.
enum MemberColors {
  private static let palette = [
    "#2f6fdb", "#e0622b", "#2b9a66", "#9a4fd1", "#d1437f", "#c2951a", "#1f8fa3", "#6b7280", "#6c8a1d",
    "#8a5a3b",
  ]

  static func colors(of household: Household) -> [String] {
    let own = household.members.map { color($0.color ?? "") }
    let taken = Set(own.compactMap { $0 })
    let free = palette.filter { !taken.contains($0) }
    var next = 0
    return own.map { color in
      if let color { return color }
      defer { next += 1 }
      return free.isEmpty ? palette[next % palette.count] : free[next % free.count]
    }
  }

  /// Six hex digits, in lower case; anything else is not a colour.
  private static func color(_ text: String) -> String? {
    let digits = Array(text.utf8.drop { $0 == UInt8(ascii: "#") })
    guard digits.count == 6, digits.allSatisfy({ $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 6 }) else { return nil }
    return "#" + String(decoding: digits.map { $0 | 0x20 }, as: UTF8.self)
  }
}
