import Chores
import SyncCore

/// The calendar for a phone: a list of days with their turns.
struct CalendarList {
  static let width = 390
  private static let margin = 16
  private static let header = 82
  private static let peopleInRow = 2
  private static let monthHeight = 48
  private static let dayHeight = 32
  private static let rowHeight = 50

  private enum Item {
    case month(Int)
    case day(Int)
    case turn(Rota.Entry)

    var height: Int {
      switch self {
      case .month: CalendarList.monthHeight
      case .day: CalendarList.dayHeight
      case .turn: CalendarList.rowHeight
      }
    }
  }

  private let page: CalendarPage
  private let top: Int
  private let items: [Item]
  let height: Int

  init(_ page: CalendarPage) {
    self.page = page
    top = Self.header + CalendarLegend.height(page, inRow: Self.peopleInRow) + 10
    var items: [Item] = []
    var month: Int?
    for day in page.entries.keys.sorted() {
      let date = Civil.date(of: day)
      if month != date.year * 12 + date.month { items.append(.month(day)) }
      month = date.year * 12 + date.month
      items.append(.day(day))
      items += (page.entries[day] ?? []).map { .turn($0) }
    }
    self.items = items
    height = items.reduce(top) { $0 + $1.height } + Self.margin
  }

  func draw(into svg: inout XMLText) {
    svg.element("text", ["class": "heading", "x": "\(Self.margin)", "y": "42"], CalendarPage.heading)
    svg.element("text", ["class": "range", "x": "\(Self.margin)", "y": "66"], page.range)
    CalendarLegend.draw(
      page, (left: Self.margin, top: Self.header, width: Self.width - 2 * Self.margin),
      inRow: Self.peopleInRow,
      into: &svg)
    var y = top
    for item in items {
      switch item {
      case .month(let day): drawMonth(day, y, &svg)
      case .day(let day): drawDay(day, y, &svg)
      case .turn(let entry):
        CalendarCard.wide.draw(
          entry, of: page, (Self.margin, y), (Self.width - 2 * Self.margin, Self.rowHeight - 6), into: &svg)
      }
      y += item.height
    }
  }

  private func drawMonth(_ day: Int, _ y: Int, _ svg: inout XMLText) {
    let (year, month, _) = Civil.date(of: day)
    svg.element("path", ["class": "month", "d": "M\(Self.margin) \(y + 14)H\(Self.width - Self.margin)"])
    svg.element(
      "text", ["class": "section", "x": "\(Self.margin)", "y": "\(y + 41)"],
      "\(CalendarPage.month(month)) \(year)")
  }

  private func drawDay(_ day: Int, _ y: Int, _ svg: inout XMLText) {
    let isToday = day == page.today
    let text = "\(CivilText.weekday(day)) \(Civil.date(of: day).day)"
    svg.element(
      "text", ["class": isToday ? "date strong" : "date", "x": "\(Self.margin)", "y": "\(y + 23)"],
      isToday ? "Today, \(text)" : text)
  }
}
