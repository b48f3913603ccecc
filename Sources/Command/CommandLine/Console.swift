package import JSONLines
import Synchronization
package import SystemIO

/// Standard error: the only place where diagnostics, notes and progress are written.
package struct Console: Sendable {
  package enum Format: String, Sendable, CaseIterable { case text, json }

  package let tool: String
  package let format: Format
  package let quiet: Bool
  package let isTerminal: Bool
  /// Whether each step of a run is written too.
  package var isVerbose = false

  package init(tool: String, format: Format, quiet: Bool) {
    self.tool = tool
    self.format = format
    self.quiet = quiet
    isTerminal = Descriptor.standardError.isTerminal
  }

  /// Writes an error and returns its exit status.
  @discardableResult
  package func report(_ diagnostic: Diagnostic) -> ExitStatus {
    var diagnostic = diagnostic
    if diagnostic.hint == nil {
      diagnostic.hint = ForeignText.remedy(diagnostic)
    }
    switch format {
    case .text:
      write("\(blankLine)\(label): \(diagnostic.text.escapingControls)\n" + hintLine(diagnostic.hint))
    case .json:
      write(line: .object([.init("error", diagnostic.members(tool: tool))]))
    }
    return diagnostic.exit
  }

  /// Writes a remark that is not an error.
  package func note(_ message: String, hint: String? = nil) {
    if !quiet { warn(message, hint: hint) }
  }

  /// With `--verbose`, writes the next step of a run.
  package func step(_ message: String) {
    if isVerbose { warn(message) }
  }

  /// Writes a remark if standard error is a terminal, and otherwise only with `--verbose`.
  package func remark(_ message: String) { if isTerminal { note(message) } else { step(message) } }

  /// Writes a warning with a hint, even with `--quiet`.
  package func warn(_ message: String, hint: String? = nil) {
    switch format {
    case .text: write("\(blankLine)\(tool): \(message.escapingControls)\n" + hintLine(hint))
    case .json:
      let members = [JSONMember("note", .string(message))] + (hint.map { [.init("hint", .string($0))] } ?? [])
      write(line: .object(members))
    }
  }

  private func hintLine(_ hint: String?) -> String {
    hint.map { "\(tool): hint: \($0.escapingControls)\n" } ?? ""
  }

  /// A failure to write to standard error cannot be reported anywhere.
  func write(_ text: String) { try? Descriptor.standardError.write(text) }

  private func write(line: JSONValue) { try? Descriptor.standardError.write(line: line) }

  /// Whether standard error is a terminal on which a line can be erased.
  var canRewrite: Bool { isTerminal && TerminalSize.canDraw }

  /// Whether the terminal shows a line of progress, which the next line must replace.
  static let hasProgress = Atomic(false)

  /// The widest line that the terminal surely does not wrap, in columns.
  static var lineWidth: Int { (TerminalSize.ofStandardError?.columns ?? 80) - 1 }

  /// The text that erases a line of progress on the terminal.
  var blankLine: String {
    guard Self.hasProgress.exchange(false, ordering: .relaxed) else { return "" }
    return TerminalSize.isPlain ? "\r\(TextCells.blanks(Self.lineWidth))\r" : "\r\u{1b}[K"
  }

  private var label: String { canRewrite && !TerminalSize.isPlain ? "\u{1b}[1;31m\(tool)\u{1b}[0m" : tool }
}

extension Console {
  /// Whether a user can answer a question.
  package var canAsk: Bool {
    isTerminal && (Descriptor.standardInput.isTerminal || (try? Descriptor.reading(Self.terminal)) != nil)
  }

  /// The terminal of this process, even if standard input is redirected.
  private static let terminal = "/dev/tty"

  /// Asks the user and waits for the answer until `deadline` on the monotonic clock; false without an answer.
  ///
  /// Throws if a signal arrives first.
  package func confirm(_ question: String, until deadline: Duration) throws(SystemError) -> Bool {
    guard isTerminal else { return false }
    let input = Descriptor.standardInput.isTerminal ? .standardInput : try Descriptor.reading(Self.terminal)
    input.forgetTyped()
    prompt("\(question) [y/N]")
    var lines = LineChannel(input, .standardError, limit: 1_024)
    guard case .line(let answer) = try lines.receive(until: deadline) else { return false }
    return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
  }
}

extension Console {
  /// Prints a prompt on the terminal; the cursor stays after it.
  package func prompt(_ text: String) { write("\(blankLine)\(tool): \(text.escapingControls) ") }
}

extension Descriptor {
  /// Writes a value as a line.
  ///
  /// Control characters are escaped, as names are from other devices and the output may be a terminal.
  package borrowing func write(line value: JSONValue) throws(SystemError) {
    try write(value.text.escapingControlsInJSON + "\n")
  }
}

extension [UInt8] {
  /// Appends a value as a line, without escaping control characters in names.
  package mutating func append(line value: JSONValue) {
    value.append(to: &self)
    append(10)
  }
}
