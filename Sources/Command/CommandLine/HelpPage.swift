/// The text that `--help` prints.
struct HelpPage {
  let command: Command
  /// The full name of the command: `frame decode`.
  let path: String

  var text: String {
    let sections = [usage] + description + [options, commands, examples, exitTable, commonOptions]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var usage: String {
    let lines = command.synopses.map { "\(path) \($0)\n" }
    return "usage: " + lines.joined(separator: "       ")
  }

  private var description: [String] {
    ([command.sentence] + command.discussion).map { paragraph in
      Wrapping.lines(paragraph, width: 80).map { $0 + "\n" }.joined()
    }
  }

  private var options: String { table("Options", rows(command.options)) }

  private var commonOptions: String {
    table("Options of every command", rows(OptionsOfAllTools.options.map(\.help)))
  }

  private var commands: String {
    let rows = command.subcommands.map { (term: $0.name, text: $0.sentence) }
    let pointer = rows.isEmpty ? "" : "\nSee '\(path) COMMAND --help' for a command.\n"
    return table("Commands", rows) + pointer
  }

  private var examples: String {
    let own = command.examples
    let texts = (own.isEmpty ? Array(command.everyExample.prefix(1)) : own).map { example in
      "  \(example.heading)\n" + example.lines.map { "    \($0)\n" }.joined()
    }
    return "Examples:\n" + texts.joined(separator: "\n")
  }

  private var exitTable: String {
    table("Exit status", command.allStatuses.map { (term: $0.name, text: $0.meaning) })
  }

  /// Long names are aligned in one column, with or without a short name before them.
  private func rows(_ options: [OptionHelp]) -> [(term: String, text: String)] {
    options.map { (term: ($0.short == nil ? "    " : "") + $0.spelling, text: $0.explanation) }
  }

  private func table(_ title: String, _ rows: [(term: String, text: String)]) -> String {
    rows.isEmpty ? "" : "\(title):\n" + Columns(rows: rows).text
  }
}

/// Terms on the left and their wrapped explanations on the right: 80 columns together.
struct Columns {
  private static let margin = 2
  private static let widestTerm = 22
  var rows: [(term: String, text: String)]

  var text: String {
    let width = rows.map(\.term.count).filter { $0 <= Self.widestTerm }.max() ?? Self.widestTerm
    return rows.map { row($0, termWidth: width) }.joined()
  }

  /// A term too wide for its column gets its own line.
  private func row(_ row: (term: String, text: String), termWidth: Int) -> String {
    let start = Self.margin + termWidth + 2
    let lines = Wrapping.lines(row.text, width: 80 - start)
    let term = blanks(Self.margin) + row.term
    let rest = lines.map { blanks(start) + $0 + "\n" }
    guard row.term.count <= termWidth, let first = lines.first else {
      return term + "\n" + rest.joined()
    }
    return term + blanks(start - term.count) + first + "\n" + rest.dropFirst().joined()
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
