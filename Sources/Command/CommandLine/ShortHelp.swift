/// The text that `-h` prints: it fits on a small terminal, with an example first.
struct ShortHelp {
  let command: Command
  /// The full name of the command: `frame decode`.
  let path: String

  /// The maximum length, in lines.
  static let longest = 25
  private static let width = 80

  var text: String {
    var lines =
      ["usage: \(path) \(command.synopses[0])", command.sentence].flatMap {
        Wrapping.lines($0, width: Self.width)
      } + example
    let end = ["", "See '\(path) --help' for details."]
    let lists = [
      ("Commands", command.subcommands.map { (term: $0.name, text: $0.sentence) }),
      ("Options", command.options.map { (term: $0.spelling, text: $0.summary) }),
    ].filter { !$0.1.isEmpty }
    for (index, (title, rows)) in lists.enumerated() {
      let later = lists[(index + 1)...].map { Self.names($0.1).count + 2 }.reduce(end.count, +)
      let isTable = lines.count + 2 + rows.count + later <= Self.longest
      lines += ["", "\(title):"] + (isTable ? Self.table(rows) : Self.names(rows))
    }
    return (lines + end).map { $0 + "\n" }.joined()
  }

  /// The first short example, of the command or of a subcommand: the first narrow one, otherwise a folded one.
  private var example: [String] {
    let examples = command.everyExample.map { example in
      (heading: example.heading, lines: example.lines, folded: example.lines.flatMap(Self.folded))
    }
    .filter { $0.folded.count < Self.longest / 3 && $0.folded.allSatisfy { $0.count <= Self.width - 2 } }
    guard let example = examples.first(where: { $0.lines == $0.folded }) ?? examples.first else { return [] }
    return ["", example.heading] + example.folded.map { "  \($0)" }
  }

  /// A line of shell, continued on further lines where it is too wide; quoted text stays on one line.
  private static func folded(_ line: String) -> [String] {
    if line.count <= width - 2 { return [line] }
    var words: [String] = []
    var quote: Character?
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if quote == nil { words.append(String(word)) } else { words[words.count - 1] += " \(word)" }
      for character in word where character == "'" || character == "\"" {
        if quote == nil { quote = character } else if quote == character { quote = nil }
      }
    }
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + word.count + 1 <= width - 4 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(lines.isEmpty ? word : "  \(word)")
      }
    }
    return lines.dropLast().map { "\($0) \\" } + lines.suffix(1)
  }

  private static func names(_ rows: [(term: String, text: String)]) -> [String] {
    Wrapping.lines(rows.map(\.term).joined(separator: ", "), width: width - 2).map { "  " + $0 }
  }

  private static func table(_ rows: [(term: String, text: String)]) -> [String] {
    let longest = rows.map(\.term.count).max() ?? 0
    return rows.map { row in
      let blanks = String(repeating: " ", count: longest - row.term.count + 2)
      let line = "  \(row.term)\(blanks)\(Wrapping.sentences(row.text).first ?? row.text)"
      if line.count <= width { return line }
      let words = line.prefix(width - 1)
      return words[..<(words.lastIndex(of: " ") ?? words.endIndex)] + "…"
    }
  }
}
