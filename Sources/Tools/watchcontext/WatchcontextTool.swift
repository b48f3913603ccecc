import CommandLine
import Devices
import SyncCore

/// The command line of `watchcontext`.
enum WatchcontextTool {
  static let command = Command(
    "watchcontext", "select and exchange application context between a phone and its watch",
    discussion: [
      "Registered keys are JSON objects, one per line. The members are key, availability (all, phoneOnly, "
        + "watchOnly, phoneWithWatchSync), policy (never, manual, automaticSmall), and the value as data "
        + "(Base64), text or json.",
      "eligible reports which keys are sent to the watch, and why. context writes the values that are sent, "
        + "and snapshot writes the reply to a request of the watch. run acts as the phone or the watch, as a "
        + "filter.",
    ],
    subcommands: [eligible, context, snapshot, run])

  /// The settings of the commands that read registered keys.
  struct ValueSettings: RulesConfigurable, BadLineConfigurable {
    var rules = ContextRules()
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  struct RunSettings: RulesConfigurable, BadLineConfigurable {
    /// The rules of a phone; nil if none of their options is given.
    private var phoneRules: ContextRules?
    var rules: ContextRules {
      get { phoneRules ?? ContextRules() }
      set { phoneRules = newValue }
    }
    var badLines = BadLineSettings()
    var files: [String] = []
    var role: Role?
    var keys: FilePath?
    var handlers: FilePath?
    var deliver: FilePath?
    var isLink = false
    var local: FilePath?

    var neededFiles: [String] { [keys, handlers, local].compactMap { $0?.path } }

    func check() throws(UsageError) {
      guard let role else { throw .conflict("'run' needs --role") }
      if role == .watch, keys != nil { throw .conflict("a watch does not use '--keys'") }
      if role == .watch, phoneRules != nil {
        throw .conflict("a watch does not use '--max-auto-sync-size', '--override' and '--max-context'")
      }
      if role == .phone, handlers != nil { throw .conflict("a phone does not use '--handlers'") }
      if role == .phone, deliver != nil { throw .conflict("a phone does not use '--deliver'") }
      if isLink, !files.isEmpty {
        throw .conflict("with '--link' standard input is the other side: read events with '--local'")
      }
      if isLink, role == .watch, deliver == nil {
        throw .conflict("with '--link' standard output is the other side: a watch needs '--deliver'")
      }
      if !isLink, local != nil { throw .conflict("'--local' needs '--link'") }
    }
  }

  enum Role: String, OptionChoice {
    case phone, watch
    static var valueName: String { "ROLE" }
  }

  private static let input = Operands<ValueSettings>.files { $1.files = $0 }

  private static let eligible = Command(
    "eligible", "report which registered keys are sent to the watch, and why",
    discussion: [
      "The reasons to send a key are manual, automaticSmall and override. The reasons not to send it are "
        + "reservedKey, noValue, phoneOnly, watchOnly, never and tooLarge."
    ],
    settings: ValueSettings(), options: Option.overriding + Option.badLines, operands: input,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("Find out why a value does not arrive:", "watchcontext eligible keys.jsonl")],
    run: runEligible)

  private static let context = Command(
    "context", "write the values for the watch as one object",
    discussion: [
      "A context replaces the previous one, so it contains all values. If it is too large, the error names the "
        + "largest keys."
    ],
    settings: ValueSettings(), options: Option.limits + Option.badLines, operands: input,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("Write the context for the watch:", "watchcontext context keys.jsonl")],
    run: runContext)

  private static let snapshot = Command(
    "snapshot", "write the reply to a request of the watch",
    discussion: ["snapshot writes key and value in Base64, or {\"ack\":true} if the value is not sent."],
    settings: ValueSettings(), options: Option.limits + Option.badLines, operands: input,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("Write the phone's reply:", "watchcontext snapshot keys.jsonl")],
    run: runSnapshot)

  private static let run = Command(
    "run", "act as the phone or the watch: read session events, write actions",
    discussion: [
      "The events are launch, activationDidComplete, sessionWatchStateDidChange, "
        + "sessionReachabilityDidChange, didReceiveMessage, didReceiveReply, messageDidFail, "
        + "didReceiveUserInfo, didFinishUserInfoTransfer, didReceiveApplicationContext and valueDidChange. "
        + "The actions are updateApplicationContext, reply, sendMessage, transferUserInfo and deliver. An "
        + "action of the other side is also accepted, as the event that it causes.",
      "With --link standard input and output are the other side, as with 'peerlink connect HOST:PORT -- frame "
        + "exec -- watchcontext run --link'. The other side is launched and reachable when the run begins, and "
        + "unreachable at the end of input. Changes that arrive together are sent as one context.",
    ],
    settings: RunSettings(),
    options: [
      .value("role", "Act as this side, phone or watch (required).") { $0.role = $1 },
      .value("keys", "Read the phone's registered keys from FILE; valueDidChange lines change them.") {
        $0.keys = $1
      },
      .value(
        "handlers",
        "Read from FILE how the watch decodes values: an object that maps each key to json, utf8 or base64. "
          + "Other keys are delivered separately."
      ) { $0.handlers = $1 },
      .value("deliver", "Append the watch's deliveries to FILE instead of standard output.") {
        $0.deliver = $1
      },
      .flag("link", "Exchange data with the other side over standard input and output.") { $0.isLink = true },
      .value("local", "With --link, read events of this device from FILE, for example a named pipe.") {
        $0.local = $1
      },
    ] + Option.limits + Option.badLines,
    operands: Operands("[FILE...]", count: 0...Int.max) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Show the deliveries of a watch:",
        "watchcontext run --role watch --handlers handlers.json events.jsonl")
    ],
    run: runRun)
}

/// Settings of a command that decides what is sent to the watch.
protocol RulesConfigurable: Sendable {
  var rules: ContextRules { get set }
}

extension Option where Settings: RulesConfigurable {
  fileprivate static var overriding: [Option] {
    [
      .value(
        "max-auto-sync-size", "Send values up to this size automatically (default: 64K)."
      ) { (settings: inout Settings, size: ByteSize) in settings.rules.maxAutoSyncSize = size.bytes },
      .repeated(
        "override", named: "KEY",
        "Send KEY regardless of its policy and size, if it is available on the watch."
      ) { (settings: inout Settings, key: String) in settings.rules.overrides.append(key) },
    ]
  }

  fileprivate static var limits: [Option] {
    overriding + [
      .value(
        "max-context",
        "Allow this size for keys and values together (default: 256K; systems drop larger contexts)."
      ) { (settings: inout Settings, size: ByteSize) in settings.rules.maxContextSize = size.bytes }
    ]
  }
}
