package import JSONLines

/// An error in a command line.
package enum UsageError: Error, Equatable, Sendable {
  case unknownOption(String, near: String?)
  /// An option before a subcommand, which may have that option.
  case optionBeforeCommand(String, command: String)
  case unknownCommand(String, near: String?)
  /// A first word that is not a subcommand or a file.
  case neitherCommandNorFile(String)
  /// A file where a subcommand is required.
  case fileBeforeCommand(String)
  case missingCommand
  case missingValue(option: String, name: String)
  case unexpectedValue(option: String)
  case invalidValue(option: String, value: String, expected: String)
  case missingOperand(String)
  case extraOperand(String)
  case wrongOperand(String, expected: String)
  case conflict(String)
  /// Standard output is a file that the run also reads, or writes in another way; `-` is standard input.
  case usedOutput(String)
}

extension UsageError {
  /// The diagnostic of a wrong command line, with a pointer to the help of `command`.
  package func diagnostic(in command: String) -> Diagnostic {
    var diagnostic = Diagnostic(code, message)
    let help = "see '\(command) --help'"
    diagnostic.hint = suggestion ?? help
    switch self {
    case .fileBeforeCommand: diagnostic.hint = "give a command before the file: \(help)"
    case .optionBeforeCommand(_, let next):
      diagnostic.hint = "options of '\(next)' come after it: see '\(command) \(next) --help'"
    case .unknownCommand(let word, nil) where Spelling.isOfSynclog(word, in: command):
      diagnostic.hint = "see 'synclog \(word) --help'"
    default: break
    }
    return diagnostic
  }

  private var code: ErrorCode {
    switch self {
    case .unknownOption, .optionBeforeCommand: .unknownOption
    case .unknownCommand, .neitherCommandNorFile, .fileBeforeCommand, .missingCommand: .unknownCommand
    case .missingValue, .unexpectedValue, .invalidValue: .invalidOptionValue
    case .missingOperand, .extraOperand, .wrongOperand: .wrongOperands
    case .conflict, .usedOutput: .conflictingOptions
    }
  }

  private var message: String {
    switch self {
    case .unknownOption(let word, _): "unknown option '\(word)'"
    case .optionBeforeCommand(let word, let next): "unexpected option '\(word)' before '\(next)'"
    case .unknownCommand(let word, _), .fileBeforeCommand(let word): "unknown command '\(word)'"
    case .neitherCommandNorFile(let word): "unknown command or file '\(word)'"
    case .missingCommand: "a command is missing"
    case .missingValue(let option, let name): "option '--\(option)' needs a value: \(name)"
    case .unexpectedValue(let option): "option '--\(option)' does not take a value"
    case .invalidValue(let option, let value, let expected):
      "option '--\(option)': '\(value)' is not \(expected)"
    case .missingOperand(let name): "operand \(name) is missing"
    case .extraOperand(let word): "unexpected operand '\(word)'"
    case .wrongOperand(let word, let expected): "'\(word)' is not \(expected)"
    case .conflict(let message): message
    case .usedOutput(let file):
      "standard output is the same file as \(file == "-" ? "standard input" : "'\(file)'"), which the run needs"
    }
  }

  private var suggestion: String? {
    switch self {
    case .unknownOption(_, .some(let near)), .unknownCommand(_, .some(let near)): "did you mean '\(near)'?"
    case .usedOutput: "write to another file, and rename it afterwards"
    default: nil
    }
  }
}

/// Finds the intended word for a mistyped one.
enum Spelling {
  /// Command names of other tools, with the names here.
  private static let otherNames = [
    "unpair": "forget", "untrust": "forget", "remove": "forget", "delete": "forget", "rm": "forget",
    "sync": "run", "start": "serve", "listen": "serve", "ls": "list",
  ]

  /// Whether a word names a command of synclog that some users expect in peersync.
  static func isOfSynclog(_ word: String, in command: String) -> Bool {
    command == "peersync" && ["conflicts", "quarantine"].contains(word)
  }

  /// The intended command: by its name in other tools, by a unique beginning, or by similarity.
  static func command(for word: String, among names: [String]) -> String? {
    if let name = otherNames[word], names.contains(name) { return name }
    return beginning(with: word, among: names) ?? nearest(to: word, among: names)
  }

  /// The intended option, without its hyphens.
  static func option(for word: String, among names: [String]) -> String? {
    beginning(with: word, among: names) ?? nearest(to: word, among: names)
  }

  /// The only candidate that begins with a word.
  private static func beginning(with word: String, among candidates: [String]) -> String? {
    let found = Set(candidates.filter { $0.hasPrefix(word) })
    return found.count == 1 && !word.isEmpty ? found.first : nil
  }

  /// The candidate at the smallest edit distance, if that is at most 2 and less than half the word's length.
  ///
  /// Of several candidates at that distance, it is the one that matches best at the beginning and the end.
  private static func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { candidate in
      (
        candidate: candidate, distance: distance(Array(word), Array(candidate)),
        common: commonCount(word, candidate) + commonCount(word.reversed(), candidate.reversed())
      )
    }
    guard let best = ranked.min(by: { ($0.distance, $1.common) < ($1.distance, $0.common) }) else {
      return nil
    }
    return best.distance <= 2 && best.distance * 2 < max(word.count, 2) ? best.candidate : nil
  }

  /// The number of characters before the first difference.
  private static func commonCount(_ a: some Sequence<Character>, _ b: some Sequence<Character>) -> Int {
    zip(a, b).prefix { $0 == $1 }.count
  }

  /// Optimal string alignment distance: two swapped characters are one edit.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var (before, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
