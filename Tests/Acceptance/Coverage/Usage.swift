import CommandLineTool

/// What the transcripts and the documents use, taken together.
struct Usage {
  private var commands: Set<String> = []
  private var invocations: [[Substring]] = []
  private var output = ""

  init(_ transcripts: [Transcript]) {
    for step in transcripts.flatMap(\.steps) {
      commands.insert(step.command)
      commands.formUnion(step.command.split(separator: "\n").map(String.init))
      invocations += Self.invocations(in: step.command)
      output += step.expected.joined(separator: "\n") + "\n"
    }
  }

  /// As a whole, or as a line of one.
  func hasCommand(_ command: String) -> Bool { commands.contains(command) }

  /// `path` is the tool and its subcommands; the option may have its value after `=`.
  func hasOption(_ option: OptionHelp, of path: [String]) -> Bool {
    invocations.contains { words in
      guard let start = words.firstIndex(of: path[0][...]) else { return false }
      let rest = words[start...].prefix { $0 != "--" }
      return rest.starts(with: path.map { $0[...] })
        && rest.contains { $0 == "--\(option.long)" || $0.hasPrefix("--\(option.long)=") }
    }
  }

  func hasCode(_ code: DiagnosticCode) -> Bool { output.contains("\"code\":\"\(code.rawValue)\"") }

  /// The words of each simple command; quoting is not looked at, which is near enough to find options.
  private static func invocations(in command: String) -> [[Substring]] {
    let parts = command.split { "|;&(){}`\n".contains($0) }
    return parts.map { $0.split { $0 == " " || $0 == "\t" } }
  }
}
