import SystemIO

/// Settings that may name a file; the default is one of this device's files.
package protocol PlacedByEnvironment: Sendable {
  /// The default file; nil if the settings name a file.
  var defaultFile: String? { get }
}

/// A tool or one of its subcommands: a table of options, and the action to run after parsing.
package struct Command: Sendable {
  /// An example that can be typed unchanged; the transcripts run all examples.
  package struct Example: Sendable {
    package var purpose: String
    package var command: String

    package init(_ purpose: String, _ command: String) {
      self.purpose = purpose
      self.command = command
    }
  }

  package var name: String
  /// The purpose in one line: lower-case, no final period.
  package var abstract: String
  /// Paragraphs before the options in the help and in the man page.
  package var discussion: [String] {
    get { makeDiscussion() }
    set { makeDiscussion = { newValue } }
  }
  package var options: [OptionHelp] {
    get { makeOptions() }
    set { makeOptions = { newValue } }
  }
  package var operands: OperandHelp
  /// The exit statuses of the command, in addition to 0, 64 and 70, which every command has.
  package var statuses: [ExitStatus] {
    get { makeStatuses() }
    set { makeStatuses = { newValue } }
  }
  package var examples: [Example] {
    get { makeExamples() }
    set { makeExamples = { newValue } }
  }
  package var subcommands: [Command] {
    get { makeSubcommands() }
    set { makeSubcommands = { newValue } }
  }
  /// Whether the command requires a subcommand.
  package let isGroup: Bool
  let prepare: @Sendable ([String], inout OptionsOfAllTools) throws(UsageError) -> Action
  // This is made on demand, as most runs do not need it.
  private var makeDiscussion: @Sendable () -> [String]
  private var makeOptions: @Sendable () -> [OptionHelp]
  private var makeStatuses: @Sendable () -> [ExitStatus]
  private var makeExamples: @Sendable () -> [Example]
  private var makeSubcommands: @Sendable () -> [Command]

  /// The work of a parsed command line.
  package typealias Action = @Sendable (Console) throws -> ExitStatus

  /// Creates a command with an action, and optionally with subcommands.
  package init<Settings: Sendable>(
    _ name: String, _ abstract: String,
    discussion: @autoclosure @escaping @Sendable () -> [String] = [], settings: Settings,
    options: @autoclosure @escaping @Sendable () -> [Option<Settings>], operands: Operands<Settings> = .none,
    statuses: @autoclosure @escaping @Sendable () -> [ExitStatus] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    subcommands: @autoclosure @escaping @Sendable () -> [Command] = [],
    defaultFile: @escaping @Sendable (Settings) -> String? = { _ in nil },
    run: @escaping @Sendable (Settings, Console) throws -> ExitStatus
  ) {
    self.init(
      name, abstract, discussion, { options().map { $0.help } }, operands.help, statuses, examples,
      subcommands,
      isGroup: false
    ) { (words: [String], common: inout OptionsOfAllTools) throws(UsageError) -> Action in
      var settings = settings
      var rest = words
      var files: [String] = []
      if OperandHelp.areAll(words) {
        try operands.help.checkCount(of: words)
      } else {
        var parser = OptionParser(options: options(), operands: operands.help)
        rest = try parser.parse(words, into: &settings, common: &common)
        // For help, a version or pages, the command does not run, and its operands are not checked.
        if common.endsEarly { return { _ in .done } }
        // A stream such as /dev/stdout is not opened as a file again.
        files = parser.files.filter { [nil, 0].contains(OpenStream.number($0)) }
      }
      operands.store(rest, &settings)
      let (parsed, usedFiles) = (settings, files + operands.help.files(among: rest))
      return { console in
        var usedFiles = usedFiles
        if let file = defaultFile(parsed) {
          _ = try Places.state()
          usedFiles.append(file)
        }
        try Self.refuseOutput(among: usedFiles)
        return try run(parsed, console)
      }
    }
  }

  /// Creates a command that uses one of this device's files, unless its settings name another.
  ///
  /// This is known when the command is compiled: to ask at run-time takes a twentieth of a small run.
  package init<Settings: PlacedByEnvironment>(
    _ name: String, _ abstract: String,
    discussion: @autoclosure @escaping @Sendable () -> [String] = [], settings: Settings,
    options: @autoclosure @escaping @Sendable () -> [Option<Settings>], operands: Operands<Settings> = .none,
    statuses: @autoclosure @escaping @Sendable () -> [ExitStatus] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    subcommands: @autoclosure @escaping @Sendable () -> [Command] = [],
    run: @escaping @Sendable (Settings, Console) throws -> ExitStatus
  ) {
    self.init(
      name, abstract, discussion: discussion(), settings: settings, options: options(), operands: operands,
      statuses: statuses(), examples: examples(), subcommands: subcommands(), defaultFile: { $0.defaultFile },
      run: run)
  }

  /// Creates a command that only selects one of its subcommands.
  package init(
    _ name: String, _ abstract: String,
    discussion: @autoclosure @escaping @Sendable () -> [String] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    subcommands: @autoclosure @escaping @Sendable () -> [Command]
  ) {
    self.init(
      name, abstract, discussion, { [] }, Self.groupOperands, { [] }, examples, subcommands, isGroup: true
    ) {
      (_: [String], _: inout OptionsOfAllTools) throws(UsageError) -> Action in
      throw .missingCommand
    }
  }

  /// Throws if standard output is a file that the run also reads, or writes in another way.
  package static func refuseOutput(among files: [String]) throws(UsageError) {
    guard let file = files.first(where: OpenStream.isStandardOutput) else { return }
    throw .usedOutput(file)
  }

  static let groupOperands = OperandHelp(synopsis: "COMMAND [ARGUMENT]...", count: 0...0, isCommand: true)

  private init(
    _ name: String, _ abstract: String, _ discussion: @escaping @Sendable () -> [String],
    _ options: @escaping @Sendable () -> [OptionHelp], _ operands: OperandHelp,
    _ statuses: @escaping @Sendable () -> [ExitStatus], _ examples: @escaping @Sendable () -> [Example],
    _ subcommands: @escaping @Sendable () -> [Command], isGroup: Bool,
    prepare: @escaping @Sendable ([String], inout OptionsOfAllTools) throws(UsageError) -> Action
  ) {
    self.name = name
    self.abstract = abstract
    makeDiscussion = discussion
    makeOptions = options
    self.operands = operands
    makeStatuses = statuses
    makeExamples = examples
    makeSubcommands = subcommands
    self.isGroup = isGroup
    self.prepare = prepare
  }
}
