import SystemIO

/// A tool or one of its subcommands: a table of options, and what runs once they are read.
package struct Command: Sendable {
  /// A use of the command that can be typed as it stands; the transcripts run each of them.
  package struct Example: Sendable {
    package var purpose: String
    package var command: String

    package init(_ purpose: String, _ command: String) {
      self.purpose = purpose
      self.command = command
    }
  }

  package var name: String
  /// What it does in one line: lower-case, no final period.
  package var abstract: String
  /// Paragraphs that stand before the options in the help and in the man page.
  package var discussion: [String]
  package var options: [OptionHelp]
  package var operands: OperandHelp
  /// The statuses it can end with, besides 0, 64 and 70, which every command has.
  package var statuses: [ExitStatus]
  package var examples: [Example]
  package var subcommands: [Command]
  let prepare: @Sendable ([String], inout CommonSettings) throws(UsageError) -> Action

  /// What the command line asks for once it is read.
  package typealias Action = @Sendable (Console) throws -> ExitStatus

  /// A command that does something itself, and may have subcommands besides.
  package init<Settings: Sendable>(
    _ name: String, _ abstract: String, discussion: [String] = [], settings: Settings,
    options: [Option<Settings>], operands: Operands<Settings> = .none, statuses: [ExitStatus] = [],
    examples: [Example] = [], subcommands: [Command] = [],
    run: @escaping @Sendable (Settings, Console) throws -> ExitStatus
  ) {
    self.init(
      name, abstract, discussion, options.map(\.help), operands.help, statuses, examples, subcommands
    ) { (words: [String], common: inout CommonSettings) throws(UsageError) -> Action in
      var parser = OptionParser(options: options, operands: operands.help)
      var settings = settings
      let rest = try parser.parse(words, into: &settings, common: &common)
      operands.store(rest, &settings)
      let parsed = settings
      return { console in try run(parsed, console) }
    }
  }

  /// A command that only chooses one of its subcommands.
  package init(
    _ name: String, _ abstract: String, discussion: [String] = [], examples: [Example] = [],
    subcommands: [Command]
  ) {
    let operands = OperandHelp(synopsis: "COMMAND", count: 0...0, isCommand: true)
    self.init(name, abstract, discussion, [], operands, [], examples, subcommands) {
      (words: [String], common: inout CommonSettings) throws(UsageError) -> Action in
      var parser = OptionParser<CommonSettings>(options: [], operands: operands)
      var none = CommonSettings()
      guard let word = try parser.parse(words, into: &none, common: &common).first else {
        throw .missingCommand
      }
      throw .unknownCommand(word, near: Spelling.nearest(to: word, among: subcommands.map(\.name)))
    }
  }

  private init(
    _ name: String, _ abstract: String, _ discussion: [String], _ options: [OptionHelp],
    _ operands: OperandHelp, _ statuses: [ExitStatus], _ examples: [Example], _ subcommands: [Command],
    prepare: @escaping @Sendable ([String], inout CommonSettings) throws(UsageError) -> Action
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.options = options
    self.operands = operands
    self.statuses = statuses
    self.examples = examples
    self.subcommands = subcommands
    self.prepare = prepare
  }
}
