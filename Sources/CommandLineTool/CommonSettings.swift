/// The options that every command of every tool has.
struct CommonSettings: Sendable {
  enum Request: String, OptionChoice {
    case manual = "man"
    case bash, zsh, fish
    static var valueName: String { "KIND" }
  }

  var wantsHelp = false
  var wantsVersion = false
  var generate: Request?
  var errors: Console.Format?
  var quiet = false

  static let options: [Option<CommonSettings>] = [
    .value(
      "errors", named: "FORMAT", \.errors,
      "Write diagnostics as text, or as json: one object a line. PEERSYNC_ERRORS sets the default."),
    .flag("quiet", short: "q", \.quiet, "Write errors only: no progress, no notes."),
    .value(
      "generate", \.generate,
      "Print the man page (man) or the completion script of bash, zsh or fish, and end."),
    .flag("help", short: "h", \.wantsHelp, "Print this help and end."),
    .flag("version", \.wantsVersion, "Print the version and end."),
  ]
}

extension Console.Format: OptionChoice {
  package static var valueName: String { "FORMAT" }
}
