import SystemIO

/// One option, for the parser, `--help`, the man page and the completions.
package struct Option<Settings: Sendable>: Sendable {
  package var help: OptionHelp
  /// Stores the value, and returns the files that it names.
  let apply: @Sendable (String, inout Settings) throws(UsageError) -> [String]
}

/// The part of an option that does not depend on the type of its settings.
package struct OptionHelp: Sendable {
  /// The values that a shell offers after the option's name.
  package enum Completion: Sendable, Equatable {
    case nothing
    case file
    case choices([String])
    case printed(ShellList)
  }

  /// Values that a command prints when the shell completes a word.
  package struct ShellList: Sendable, Equatable {
    /// The kind of operands, as one word.
    package var name: String
    /// A shell command that prints one value per line.
    package var command: String

    package init(_ name: String, by command: String) { (self.name, self.command) = (name, command) }
  }

  package var short: Character?
  package var long: String
  /// The value's name in capitals; nil for a flag.
  package var value: String?
  /// The description in one or more sentences.
  package var summary: String
  package var isRepeatable: Bool
  /// The values that a shell offers; they are made on demand, as a normal run does not need them.
  package var completion: Completion {
    get { makeCompletion() }
    set { makeCompletion = { newValue } }
  }
  private var makeCompletion: @Sendable () -> Completion

  package init(
    short: Character?, long: String, value: String?, summary: String,
    completion: @autoclosure @escaping @Sendable () -> Completion, isRepeatable: Bool
  ) {
    self.short = short
    self.long = long
    self.value = value
    self.summary = summary
    self.isRepeatable = isRepeatable
    makeCompletion = completion
  }

  /// The names as typed: `-l` and `--limit`.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(long)"] }

  /// The names with the value's name: `-l, --limit SIZE`.
  package var spelling: String { names.joined(separator: ", ") + (value.map { " \($0)" } ?? "") }
}

// These are closures, as creating the key paths of a table takes longer than the rest of a small run.
extension Option {
  /// An option without a value.
  package static func flag(
    _ long: String, short: Character? = nil, _ summary: String,
    set: @escaping @Sendable (inout Settings) -> Void
  ) -> Option {
    let help = OptionHelp(
      short: short, long: long, value: nil, summary: summary, completion: .nothing, isRepeatable: false)
    return Option(help: help) { _, settings in
      set(&settings)
      return []
    }
  }

  /// An option with a value; if it is repeated, the last value counts.
  ///
  /// `name` is the placeholder of the value in the help, in capitals; by default the name of its type.
  package static func value<Value: OptionValue>(
    _ long: String, short: Character? = nil, named name: String? = nil, _ summary: String,
    completion: @autoclosure @escaping @Sendable () -> OptionHelp.Completion = Value.completion,
    set: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> Option {
    stored(long, short, name, summary, completion, isRepeatable: false, set)
  }

  /// An option that may be repeated; `add` receives the values in order.
  package static func repeated<Value: OptionValue>(
    _ long: String, short: Character? = nil, named name: String? = nil, _ summary: String,
    add: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> Option {
    stored(long, short, name, summary, { Value.completion }, isRepeatable: true, add)
  }

  private static func stored<Value: OptionValue>(
    _ long: String, _ short: Character?, _ name: String?, _ summary: String,
    _ completion: @escaping @Sendable () -> OptionHelp.Completion, isRepeatable: Bool,
    _ store: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> Option {
    let help = OptionHelp(
      short: short, long: long, value: name ?? Value.valueName, summary: summary,
      completion: completion(), isRepeatable: isRepeatable)
    return Option(help: help) { (text: String, settings: inout Settings) throws(UsageError) -> [String] in
      let value = try Value(argument: text, of: long)
      store(&settings, value)
      return value.namedFile.map { [$0] } ?? []
    }
  }
}

/// The operands of a command.
package struct Operands<Settings: Sendable>: Sendable {
  package var help: OperandHelp
  let store: @Sendable ([String], inout Settings) -> Void

  /// `name` is a synopsis such as `[FILE...]` or `OLD NEW`, and `count` is the number of words.
  ///
  /// `store` receives as many words as `count` allows, or more for a program and its arguments. A run that has
  /// read all files before its first output may add the output to one of them (`canReceiveOutput`).
  package init(
    _ name: String, count: ClosedRange<Int>, isCommand: Bool = false,
    completion: OptionHelp.Completion = .file, canReceiveOutput: Bool = false,
    store: @escaping @Sendable ([String], inout Settings) -> Void
  ) {
    help = OperandHelp(synopsis: name, count: count, isCommand: isCommand, completion: completion)
    help.canReceiveOutput = canReceiveOutput
    self.store = store
  }

  /// Any number of files; without files, `store` receives `-`, standard input.
  package static func files(
    canReceiveOutput: Bool = false, _ store: @escaping @Sendable ([String], inout Settings) -> Void
  ) -> Operands {
    Operands("[FILE...]", count: 0...Int.max, canReceiveOutput: canReceiveOutput) {
      store($0.isEmpty ? ["-"] : $0, &$1)
    }
  }

  package static var none: Operands {
    Operands(help: OperandHelp(synopsis: "", count: 0...0, isCommand: false)) { _, _ in }
  }

  private init(help: OperandHelp, store: @escaping @Sendable ([String], inout Settings) -> Void) {
    self.help = help
    self.store = store
  }
}

/// The part of the operands that does not depend on the settings.
package struct OperandHelp: Sendable, Equatable {
  package var synopsis: String
  package var count: ClosedRange<Int>
  /// Whether the operands are a program and its arguments, so options end at the program.
  package var isCommand: Bool
  /// The values that a shell offers for each operand, unless the operands are a program and its arguments.
  package var completion = OptionHelp.Completion.nothing
  /// Whether standard output may be added to a file that is an operand.
  package var canReceiveOutput = false

  /// The words that do not name a file in a synopsis that also has a file.
  private static let otherNames = ["TABLE", "OCCURRENCE", "MEMBER", "[FILTER...]"]

  /// The files that standard output must not be: operands, and `-` for standard input if no file is named.
  func files(among words: [String]) -> [String] {
    guard !isCommand, completion == .file || count.upperBound == 0 else { return [] }
    if canReceiveOutput, OpenStream.addsToOutput { return [] }
    if words.isEmpty { return ["-"] }
    let names = synopsis.split(separator: " ").map(String.init)
    let readsInput = names.dropFirst(words.count).first == "[FILE...]"
    return (readsInput ? ["-"] : [])
      + words.enumerated().compactMap { place, word in
        Self.otherNames.contains(names[min(place, names.count - 1)]) ? nil : word
      }
  }

  /// Whether all words are operands; then parsing does not need the table of options.
  static func areAll(_ words: [String]) -> Bool {
    words.allSatisfy { $0 == "-" || $0.utf8.first != UInt8(ascii: "-") }
  }

  func checkCount(of words: [String]) throws(UsageError) {
    if words.count < count.lowerBound {
      let names = synopsis.split(separator: " ")
      throw .missingOperand(String(names[min(words.count, names.count - 1)]))
    }
    if words.count > count.upperBound, !isCommand { throw .extraOperand(words[count.upperBound]) }
  }
}
