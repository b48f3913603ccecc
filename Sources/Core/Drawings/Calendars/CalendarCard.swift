import Chores

/// The drawing of a turn: a box in the color of its member, with title, name and time.
struct CalendarCard {
  /// A line of text in a box.
  struct Line {
    /// The distance of its baseline from the top of the box.
    var foot: Int
    var size: Int
    /// The part of the width kept for other columns.
    var reserve: Int
  }

  /// The class of the group.
  var name: String
  var radius: Int
  /// The width of the bar at the left.
  var bar: Int
  /// The distance of the text from the left edge.
  var indent: Int
  var title: Line
  var who: Line
  /// The position of the time: its baseline, and its distance from the right edge.
  var time: (foot: Int, margin: Int)

  static let small = CalendarCard(
    name: "card", radius: 6, bar: 5, indent: 12, title: Line(foot: 15, size: 13, reserve: 26),
    who: Line(foot: 29, size: 12, reserve: 58), time: (foot: 29, margin: 6))
  static let wide = CalendarCard(
    name: "row", radius: 8, bar: 6, indent: 16, title: Line(foot: 19, size: 16, reserve: 94),
    who: Line(foot: 37, size: 14, reserve: 34), time: (foot: 19, margin: 12))

  func draw(
    _ entry: Rota.Entry, of page: CalendarPage, _ place: (x: Int, y: Int), _ size: (width: Int, height: Int),
    into svg: inout XMLText
  ) {
    let color = page.color(entry)
    svg.raw("<g class=\"\(name) \(entry.reason)\">")
    svg.element("title", [:], page.note(entry))
    svg.element(
      "rect",
      [
        "class": "tint", "x": "\(place.x)", "y": "\(place.y)", "width": "\(size.width)",
        "height": "\(size.height)", "rx": "\(radius)", "fill": color,
      ])
    svg.element(
      "rect",
      [
        "x": "\(place.x)", "y": "\(place.y)", "width": "\(bar)", "height": "\(size.height)", "rx": "2",
        "fill": color,
      ])
    let texts = [("title", title, page.title(entry)), ("who", who, page.name(entry))]
    for (kind, line, text) in texts {
      svg.element(
        "text", ["class": kind, "x": "\(place.x + indent)", "y": "\(place.y + line.foot)"],
        TextWidth.fitting(text, into: size.width - line.reserve, size: line.size))
    }
    svg.element(
      "text",
      [
        "class": "when", "x": "\(place.x + size.width - time.margin)", "y": "\(place.y + time.foot)",
        "text-anchor": "end",
      ],
      page.time(entry))
    svg.raw("</g>\n")
  }
}
