import JSONLines

/// The options that every command of every tool has.
struct OptionsOfAllTools: Sendable {
  enum Request: String, OptionChoice {
    case manual = "man"
    case bash, zsh, fish, table
    static var valueName: String { "KIND" }
  }

  enum Help: Sendable { case short, whole }
  var help: Help?
  var wantsVersion = false
  var generate: Request?
  var errors: Console.Format?
  var quiet = false

  static let options: [Option<OptionsOfAllTools>] = [
    .value(
      "errors", named: "FORMAT",
      "Write diagnostics as text, or as json: one object per line. PEERSYNC_ERRORS sets the default."
    ) { $0.errors = $1 },
    .flag("quiet", short: "q", "Write only errors: no progress, no notes.") { $0.quiet = true },
    .value(
      "generate",
      "Print the man page (man), the completion script of bash, zsh or fish, or all commands and "
        + "options as JSON (table)."
    ) { $0.generate = $1 },
    .flag("help", short: "h", "Print this help and exit; -h prints at most 25 lines.") {
      $0.help = .whole
    },
    .flag("version", "Print the version and exit; installed tools add the commit.") {
      $0.wantsVersion = true
    },
  ]
}

extension OptionsOfAllTools {
  /// A regular expression for bash and fish that matches a word with one of these options.
  static var pattern: String {
    let shorts = options.compactMap(\.help.short).map(String.init).joined()
    let longs = options.map(\.help.long).joined(separator: "|")
    return "^(-[\(shorts)]+|--(\(longs))(=.*)?)$"
  }

  /// Whether the rest of the command line is ignored.
  var endsEarly: Bool { help != nil || wantsVersion || generate != nil }
}

extension Console.Format: OptionChoice {
  package static var valueName: String { "FORMAT" }
}

extension Command {
  /// The text of `--help`; `path` is the full name of the command: `frame decode`.
  package func helpPage(path: String) -> String { HelpPage(command: self, path: path).text }

  /// The man page, a completion script or the table of a whole tool.
  func generated(_ kind: OptionsOfAllTools.Request) -> String {
    switch kind {
    case .manual: ManualPage(tool: self).text
    case .bash: BashCompletion(tool: self).text
    case .zsh: ZshCompletion(tool: self).text
    case .fish: FishCompletion(tool: self).text
    case .table: table.text + "\n"
    }
  }
}
