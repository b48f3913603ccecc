/// The people of a calendar: colour, name, and their turns as a bar.
enum CalendarLegend {
  private static let perRow = 4
  private static let rowHeight = 62

  static func height(_ rota: Rota) -> Int { (rota.household.members.count + perRow - 1) / perRow * rowHeight }

  static func draw(_ rota: Rota, _ colors: [String], top: Int, into svg: inout XMLText) {
    let most = max(rota.chances.max() ?? 0, 1)
    let cell = (CalendarSVG.width - 2 * CalendarSVG.margin) / perRow
    for (index, member) in rota.household.members.enumerated() {
      let x = CalendarSVG.margin + index % perRow * cell
      let y = top + index / perRow * rowHeight
      let color = colors[index]
      let (turns, chances) = (rota.turns[index], rota.chances[index])
      svg.element("circle", ["cx": "\(x + 9)", "cy": "\(y + 15)", "r": "9", "fill": color])
      svg.element(
        "text", ["class": "person", "x": "\(x + 28)", "y": "\(y + 21)"],
        TextWidth.fitting(member.label, into: cell - 146, size: 17))
      svg.element(
        "text", ["class": "count", "x": "\(x + cell - 22)", "y": "\(y + 21)", "text-anchor": "end"],
        "\(turns) of \(chances)")
      svg.element(
        "text", ["class": "brief", "x": "\(x + 28)", "y": "\(y + 24)"],
        TextWidth.fitting(member.label, into: cell - 124, size: 27))
      svg.element(
        "text", ["class": "brief", "x": "\(x + cell - 22)", "y": "\(y + 24)", "text-anchor": "end"],
        "\(turns)")
      let full = cell - 22
      let bar = ["x": "\(x)", "y": "\(y + 34)", "height": "7", "rx": "3.5"]
      svg.element("rect", bar.merging(["class": "track", "width": "\(full)"]) { $1 })
      svg.element(
        "rect",
        bar.merging(["width": "\(full * chances / most)", "fill": color, "fill-opacity": "0.25"]) { $1 })
      svg.element("rect", bar.merging(["width": "\(full * turns / most)", "fill": color]) { $1 })
    }
  }
}

/// The colours of members: their own, or those that are told apart well.
enum MemberColors {
  private static let palette = [
    "#2f6fdb", "#d9572b", "#2b9a66", "#9a4fd1", "#c23b73", "#b3811f", "#1f8fa3", "#6b7280", "#5b7f1e",
    "#7a5cff",
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

  /// Six hex digits, in lower case; anything else is no colour.
  private static func color(_ text: String) -> String? {
    let digits = Array(text.utf8.drop { $0 == UInt8(ascii: "#") })
    guard digits.count == 6, digits.allSatisfy({ $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 6 }) else { return nil }
    return "#" + String(decoding: digits.map { $0 | 0x20 }, as: UTF8.self)
  }
}
