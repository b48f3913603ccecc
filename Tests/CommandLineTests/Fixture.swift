import JSONLines
import CommandLine

/// A tool with every kind of option, a nested subcommand, and texts that some format gives a meaning to.
enum Fixture {
  static let hostile =
    #"Take 'one' "two" \three `four` $HOME $(five) %s [six] {seven}: a; b & c | d, \\eight \'nine\'."#

  struct Settings: BadLineConfigurable, Equatable {
    enum Prefix: String, OptionChoice {
      case be32, le16, none
      static var valueName: String { "PREFIX" }
    }

    var badLines = BadLineSettings()
    var check = false
    var limit = ByteSize(bytes: 1024)
    var timeout: Duration?
    var prefix = Prefix.be32
    var names: [String] = []
    var count = 1
    var note: String?
    var secret: SecretSource?
    var words: [String] = []

    static func == (a: Settings, b: Settings) -> Bool {
      a.check == b.check && a.limit == b.limit && a.timeout == b.timeout && a.prefix == b.prefix
        && a.names == b.names && a.count == b.count && a.note == b.note && a.words == b.words
    }
  }

  static let options: [Option<Settings>] = [
    .flag("check", short: "c", "Check what comes in. Nothing is written then.") { $0.check = true },
    .value(
      "limit", short: "l", "Refuse frames above SIZE (default 1K), whatever their length prefix says."
    ) { $0.limit = $1 },
    .value("timeout", "Give up after DURATION; \(hostile)") { $0.timeout = $1 },
    .value("prefix", short: "p", "The length prefix.") { $0.prefix = $1 },
    .repeated("name", short: "n", named: "NAME", "Take only NAME.") { $0.names.append($1) },
    .value("count", named: "TIMES", ".Sh at the start of a line is no macro. 'Nor is a quote.") {
      $0.count = $1
    },
    .value("note", hostile) { $0.note = $1 },
    .value("secret", "Where the secret is.") { $0.secret = $1 },
  ]

  static let decode = Command(
    "decode", "read 'frames' and \"print\" them: one a line",
    discussion: [
      "Reads length-prefixed frames – ±2³¹ bytes at most – and writes one line each. A second sentence follows.",
      ".Dd is not a macro here, and C:\\temp\\new is a path. \(hostile)",
    ],
    settings: Settings(), options: options + Option.badLines,
    operands: Operands("[FILE]...", count: 0...Int.max) { $1.words = $0 }, statuses: [.badData, .noInput],
    examples: [
      .init("Decode a capture", "tool decode capture.bin"),
      .init("A longer one:", "tool decode --limit=16M \\\n  --note '.x \"y\"' - | grep -v '^~`'"),
    ]
  ) { settings, console in
    if settings.words.first == "fail" {
      throw Diagnostic(.noKey, "no key", file: "in", line: 3, hint: "add one")
    }
    console.note("\(settings.limit.bytes)")
    return .done
  }

  static let exec = Command(
    "exec", "put frames around a program", settings: Settings(),
    options: [
      .flag("verbose", short: "v", "Say more.") { $0.check = true },
      .value("limit", short: "l", "Refuse more.") { $0.limit = $1 },
    ],
    operands: Operands("[--] COMMAND [ARGUMENT]...", count: 1...Int.max, isCommand: true) { $1.words = $0 },
    statuses: [.unavailable], examples: [.init("Wrap a filter", "tool exec -- jq -c .")]
  ) { _, _ in .done }

  static let compare = Command(
    "check-laws", "check the laws", settings: Settings(), options: [],
    operands: Operands("OLD NEW", count: 2...2) { $1.words = $0 }, statuses: [.no],
    examples: [.init("Check them", "tool store check-laws old new")]
  ) { _, _ in .no }

  static let tool = Command(
    "tool", "do [many] things", discussion: [hostile],
    examples: [.init("There and back", "tool encode a | tool decode")],
    subcommands: [decode, exec, Command("store", "keep things", subcommands: [compare])])

  /// A tool without subcommands.
  static let filter: Command = {
    var filter = decode
    filter.name = "filter"
    return filter
  }()
}
