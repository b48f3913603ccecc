package import JSONLines
import Synchronization
import SystemIO

/// Standard error: the only place where diagnostics, notes and progress are written.
package struct Console: Sendable {
  package enum Format: String, Sendable, CaseIterable { case text, json }

  package let tool: String
  package let format: Format
  package let quiet: Bool
  package let isTerminal: Bool

  package init(tool: String, format: Format, quiet: Bool) {
    self.tool = tool
    self.format = format
    self.quiet = quiet
    isTerminal = Descriptor.standardError.isTerminal
  }

  /// Writes an error and returns the status that it asks for.
  @discardableResult
  package func report(_ diagnostic: Diagnostic) -> ExitStatus {
    var diagnostic = diagnostic
    if diagnostic.hint == nil {
      diagnostic.hint = ForeignText.beginning(diagnostic)?.remedy(for: diagnostic.file)
    }
    switch format {
    case .text:
      write(
        "\(blankLine)\(label): \(diagnostic.text.escapingControls)\n"
          + (diagnostic.hint.map { "\(tool): hint: \($0.escapingControls)\n" } ?? ""))
    case .json:
      write(JSONValue.object([.init("error", diagnostic.members(tool: tool))]).text + "\n")
    }
    return diagnostic.exit
  }

  /// Writes something worth knowing that is no error.
  package func note(_ message: String) {
    if !quiet { warn(message) }
  }

  /// Says what a person has to know even with `--quiet`.
  package func warn(_ message: String) {
    switch format {
    case .text: write("\(blankLine)\(tool): \(message.escapingControls)\n")
    case .json: write(JSONValue.object([.init("note", .string(message))]).text + "\n")
    }
  }

  /// A failure to write to standard error has nowhere to be reported.
  func write(_ text: String) { try? Descriptor.standardError.write(text) }

  /// Whether standard error is a terminal on which a line can be taken back.
  var canRewrite: Bool {
    isTerminal && Environment.value("TERM").map { $0 != "dumb" } ?? false
  }

  /// Whether the terminal shows a line of progress, which the next line is to replace.
  static let hasProgress = Atomic(false)

  /// Takes a line of progress off the terminal, where there is one.
  var blankLine: String {
    guard Self.hasProgress.exchange(false, ordering: .relaxed) else { return "" }
    return isPlain ? "\r" + String(repeating: " ", count: 79) + "\r" : "\r\u{1b}[K"
  }

  private var label: String { canRewrite && !isPlain ? "\u{1b}[1;31m\(tool)\u{1b}[0m" : tool }

  /// No escape sequences are wanted.
  private var isPlain: Bool { Environment.value("NO_COLOR") != nil }
}
