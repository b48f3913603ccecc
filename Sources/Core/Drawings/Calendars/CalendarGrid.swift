import Chores
import SyncCore

/// The calendar for wide screens and for paper: one row for each week, with a card for each turn.
struct CalendarGrid {
  static let width = 1_120
  private static let margin = 24
  private static let column = 153
  private static let header = 92
  private static let peopleInRow = 4
  private static let dayHeight = 34
  private static let cardHeight = 38
  private static let mostCards = 12

  private struct Week {
    var monday: Int
    var top: Int
    var height: Int
  }

  private let page: CalendarPage
  /// The top of the weeks.
  private let top: Int
  private let weeks: [Week]
  let height: Int

  init(_ page: CalendarPage) {
    self.page = page
    top = Self.header + CalendarLegend.height(page, inRow: Self.peopleInRow) + 46
    let days = page.rota.days
    var (weeks, y) = ([Week](), top)
    for monday in stride(
      from: days.lowerBound - CivilText.weekdayIndex(days.lowerBound), through: days.upperBound, by: 7)
    {
      let most = (0..<7).map { Self.lines(page.entries[monday + $0]?.count ?? 0) }.max() ?? 0
      weeks.append(Week(monday: monday, top: y, height: Self.dayHeight + max(most, 1) * Self.cardHeight + 10))
      y += weeks[weeks.count - 1].height
    }
    (self.weeks, height) = (weeks, y + Self.margin)
  }

  /// The number of lines for this many turns; turns without room share the last line.
  private static func lines(_ turns: Int) -> Int { min(turns, mostCards + 1) }

  private static func left(_ column: Int) -> Int { margin + column * self.column }

  func draw(into svg: inout XMLText) {
    svg.element("text", ["class": "heading", "x": "\(Self.margin)", "y": "46"], CalendarPage.heading)
    svg.element("text", ["class": "range", "x": "\(Self.margin)", "y": "72"], page.range)
    CalendarLegend.draw(
      page, (left: Self.margin, top: Self.header, width: Self.width - 2 * Self.margin),
      inRow: Self.peopleInRow,
      into: &svg)
    for (column, name) in CivilText.weekdays.enumerated() {
      svg.element("text", ["class": "weekday", "x": "\(Self.left(column) + 12)", "y": "\(top - 12)"], name)
    }
    for week in weeks { for column in 0..<7 { drawDay(week, column, &svg) } }
    for week in weeks { drawMonth(week, &svg) }
  }

  /// The line between two months.
  private func drawMonth(_ week: Week, _ svg: inout XMLText) {
    guard let column = (0..<7).first(where: { Civil.date(of: week.monday + $0).day == 1 }) else { return }
    let first = week.monday + column
    guard first > page.rota.days.lowerBound, first <= page.rota.days.upperBound else { return }
    let step =
      column == 0 ? "" : "M\(Self.left(0)) \(week.top + week.height)H\(Self.left(column))V\(week.top)"
    let start = column == 0 ? "M\(Self.left(0)) \(week.top)" : ""
    svg.element("path", ["class": "month", "d": "\(step)\(start)H\(Self.left(7))"])
  }

  private func drawDay(_ week: Week, _ column: Int, _ svg: inout XMLText) {
    let day = week.monday + column
    let (_, month, number) = Civil.date(of: day)
    let isOutside = !page.rota.days.contains(day)
    let isToday = day == page.today
    let x = Self.left(column)
    svg.element(
      "rect",
      [
        "class": "day " + (isOutside ? "outside" : isToday ? "today" : month % 2 == 0 ? "even" : "odd"),
        "x": "\(x + 3)", "y": "\(week.top + 3)", "width": "\(Self.column - 6)",
        "height": "\(week.height - 6)",
        "rx": "8",
      ])
    let isStrong = !isOutside && (number == 1 || isToday)
    svg.element(
      "text",
      [
        "class": isOutside ? "date faint" : isStrong ? "date strong" : "date", "x": "\(x + 12)",
        "y": "\(week.top + 24)",
      ],
      isToday
        ? "Today, \(number) \(CalendarPage.month(month).prefix(3))"
        : isStrong ? "\(number) \(CalendarPage.month(month))" : "\(number)")
    drawCards(page.entries[day] ?? [], x + 8, week.top + Self.dayHeight, &svg)
  }

  private func drawCards(_ entries: [Rota.Entry], _ x: Int, _ top: Int, _ svg: inout XMLText) {
    let shown = entries.prefix(Self.mostCards)
    for (row, entry) in shown.enumerated() {
      CalendarCard.small.draw(
        entry, of: page, (x, top + row * Self.cardHeight), (Self.column - 16, Self.cardHeight - 4), into: &svg
      )
    }
    guard entries.count > shown.count else { return }
    svg.element(
      "text", ["class": "more", "x": "\(x + 4)", "y": "\(top + shown.count * Self.cardHeight + 20)"],
      "and \(entries.count - shown.count) more")
  }
}
