package import JSONLines

extension Command {
  /// The command and all its subcommands as one JSON value, the source of the help, the man page and the
  /// completions.
  ///
  /// If the number of operands is not limited, their `most` is null.
  package var table: JSONValue {
    [
      "name": .string(name), "abstract": .string(abstract),
      "discussion": .array(discussion.map(JSONValue.string)), "isGroup": .bool(isGroup),
      "options": .array(options.map(\.table)), "operands": operands.table,
      "statuses": .array(statuses.map { .integer($0.rawValue) }),
      "examples": .array(
        examples.map { ["purpose": .string($0.purpose), "command": .string($0.command)] }),
      "commands": .array(subcommands.map(\.table)),
    ]
  }
}

extension OptionHelp {
  fileprivate var table: JSONValue {
    [
      "long": .string(long), "short": short.map { .string(String($0)) } ?? .null,
      "value": value.map(JSONValue.string) ?? .null, "summary": .string(summary),
      "choices": choices, "isFile": .bool(completion == .file), "isRepeatable": .bool(isRepeatable),
    ]
  }

  private var choices: JSONValue {
    guard case .choices(let words) = completion else { return .null }
    return .array(words.map(JSONValue.string))
  }
}

extension OperandHelp {
  fileprivate var table: JSONValue {
    [
      "synopsis": .string(synopsis), "least": .integer(count.lowerBound),
      "most": count.upperBound == .max ? .null : .integer(count.upperBound), "isCommand": .bool(isCommand),
    ]
  }
}

/// The faults in the table of a command and of all its subcommands, one per line; empty for a correct table.
///
/// The parser, the pages and the completions rely on these checks.
package func lint(_ command: Command) -> [String] {
  command.tree(path: command.name).flatMap { path, command in
    (command.ownFaults + command.options.flatMap(\.faults) + command.clashes).map { "\(path): \($0)" }
  }
}

extension Command {
  fileprivate var ownFaults: [String] {
    var faults: [String] = []
    if !name.isCommandWord { faults.append("the name is not made of a-z, 0-9 and hyphens") }
    if abstract.isEmpty { faults.append("the abstract is missing") }
    if abstract.hasSuffix(".") { faults.append("the abstract ends in a period") }
    for paragraph in discussion where !paragraph.isSentence {
      faults.append("a paragraph does not end in a period: \(paragraph.suffix(20))")
    }
    if examples.isEmpty, subcommands.isEmpty { faults.append("an example is missing") }
    if operands.count.lowerBound > operands.synopsis.split(separator: " ").count {
      faults.append("the synopsis names fewer operands than are needed")
    }
    if operands.synopsis.isEmpty, operands.count.upperBound > 0 {
      faults.append("operands without a synopsis")
    }
    let known = ExitStatus.table.map(\.status) + [.ofProgram]
    for status in statuses where !known.contains(status) {
      faults.append("status \(status.rawValue) is not in the table")
    }
    return faults
  }

  /// Duplicate names among the command's options, the common ones and the subcommands.
  fileprivate var clashes: [String] {
    let names = everyOption.flatMap(\.names) + subcommands.map(\.name)
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return counts.filter { $0.value > 1 }.keys.sorted().map { "\($0) is a duplicate" }
  }
}

extension OptionHelp {
  fileprivate var faults: [String] {
    var faults: [String] = []
    if !long.isCommandWord || long.count < 2 { faults.append("the name is not made of a-z, 0-9 and hyphens") }
    if let short, !(short.isASCII && (short.isLetter || short.isNumber)) {
      faults.append("the short name is not a letter or digit")
    }
    if !summary.isSentence { faults.append("the summary does not end in a period") }
    if let value, !value.contains(where: \.isUppercase) { faults.append("\(value) is not in capitals") }
    if case .choices(let words) = completion, !words.allSatisfy(\.isChoiceWord) {
      faults.append("a choice is not made of letters, digits, hyphens and periods")
    }
    return faults.map { "--\(long): \($0)" }
  }
}

extension String {
  fileprivate var isSentence: Bool { hasSuffix(".") && first?.isWhitespace == false }

  fileprivate var isCommandWord: Bool {
    utf8.first.map { $0 >= 97 && $0 <= 122 } == true && !contains(where: \.isUppercase) && isChoiceWord
  }

  fileprivate var isChoiceWord: Bool {
    !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
  }
}
