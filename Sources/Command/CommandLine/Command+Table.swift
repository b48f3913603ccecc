package import JSONLines

extension Command {
  /// The command and all below it as one JSON value: what the help, the man page and the completions are made of.
  ///
  /// `most` of the operands is null where their number has no limit.
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
