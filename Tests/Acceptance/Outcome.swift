/// The output of a command and its end.
struct Outcome: Equatable {
  var output: [UInt8] = []
  var errors: [UInt8] = []
  /// The exit status, or 128 and the signal's number.
  var status: Int32 = 0
  /// Whether the command did not end in time and was killed.
  var isTimedOut = false

  static let noFinalNewline = "\\ no newline at end"

  /// The lines of a transcript for this outcome; nil if the output is not text.
  var rendering: [String]? {
    guard let output = String(validating: output, as: UTF8.self),
      let errors = String(validating: errors, as: UTF8.self)
    else { return nil }
    var lines = output.textLines.map(Self.escaped)
    if lines.last == "" { lines[lines.count - 1] = "\\" }
    if Self.isCut(output) { lines.append(Self.noFinalNewline) }
    lines += errors.textLines.map { $0.isEmpty ? "!" : "! \($0)" }
    if Self.isCut(errors) { lines.append("! " + Self.noFinalNewline) }
    if status != 0 { lines.append("? \(status)") }
    return lines
  }

  /// A line of output that could be read as something else gets a backslash in front.
  private static func escaped(_ line: String) -> String {
    let marks = ["$ ", "> ", "! ", "? ", "#", "\\", "```"]
    let isMark = marks.contains(where: line.hasPrefix) || line == "!" || line == ">"
    return isMark || Transcript.fileName(in: line) != nil ? "\\" + line : line
  }

  private static func isCut(_ text: String) -> Bool { !text.isEmpty && text.utf8.last != UInt8(ascii: "\n") }
}
