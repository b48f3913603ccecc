package import Chores
import SyncCore

/// A rota as a picture: the turns of the coming weeks, and the number of turns of each member.
///
/// The picture fills the given width. Wide screens show a grid of weeks, and narrow screens a list of days.
/// Programs without support for style sheets draw the grid.
package struct CalendarSVG {
  private let page: CalendarPage

  package init(_ rota: Rota) { page = CalendarPage(rota) }

  /// The whole document.
  package func text() -> String {
    let (grid, list) = (CalendarGrid(page), CalendarList(page))
    var svg = XMLText()
    svg.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(CalendarGrid.width)\" height=\"\(grid.height)\" "
        + "role=\"img\" aria-label=\"\(CalendarPage.heading)\">\n<style>"
        + CalendarStyle.text(
          wide: (CalendarGrid.width, grid.height), narrow: (CalendarList.width, list.height))
        + "</style>\n")
    layout("wide", CalendarGrid.width, grid.height, &svg) { grid.draw(into: &$0) }
    layout("narrow", CalendarList.width, list.height, &svg) { list.draw(into: &$0) }
    svg.raw("</svg>\n")
    return svg.text
  }

  /// Draws one of the two drawings, with its own size.
  private func layout(
    _ name: String, _ width: Int, _ height: Int, _ svg: inout XMLText, _ draw: (inout XMLText) -> Void
  ) {
    svg.raw(
      "<svg class=\"\(name)\" viewBox=\"0 0 \(width) \(height)\" width=\"100%\" height=\"100%\" "
        + "preserveAspectRatio=\"xMidYMin meet\">\n")
    svg.element("rect", ["class": "page", "width": "\(width)", "height": "\(height)"])
    draw(&svg)
    svg.raw("</svg>\n")
  }
}

/// The content that both drawings of a calendar share.
struct CalendarPage {
  static let heading = "Whose turn it is"

  let rota: Rota
  let colors: [String]
  let entries: [Int: [Rota.Entry]]

  init(_ rota: Rota) {
    self.rota = rota
    colors = MemberColors.colors(of: rota.household)
    entries = Dictionary(grouping: rota.entries, by: \.day)
  }

  var today: Int { rota.days.lowerBound }

  /// `14 January to 10 March 2026`.
  var range: String {
    let (first, last) = (Civil.date(of: rota.days.lowerBound), Civil.date(of: rota.days.upperBound))
    let year = first.year == last.year ? "" : " \(first.year)"
    return
      "\(first.day) \(Self.month(first.month))\(year) to \(last.day) \(Self.month(last.month)) \(last.year)"
  }

  static func month(_ number: Int) -> String { CivilText.months[number - 1] }

  func color(_ entry: Rota.Entry) -> String { entry.member.map { colors[$0] } ?? "#8a8f98" }

  func name(_ entry: Rota.Entry) -> String { rota.name(entry) ?? "nobody" }

  func time(_ entry: Rota.Entry) -> String { CivilText.time(entry.secondOfDay) }

  /// The title, with a mark if the turn is overridden, done or skipped.
  func title(_ entry: Rota.Entry) -> String {
    switch entry.reason {
    case .done: "✓ " + rota.title(entry)
    case .overridden: "⇄ " + rota.title(entry)
    case .skipped, .given: rota.title(entry)
    }
  }

  /// All details of a turn, for tooltips and screen readers.
  func note(_ entry: Rota.Entry) -> String {
    "\(rota.title(entry)), \(CivilText.date(entry.day)) \(time(entry)): \(name(entry))"
  }
}

/// The style sheet of the calendar: for light, dark, wide and narrow screens, and for paper.
enum CalendarStyle {
  /// The style sheet for drawings of these widths and heights.
  static func text(wide: (Int, Int), narrow: (Int, Int)) -> String {
    """

    :root{display:block;width:100%;max-width:1500px;height:auto;aspect-ratio:\(wide.0)/\(wide.1);margin:0 auto;background:#fff}
    .narrow{display:none}
    @media screen and (max-width:700px){:root{aspect-ratio:\(narrow.0)/\(narrow.1)}.wide{display:none}.narrow{display:inline}}
    \(look)

    """
  }

  private static let look = """
    text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;fill:#1d2330}
    .page{fill:#fff}.heading{font-size:28px;font-weight:700}.range{font-size:16px;fill:#5c6575}
    .person{font-size:16px;font-weight:600}.count{font-size:14px;fill:#5c6575}.track{fill:#e9edf3}.tint{fill-opacity:.2}
    .weekday{font-size:14px;font-weight:600;fill:#5c6575}.date{font-size:15px;fill:#5c6575}.strong{font-weight:700;fill:#1d2330}
    .faint{fill:#5c6575;opacity:.4}.section{font-size:20px;font-weight:700}
    .day{stroke:#e0e5ed;stroke-width:1}.odd{fill:#fdfdfe}.even{fill:#f3f5f9}.outside{fill:none;stroke:#eef1f5}
    .today{fill:#fff;stroke:#1d2330;stroke-width:2}.month{fill:none;stroke:#8b95a7;stroke-width:2}
    .title{font-size:13px;font-weight:600}.who{font-size:12px;fill:#39414f}.when{font-size:12px;fill:#5c6575}.more{font-size:13px;fill:#5c6575}
    .narrow .title{font-size:16px}.narrow .who,.narrow .when{font-size:14px}
    .skipped{opacity:.6}.skipped .title{text-decoration:line-through}.done{opacity:.75}
    @media screen and (prefers-color-scheme:dark){
    :root{background:#14171d}text{fill:#e8ebf2}.page{fill:#14171d}
    .range,.weekday,.count,.date,.more,.when,.faint{fill:#a4aebe}.strong{fill:#e8ebf2}.who{fill:#ccd3df}.track{fill:#2a303b}.tint{fill-opacity:.32}
    .odd{fill:#191d25}.even{fill:#20252f}.day{stroke:#2c323d}.outside{fill:none;stroke:#20242c}.today{fill:#14171d;stroke:#e8ebf2}.month{stroke:#6d788b}}
    @media print{:root{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
    """
}
