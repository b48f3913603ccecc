import JSONLines

/// A component of an iCalendar file: the relevant lines, unfolded.
package struct CalendarComponent: Sendable {
  /// The name in upper case, such as `VEVENT`.
  package var name: String
  /// The first line; lines count from 1.
  package var line: Int
  /// The lines from `BEGIN` to `END`, without nested components.
  package var text: [UInt8]
  /// `STANDARD` and `DAYLIGHT` of a `VTIMEZONE`.
  package var parts: [CalendarComponent] = []
}

/// Splits an iCalendar file into its events, free-busy lists and time zones.
///
/// Only relevant lines are kept, so long descriptions and attachments do not use memory.
package struct CalendarComponents {
  package enum Failure: Error, Equatable {
    case at(line: Int, String)
  }

  /// The largest numbers of components in one file, and of bytes in one component.
  package static let mostComponents = 100_000
  package static let largestComponent = 1 << 20

  private static let taken: Set = ["VEVENT", "VFREEBUSY", "VTIMEZONE"]
  private static let properties: Set = [
    "UID", "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "TRANSP",
    "STATUS",
    "FREEBUSY", "TZID", "TZOFFSETFROM", "TZOFFSETTO",
  ]
  /// RFC 5545 needs three levels: VCALENDAR, VTIMEZONE and STANDARD.
  private static let deepest = 8

  private var open: [CalendarComponent] = []
  private var found: [CalendarComponent] = []

  private init() {}

  /// The components of a file, in the order in which they end.
  package static func read(_ text: Span<UInt8>) throws(Failure) -> [CalendarComponent] {
    var components = CalendarComponents()
    var (position, number) = (text.hasByteOrderMark ? 3 : 0, 0)
    var (line, first) = ([UInt8](), 0)
    var isAny = false
    while position < text.count {
      number += 1
      var end = position
      while end < text.count, text[end] != 10 { end += 1 }
      let next = end + 1
      if end > position, text[end - 1] == 13 { end -= 1 }
      let isContinued = end > position && (text[position] == 32 || text[position] == 9)
      if !isContinued {
        try components.consume(line, at: first)
        (line, first) = ([], number)
      }
      // Irrelevant lines are not stored, so their length does not matter.
      if line.count <= largestComponent {
        for index in (isContinued ? position + 1 : position)..<max(end, position) { line.append(text[index]) }
      }
      isAny = isAny || end > position
      position = next
    }
    try components.consume(line, at: first)
    if let last = components.open.last {
      throw .at(line: last.line, "\(last.name.shown) does not end")
    }
    guard isAny else { throw .at(line: 1, "the file is empty") }
    return components.found
  }

  private mutating func consume(_ line: [UInt8], at number: Int) throws(Failure) {
    guard line.contains(where: { $0 != 32 && $0 != 9 }) else { return }
    let colon = line.firstIndex { $0 == 58 || $0 == 59 } ?? line.endIndex
    let name = String(decoding: line[..<colon], as: UTF8.self).uppercased()
    let value = line[colon...].dropFirst()
    switch name {
    case "BEGIN": try begin(Self.word(value), at: number)
    case "END": try end(Self.word(value), line: number)
    default:
      if open.isEmpty { throw .at(line: number, Self.noCalendar) }
      if Self.properties.contains(name) { try keep(line, at: number) }
    }
  }

  private static let noCalendar = "outside BEGIN:VCALENDAR: not an iCalendar file"

  private static func word(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.filter { $0 != 32 && $0 != 9 }, as: UTF8.self).uppercased()
  }

  private mutating func begin(_ name: String, at line: Int) throws(Failure) {
    guard !open.isEmpty || name == "VCALENDAR" else { throw .at(line: line, Self.noCalendar) }
    guard open.count < Self.deepest else { throw .at(line: line, "components are nested too deep") }
    open.append(CalendarComponent(name: name, line: line, text: Array("BEGIN:\(name)\r\n".utf8)))
  }

  private mutating func end(_ name: String, line: Int) throws(Failure) {
    guard var component = open.popLast(), component.name == name else {
      throw .at(line: line, "END:\(name.shown) does not belong to the last BEGIN")
    }
    component.text += Array("END:\(name)\r\n".utf8)
    guard let parent = open.last else { return }
    if parent.name == "VTIMEZONE" {
      open[open.count - 1].parts.append(component)
    } else if open.count == 1, Self.taken.contains(name) {
      guard found.count < Self.mostComponents else {
        throw .at(line: line, "more than \(Self.mostComponents) events")
      }
      found.append(component)
    }
  }

  private mutating func keep(_ line: [UInt8], at number: Int) throws(Failure) {
    let last = open.count - 1
    guard !line.contains(0) else { throw .at(line: number, "a NUL byte") }
    for part in Self.shortLists(line) {
      guard open[last].text.count + part.count <= Self.largestComponent else {
        throw .at(line: number, "\(open[last].name.shown) is larger than \(Self.largestComponent >> 20) MiB")
      }
      open[last].text += part + [13, 10]
    }
  }

  /// The most values in one line; libical drops those after the 500th silently.
  private static let mostValues = 400

  /// A list of many values as several lines of the same property.
  private static func shortLists(_ line: [UInt8]) -> some Sequence<[UInt8]> {
    var isQuoted = false
    let colon = line.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ":") && !isQuoted
    }
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    let isList = lists.contains(String(decoding: name, as: UTF8.self).uppercased())
    let start = isList ? colon.map { $0 + 1 } ?? line.count : line.count
    let values = line[start...].split(separator: comma, omittingEmptySubsequences: false)
    return stride(from: 0, to: values.count, by: mostValues).lazy.map { first in
      Array(line[..<start]) + values[first..<min(first + mostValues, values.count)].joined(separator: [comma])
    }
  }

  private static let comma = UInt8(ascii: ",")
  private static let lists: Set = ["EXDATE", "RDATE", "FREEBUSY"]
}

extension Span<UInt8> {
  fileprivate var hasByteOrderMark: Bool {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
  }
}
