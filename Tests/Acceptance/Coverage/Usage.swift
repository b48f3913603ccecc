import JSONLines
import CommandLine

/// What the transcripts and the documents use, taken together.
struct Usage {
  private var uses: [String: [Use]] = [:]
  private var invocations: [[Substring]] = []
  private var output = ""

  /// One place where a command appears, completely or as a line of one.
  private struct Use {
    /// Its step shows something on standard output.
    var prints: Bool
    /// The next command of the same transcript.
    var next: String?
  }

  init(_ transcripts: [Transcript]) {
    for steps in transcripts.map(\.steps) {
      for (index, step) in steps.enumerated() { add(step, before: steps.dropFirst(index + 1).first) }
    }
  }

  private mutating func add(_ step: Transcript.Step, before next: Transcript.Step?) {
    let use = Use(prints: step.printsOutput, next: next?.command)
    for command in Set(Self.lines(of: step.command) + [step.command]) {
      uses[command, default: []].append(use)
    }
    invocations += Self.invocations(in: step.command)
    output += step.expected.joined(separator: "\n") + "\n"
  }

  private static func lines(of command: String) -> [String] {
    command.split(separator: "\n").map(String.init)
  }

  /// Whether a transcript shows the effect of an example, by the output of its step or by the next step.
  ///
  /// The next step must be one that a person takes, and not another example.
  func showsEffect(of example: String, among examples: Set<String>) -> Bool {
    (uses[example] ?? []).contains { use in
      guard !use.prints, let next = use.next else { return use.prints }
      return examples.isDisjoint(with: Self.lines(of: next))
    }
  }

  /// `path` is the tool and its subcommands; the option may have its value after `=`.
  func hasOption(_ option: OptionHelp, of path: [String]) -> Bool {
    invocations.contains { words in
      guard let start = words.firstIndex(of: path[0][...]) else { return false }
      let rest = words[start...].prefix { $0 != "--" }
      return rest.starts(with: path.map { $0[...] })
        && rest.contains { $0 == "--\(option.long)" || $0.hasPrefix("--\(option.long)=") }
    }
  }

  func hasCode(_ code: ErrorCode) -> Bool { output.contains("\"code\":\"\(code.rawValue)\"") }

  /// The words of each simple command; quoting is ignored, which is accurate enough to find options.
  private static func invocations(in command: String) -> [[Substring]] {
    let parts = command.split { "|;&(){}`\n".contains($0) }
    return parts.map { $0.split { $0 == " " || $0 == "\t" } }
  }
}

extension Transcript.Step {
  /// Something is expected on standard output, and not only on standard error or as a status.
  fileprivate var printsOutput: Bool { expected.contains { !$0.hasPrefix("!") && !$0.hasPrefix("? ") } }
}
