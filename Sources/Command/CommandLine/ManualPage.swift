import JSONLines

/// The man page of a tool in mdoc(7), its subcommands as subsections; `mandoc -T lint` accepts it.
struct ManualPage {
  let tool: Command

  var text: String {
    let lines = head + synopsis + description + options + commands + environment + exitStatus + examples
    return (lines + diagnostics + seeAlso).map { $0 + "\n" }.joined()
  }

  private var head: [String] {
    [
      ".Dd \(releaseDate)", ".Dt \(tool.name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(tool.name)", ".Nd " + Mdoc.lines(tool.abstract).joined(separator: " "),
    ]
  }

  private var synopsis: [String] {
    [".Sh SYNOPSIS"] + tool.tree(path: tool.name).filter { !$0.command.isGroup }.flatMap(usage)
  }

  private var description: [String] {
    [".Sh DESCRIPTION"] + paragraphs([tool.sentence] + tool.discussion)
  }

  private var options: [String] {
    let common = list(OptionsOfAllTools.options.map(\.help))
    let own = tool.options.isEmpty ? [] : list(tool.options) + [".Pp"]
    return [".Sh OPTIONS"] + own + ["All commands have these options:"] + common
  }

  private var commands: [String] {
    guard !tool.subcommands.isEmpty else { return [] }
    return [".Sh COMMANDS"] + tool.tree(path: tool.name).dropFirst().flatMap(subsection)
  }

  private func subsection(_ path: String, _ command: Command) -> [String] {
    let options = command.options.isEmpty ? [] : list(command.options)
    return [".Ss \(path)", ".Bd -ragged -offset indent -compact"] + usage(path, command) + [".Ed", ".Pp"]
      + paragraphs([command.sentence] + command.discussion) + options
  }

  private var environment: [String] {
    [
      ".Sh ENVIRONMENT", ".Bl -tag -width Ds",
      ".It Ev PEERSYNC_ERRORS", "The default of", ".Fl \\-errors :", ".Cm text", "or", ".Cm json .",
      ".It Ev NO_COLOR", "If set and not empty, diagnostics and tables are not coloured,",
      "even on a terminal.",
    ] + places + variables + [".El"] + files
  }

  private var places: [String] {
    guard Self.files[tool.name] != nil else { return [] }
    return [
      ".It Ev PEERSYNC_HOME", "The folder for all files below, instead of the folders in their paths.",
      ".It Ev XDG_CONFIG_HOME", "Replaces", ".Pa ~/.config", "in the paths below.",
      ".It Ev XDG_STATE_HOME", "Replaces", ".Pa ~/.local/state", "in the paths below.",
    ]
  }

  private var variables: [String] {
    (Self.variables[tool.name] ?? []).flatMap { [".It Ev \($0.name)"] + Mdoc.lines($0.meaning) }
  }

  private var files: [String] {
    guard let files = Self.files[tool.name] else {
      return [".Sh FILES", "None of its own: the options and operands name the files of a run."]
    }
    let rows = files.flatMap { [".It Pa ~/\($0.path)"] + Mdoc.lines($0.content) }
    return [".Sh FILES", ".Bl -tag -width Ds"] + rows + [".El"]
  }

  /// The variables that only some tools read.
  private static let variables: [String: [(name: String, meaning: String)]] = [
    "assign": [temporary, zones], "notify": [temporary, zones], "deltadiff": [temporary],
    "lwwmerge": [temporary], "synclog": [temporary], "peersync": [temporary],
    "peerpair": [("PEERLINK_*", "The facts of a connection, which peerlink sets.")],
    "meshevents": [
      ("PEERLINK_PEER_ID", "The sender of the messages, which peerlink sets."),
      ("PEERLINK_SELF_ID", "The id of this device, which peerlink sets."),
    ],
    "syncserve": [
      (
        "PGPASSFILE, PGPASSWORD, PGSSLMODE",
        "How a PostgreSQL database is reached; libpq also reads its other variables."
      )
    ],
  ]
  private static let temporary = (name: "TMPDIR", meaning: "The folder for temporary files (default: /tmp).")
  private static let zones = (
    name: "TZDIR", meaning: "The folder with time zones (default: /usr/share/zoneinfo)."
  )

  /// The files that a tool uses by default.
  private static let files: [String: [(path: String, content: String)]] = [
    "peersync": [identity, trust, remotes, transfers, sessions, store],
    "peerpair": [identity, trust, sessions],
    "peerlink": [identity, trust], "synclog": [store], "notify": [outbox],
  ]
  private static let identity = (
    path: ".config/peersync/identity.pem", content: "The key, the id and the name of this device."
  )
  private static let trust = (path: ".config/peersync/trust.jsonl", content: "The trusted peers.")
  private static let remotes = (
    path: ".config/peersync/remotes.jsonl", content: "The remotes that are not peers."
  )
  private static let transfers = (
    path: ".local/state/peersync/transfers.jsonl",
    content: "The results of the last sessions with each peer and remote."
  )
  private static let sessions = (
    path: ".local/state/peersync/pairing-sessions.jsonl", content: "The codes that have not expired yet."
  )
  private static let store = (path: ".local/state/peersync/store.db", content: "The store.")
  private static let outbox = (
    path: ".local/state/peersync/notify.db", content: "The outbox of notifications, and the devices."
  )

  private var exitStatus: [String] {
    let rows = tool.allStatuses.flatMap { [".It \($0.name)"] + Mdoc.lines($0.meaning) }
    return [".Sh EXIT STATUS", ".Bl -tag -width Ds"] + rows + [".El"]
  }

  /// The examples of the tool, and then those of its commands.
  private var examples: [String] {
    [".Sh EXAMPLES"] + tool.everyExample.map(example).joined(separator: [".Pp"])
  }

  private var diagnostics: [String] {
    [
      ".Sh DIAGNOSTICS",
      "Errors are written to standard error, one line each,",
      "with the place if it is known.",
      "A line that begins with", ".Ql \(tool.name): hint", "gives a remedy.",
      "With", ".Fl \\-errors Cm json", "each error is a JSON object.",
      "Its member", ".Ql code", "keeps its meaning in later versions;",
      "docs/exit\\-status.md lists all codes.",
    ]
  }

  private var seeAlso: [String] {
    let others = toolNames.filter { $0 != tool.name }
    return [".Sh SEE ALSO"] + others.map { ".Xr \($0) 1" + ($0 == others.last ? "" : " ,") }
  }
}

// The elements of a page, each a list of source lines.

extension ManualPage {
  /// `.Nm` with the command's words, options and operands.
  func usage(_ path: String, _ command: Command) -> [String] {
    let words = path.split(separator: " ").dropFirst().map { ".Cm \($0)" }
    return [".Nm"] + words + command.synopsis.split(separator: " ").flatMap(operand)
  }

  /// `[FILE]...` as an optional argument; brackets may hold several words.
  private func operand(_ word: Substring) -> [String] {
    let opened = word.prefix { $0 == "[" }
    let name = word.dropFirst(opened.count).prefix { $0 != "]" }
    let closed = word[name.endIndex...].prefix { $0 == "]" }
    let tail = word[closed.endIndex...]
    var lines = opened.map { _ in ".Oo" } + [macro(name)] + closed.map { _ in ".Oc" }
    if !tail.isEmpty { lines[lines.count - 1] += " Ns " + Mdoc.argument(String(tail)) }
    return lines
  }

  private func macro(_ name: Substring) -> String {
    name.hasPrefix("-")
      ? ".Fl " + Mdoc.argument(String(name.dropFirst())) : ".Ar " + Mdoc.argument(String(name))
  }

  func paragraphs(_ texts: [String]) -> [String] {
    Array(texts.map(Mdoc.lines).joined(separator: [".Pp"]))
  }

  func list(_ options: [OptionHelp]) -> [String] {
    [".Bl -tag -width Ds"] + options.flatMap { [item($0)] + Mdoc.lines($0.explanation) } + [".El"]
  }

  private func item(_ option: OptionHelp) -> String {
    let short = option.short.map { " Fl \(Mdoc.argument(String($0))) ," } ?? ""
    let value = option.value.map { " Ar \(Mdoc.argument($0))" } ?? ""
    return ".It\(short) Fl \(Mdoc.argument("-" + option.long))\(value)"
  }

  func example(_ example: Command.Example) -> [String] {
    Mdoc.lines(example.heading) + [".Bd -literal -offset indent"] + example.lines.map(Mdoc.literal) + [".Ed"]
  }
}

/// The mdoc(7) source of arbitrary text.
enum Mdoc {
  /// A text as source lines: each sentence begins a line, and a line has at most 80 bytes, or one long word.
  static func lines(_ text: String) -> [String] {
    Wrapping.sentences(text).flatMap { Wrapping.lines(escaped($0), width: 78) }.map(guarded)
  }

  /// A line that is printed unchanged, between `.Bd -literal` and `.Ed`.
  static func literal(_ line: String) -> String { guarded(escaped(line)) }

  /// One argument of a macro, escaped so that roff does not read it as a macro or as punctuation.
  static func argument(_ text: String) -> String {
    let text = escaped(text, quote: "\\(dq")
    return text.contains(" ") ? "\"\(text)\"" : "\\&" + text
  }

  /// Escapes characters that have a meaning in roff, or that roff prints differently.
  private static func escaped(_ text: String, quote: String = "\"") -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": quote
      case " "..."~": String(scalar)
      default: unicode(scalar)
      }
    }.joined()
  }

  private static func unicode(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
  }

  /// A period at the start of a line would make it a macro.
  private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}
