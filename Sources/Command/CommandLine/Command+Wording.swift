// The common wording of help, man page and completions.

extension Command {
  /// The abstract as a sentence.
  var sentence: String { abstract.prefix(1).uppercased() + abstract.dropFirst() + "." }

  /// All forms of the command line after the command's name, each on its own line.
  var synopses: [String] {
    isGroup || subcommands.isEmpty ? [synopsis] : [synopsis, Self.groupOperands.synopsis]
  }

  /// Whether the command has both an action and subcommands.
  var isMixed: Bool { !isGroup && !subcommands.isEmpty }

  /// The synopsis after the name of a command without subcommands: `[OPTION]... [FILE]...`.
  var synopsis: String {
    "[OPTION]..." + (operands.synopsis.isEmpty ? "" : " " + operands.synopsis)
  }

  /// All exit statuses of the command and its subcommands, in order.
  var allStatuses: [ExitStatus] {
    let everywhere: Set<ExitStatus> = [.done, .usage, .bug]
    let all = everywhere.union(statuses).union(subcommands.flatMap(\.allStatuses))
    return all.sorted { $0.rawValue < $1.rawValue }
  }

  /// The command and all its subcommands, parents first, each with its path from here.
  func tree(path: String) -> [(path: String, command: Command)] {
    [(path, self)] + subcommands.flatMap { $0.tree(path: "\(path) \($0.name)") }
  }

  /// The examples of this command, and then those of its subcommands.
  var everyExample: [Example] { tree(path: name).flatMap(\.command.examples) }

  /// The options of this command and those of every command.
  var everyOption: [OptionHelp] { options + OptionsOfAllTools.options.map(\.help) }
}

extension Command.Example {
  /// The purpose as printed above the command.
  var heading: String {
    ".:".contains(purpose.last ?? " ") ? purpose.dropLast() + ":" : purpose + ":"
  }

  /// The command as typed at a prompt; further lines follow for a longer command.
  var lines: [String] {
    let lines = command.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { ($0.offset == 0 ? "$ " : "  ") + $0.element }
  }
}

extension OptionHelp {
  /// The summary; choices and repetition are added if they are not mentioned.
  var explanation: String {
    var sentences = [summary]
    if let list = unmentionedChoices { sentences.append("\(value ?? "It") is one of \(list).") }
    if isRepeatable { sentences.append("May be given more than once.") }
    return sentences.joined(separator: " ")
  }

  /// The summary's first sentence without its period.
  var brief: String {
    let first = Wrapping.sentences(summary).first ?? ""
    return first.hasSuffix(".") ? String(first.dropLast()) : first
  }

  private var unmentionedChoices: String? {
    guard case .choices(let choices) = completion else { return nil }
    let words = Set(summary.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
    return words.isSuperset(of: choices) ? nil : choices.joined(separator: ", ")
  }
}

/// Fills lines with words.
enum Wrapping {
  /// The words of `text` on lines of at most `width` characters; a longer word gets its own line.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in words(text) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Sentences, each with single blanks between its words.
  static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    var isOpen = false
    for word in words(text) {
      if isOpen {
        sentences[sentences.count - 1] += " " + word
      } else {
        sentences.append(String(word))
      }
      isOpen = !endsSentence(word)
    }
    return sentences
  }

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0) }
  }

  private static func endsSentence(_ word: String) -> Bool {
    word.last { !"\"')]”’".contains($0) }.map { ".!?".contains($0) } ?? false
  }
}
