import Calendars
import Chores
import CommandLine
import JSONLines
import SyncCore
import SystemIO

/// A file of busy times: lines of JSON, or the iCalendar file of a member.
struct BusyFile {
  var path: String
  var member: String?

  func addLines(to busy: inout [BusyInterval], _ badLines: inout BadLines) throws {
    try NotifyTool.forEachLine(of: [path], &badLines) { line in
      if Self.isCalendar(line) {
        throw Diagnostic(
          .invalidCalendar, "an iCalendar file does not name its member", file: path,
          hint: "name the member after it: --busy \(ShellWord.posix(path)) --busy-member MEMBER")
      }
      busy.append(try BusyInterval(try JSONValue(parsing: line)))
    }
  }

  /// The busy times of a calendar; unusable parts count as bad lines.
  func intervals(of calendar: BusyCalendar, _ badLines: inout BadLines) throws -> [Range<Instant>] {
    let library = try CalendarLibrary()
    let text = try ByteInput.contents(of: path)
    let start = SystemClock.monotonic()
    var calendar = calendar
    let components: [CalendarComponent]
    do throws(CalendarComponents.Failure) {
      components = try CalendarComponents.read(text.span)
    } catch {
      guard case .at(let line, let message) = error else { throw error }
      throw Diagnostic(.invalidCalendar, message, file: path, line: line)
    }
    return try calendar.read(components, library) {
      SystemClock.monotonic() - start
    } leaveOut: { component, error in
      try badLines.leaveOut(
        component.text.span,
        because: Diagnostic(.invalidCalendar, error.message, file: path, line: component.line))
    }
  }

  private static func isCalendar(_ line: Span<UInt8>) -> Bool {
    let start = "BEGIN:VCALENDAR".utf8
    let bytes = (0..<min(line.count, start.count + 3)).map { line[$0] }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return text.prefix(start.count).map { $0 & 0xDF }.elementsEqual(start.map { $0 & 0xDF })
  }
}
