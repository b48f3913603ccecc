/// A rota as a picture: a calendar of weeks with a card for each turn, and how many turns everybody has.
///
/// It fills the width that it is given. On a narrow screen the cards show only whose they are, in larger letters.
package struct CalendarSVG {
  static let width = 1_120
  static let margin = 24
  static let column = 153
  static let header = 92
  static let dayHeight = 34
  static let cardHeight = 38
  static let mostCards = 6

  private let rota: Rota
  private let today: Int
  private let colors: [String]
  private var svg = XMLText()

  package init(_ rota: Rota) {
    self.rota = rota
    today = rota.days.lowerBound
    colors = MemberColors.colors(of: rota.household)
  }

  /// The whole document.
  package func text() -> String {
    var copy = self
    copy.draw()
    return copy.svg.text
  }

  private mutating func draw() {
    let weeks = self.weeks
    let top = Self.header + CalendarLegend.height(rota) + 40
    let height = top + weeks.reduce(0) { $0 + $1.height } + Self.margin
    svg.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width) \(height)\" width=\"100%\" preserveAspectRatio=\"xMidYMin meet\" role=\"img\" "
        + "aria-label=\"Whose turn it is\">\n<style>\(CalendarStyle.text)</style>\n"
        + "<rect class=\"page\" width=\"\(Self.width)\" height=\"\(height)\"/>\n")
    svg.element("text", ["class": "heading", "x": "\(Self.margin)", "y": "46"], "Whose turn it is")
    svg.element("text", ["class": "range", "x": "\(Self.margin)", "y": "72"], range)
    CalendarLegend.draw(rota, colors, top: Self.header, into: &svg)
    for (column, name) in CivilText.weekdays.enumerated() {
      svg.element("text", ["class": "weekday", "x": "\(left(column) + 8)", "y": "\(top - 12)"], name)
    }
    var y = top
    for week in weeks {
      for column in 0..<7 { drawDay(week.monday + column, column, y, week) }
      y += week.height
    }
    svg.raw("</svg>\n")
  }

  // MARK: Weeks

  private struct Week {
    var monday: Int
    var days: [[Rota.Entry]]
    var height: Int
  }

  private var weeks: [Week] {
    let byDay = Dictionary(grouping: rota.entries, by: \.day)
    let first = rota.days.lowerBound - CivilText.weekdayIndex(rota.days.lowerBound)
    return stride(from: first, through: rota.days.upperBound, by: 7).map { monday in
      let days = (0..<7).map { byDay[monday + $0] ?? [] }
      let most = days.map { min($0.count, Self.mostCards) + ($0.count > Self.mostCards ? 1 : 0) }.max() ?? 0
      return Week(monday: monday, days: days, height: Self.dayHeight + max(most, 1) * Self.cardHeight + 10)
    }
  }

  private var range: String {
    "\(Self.longDate(rota.days.lowerBound)) to \(Self.longDate(rota.days.upperBound))"
  }

  private static func longDate(_ day: Int) -> String {
    let (year, month, day) = Civil.date(of: day)
    return "\(day) \(CivilText.months[month - 1]) \(year)"
  }

  private func left(_ column: Int) -> Int { Self.margin + column * Self.column }

  // MARK: Days

  private mutating func drawDay(_ day: Int, _ column: Int, _ y: Int, _ week: Week) {
    let (_, month, number) = Civil.date(of: day)
    let isOutside = !rota.days.contains(day)
    let kind = isOutside ? "day outside" : month % 2 == 0 ? "day even" : "day odd"
    svg.element(
      "rect",
      [
        "class": kind + (day == today ? " today" : ""), "x": "\(left(column) + 2)", "y": "\(y + 2)",
        "width": "\(Self.column - 4)", "height": "\(week.height - 4)", "rx": "8",
      ])
    let isNamed = number == 1 || day == rota.days.lowerBound
    let label = isNamed ? "\(number) \(CivilText.months[month - 1].prefix(3))" : "\(number)"
    svg.element(
      "text",
      [
        "class": isOutside ? "date faint" : isNamed ? "date strong" : "date", "x": "\(left(column) + 12)",
        "y": "\(y + 24)",
      ],
      label)
    let entries = week.days[column]
    let shown = entries.count > Self.mostCards ? entries.prefix(Self.mostCards) : entries[...]
    for (row, entry) in shown.enumerated() {
      drawCard(entry, left(column) + 8, y + Self.dayHeight + row * Self.cardHeight)
    }
    if entries.count > shown.count {
      let y = y + Self.dayHeight + shown.count * Self.cardHeight + 20
      svg.element(
        "text", ["class": "more", "x": "\(left(column) + 12)", "y": "\(y)"],
        "+ \(entries.count - shown.count)")
    }
  }

  private mutating func drawCard(_ entry: Rota.Entry, _ x: Int, _ y: Int) {
    let width = Self.column - 16
    let color = entry.member.map { colors[$0] } ?? "#8a8f98"
    let name = rota.name(entry) ?? "nobody"
    let time = CivilText.time(entry.secondOfDay)
    svg.raw("<g class=\"card \(entry.reason)\">")
    svg.element("title", [:], "\(rota.title(entry)), \(CivilText.date(entry.day)) \(time): \(name)")
    svg.element(
      "rect",
      [
        "x": "\(x)", "y": "\(y)", "width": "\(width)", "height": "\(Self.cardHeight - 4)", "rx": "6",
        "fill": color,
        "fill-opacity": entry.member == nil ? "0.10" : "0.18",
      ])
    svg.element(
      "rect",
      ["x": "\(x)", "y": "\(y)", "width": "5", "height": "\(Self.cardHeight - 4)", "rx": "2", "fill": color])
    let mark = entry.reason == .done ? "✓ " : entry.reason == .overridden ? "⇄ " : ""
    let inner = width - 26
    svg.element(
      "text", ["class": "title", "x": "\(x + 12)", "y": "\(y + 15)"],
      TextWidth.fitting(mark + rota.title(entry), into: inner, size: 13))
    svg.element(
      "text", ["class": "who", "x": "\(x + 12)", "y": "\(y + 29)"],
      TextWidth.fitting("\(name) · \(time)", into: inner, size: 11))
    svg.element(
      "text", ["class": "initial", "x": "\(x + width / 2 + 2)", "y": "\(y + 27)", "text-anchor": "middle"],
      initial(entry))
    svg.raw("</g>\n")
  }

  private func initial(_ entry: Rota.Entry) -> String {
    entry.member == nil ? "–" : TextWidth.fitting(rota.name(entry) ?? "", into: 112, size: 27)
  }
}
