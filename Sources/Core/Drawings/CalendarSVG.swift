package import Chores
import SyncCore

/// A rota as a picture: whose turn each is in the weeks to come, and how many turns everybody has.
///
/// It fills the width that it is given, with a grid of weeks where there is room for one, and a list of days on a
/// narrow screen. Programs that know no style sheets of their own draw the grid.
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

  /// One of the two drawings, in measures of its own.
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

/// What both drawings of a calendar show.
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

  /// The title, with a mark where the turn was not simply given.
  func title(_ entry: Rota.Entry) -> String {
    switch entry.reason {
    case .done: "✓ " + rota.title(entry)
    case .overridden: "⇄ " + rota.title(entry)
    case .skipped, .given: rota.title(entry)
    }
  }

  /// All of a turn, for whoever points at it or has it read out.
  func note(_ entry: Rota.Entry) -> String {
    "\(rota.title(entry)), \(CivilText.date(entry.day)) \(time(entry)): \(name(entry))"
  }
}
