package import JSONLines

/// What is wrong with a command line.
package enum UsageError: Error, Equatable, Sendable {
  case unknownOption(String, near: String?)
  case unknownCommand(String, near: String?)
  /// A first word where either a subcommand or a file may stand.
  case neitherCommandNorFile(String)
  case missingCommand
  case missingValue(option: String, name: String)
  case unexpectedValue(option: String)
  case invalidValue(option: String, value: String, expected: String)
  case missingOperand(String)
  case extraOperand(String)
  case wrongOperand(String, expected: String)
  case conflict(String)
}

extension UsageError {
  /// The diagnostic of a wrong command line, with a pointer to the help of `command`.
  package func diagnostic(in command: String) -> Diagnostic {
    var diagnostic = Diagnostic(code, message)
    diagnostic.hint = suggestion ?? "see '\(command) --help'"
    return diagnostic
  }

  private var code: ErrorCode {
    switch self {
    case .unknownOption: .unknownOption
    case .unknownCommand, .neitherCommandNorFile, .missingCommand: .unknownCommand
    case .missingValue, .unexpectedValue, .invalidValue: .invalidOptionValue
    case .missingOperand, .extraOperand, .wrongOperand: .wrongOperands
    case .conflict: .conflictingOptions
    }
  }

  private var message: String {
    switch self {
    case .unknownOption(let word, _): "unknown option '\(word)'"
    case .unknownCommand(let word, _): "unknown command '\(word)'"
    case .neitherCommandNorFile(let word): "unknown command '\(word)', and there is no such file"
    case .missingCommand: "a command is missing"
    case .missingValue(let option, let name): "option '--\(option)' needs a value: \(name)"
    case .unexpectedValue(let option): "option '--\(option)' takes no value"
    case .invalidValue(let option, let value, let expected):
      "option '--\(option)': '\(value)' is not \(expected)"
    case .missingOperand(let name): "operand \(name) is missing"
    case .extraOperand(let word): "unexpected operand '\(word)'"
    case .wrongOperand(let word, let expected): "'\(word)' is not \(expected)"
    case .conflict(let message): message
    }
  }

  private var suggestion: String? {
    switch self {
    case .unknownOption(_, .some(let near)), .unknownCommand(_, .some(let near)): "did you mean '\(near)'?"
    default: nil
    }
  }
}
