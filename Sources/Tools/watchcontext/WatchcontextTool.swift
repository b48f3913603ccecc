import CommandLine
import Devices
import SyncCore

/// The command line of `watchcontext`.
enum WatchcontextTool {
  static let command = Command(
    "watchcontext", "what a phone and its watch tell each other in the application context",
    discussion: [
      "Registered keys are JSON objects, a line each: key, availability (all, phoneOnly, watchOnly, "
        + "phoneWithWatchSync), policy (never, manual, automaticSmall), and the value as data (Base64), text or json.",
      "eligible says which of them go to the watch, and why; context is what goes; snapshot what a request of the watch "
        + "is answered with. run is the phone or the watch as a filter.",
    ],
    subcommands: [eligible, context, snapshot, run])

  /// Of the commands that read registered keys.
  struct ValueSettings: RulesConfigurable, BadLineConfigurable {
    var rules = ContextRules()
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  struct RunSettings: RulesConfigurable, BadLineConfigurable {
    var rules = ContextRules()
    var badLines = BadLineSettings()
    var files: [String] = []
    var role: Role?
    var keys: FilePath?
    var handlers: FilePath?
    var deliver: FilePath?
    var isLink = false
    var local: FilePath?

    func check() throws(UsageError) {
      guard let role else { throw .conflict("'run' needs --role") }
      if role == .watch, keys != nil { throw .conflict("a watch has no '--keys'") }
      if role == .phone, handlers != nil { throw .conflict("a phone has no '--handlers'") }
      if isLink, !files.isEmpty {
        throw .conflict("with '--link' standard input is the other side: '--local' takes events")
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
    "eligible", "say which registered keys go to the watch, and why",
    discussion: [
      "Reasons: manual, automaticSmall, override for those that go; reservedKey, noValue, phoneOnly, watchOnly, never, "
        + "tooLarge for those that stay."
    ],
    settings: ValueSettings(), options: Option.overriding + Option.badLines, operands: input,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("Why a value does not arrive:", "watchcontext eligible keys.jsonl")],
    run: runEligible)

  private static let context = Command(
    "context", "put the values that go to the watch into one object",
    discussion: [
      "A context replaces the one before, so it holds all of them. One that is too large is an error that names the keys "
        + "that take most."
    ],
    settings: ValueSettings(), options: Option.limits + Option.badLines, operands: input,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("What goes to the watch:", "watchcontext context keys.jsonl")],
    run: runContext)

  private static let snapshot = Command(
    "snapshot", "write the reply to a request of the watch",
    discussion: ["Key and value in Base64, or {\"ack\":true} where there is none to send."],
    settings: ValueSettings(), options: Option.limits + Option.badLines, operands: input,
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("What the phone would answer:", "watchcontext snapshot keys.jsonl")],
    run: runSnapshot)

  private static let run = Command(
    "run", "be the phone or the watch: session events in, actions out",
    discussion: [
      "Events: launch, activationDidComplete, sessionWatchStateDidChange, sessionReachabilityDidChange, "
        + "didReceiveMessage, didReceiveReply, messageDidFail, didReceiveUserInfo, didFinishUserInfoTransfer, "
        + "didReceiveApplicationContext, valueDidChange. Actions: updateApplicationContext, reply, sendMessage, transferUserInfo, deliver. An action "
        + "of the other side stands for the event that it makes.",
      "With --link standard input and output are the other side, as with 'peerlink connect HOST:PORT -- frame exec -- "
        + "watchcontext run --link': it is launched and reachable when the run begins, and out of reach at the end of "
        + "input. Changes that come together go out as one context.",
    ],
    settings: RunSettings(),
    options: [
      .value("role", "Which side this is: phone or watch; it has to be given.") { $0.role = $1 },
      .value("keys", "The phone's registered keys; valueDidChange lines change them.") { $0.keys = $1 },
      .value(
        "handlers",
        "How the watch decodes values: an object of keys with json, utf8 or base64. Other keys are delivered apart."
      ) { $0.handlers = $1 },
      .value("deliver", "Append what is delivered to FILE, not to standard output.") { $0.deliver = $1 },
      .flag("link", "Speak to the other side by standard input and output.") { $0.isLink = true },
      .value("local", "With --link take events of this device from FILE, a named pipe for example.") {
        $0.local = $1
      },
    ] + Option.limits + Option.badLines,
    operands: Operands("[FILE...]", count: 0...Int.max) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "What a watch has made of a log:",
        "watchcontext run --role watch --handlers handlers.json events.jsonl")
    ],
    run: runRun)
}

/// Settings of a command that decides what goes to the watch.
protocol RulesConfigurable: Sendable {
  var rules: ContextRules { get set }
}

extension Option where Settings: RulesConfigurable {
  fileprivate static var overriding: [Option] {
    [
      .value(
        "max-auto-sync-size", "The largest value that goes to the watch by itself; the default is 64K."
      ) { (settings: inout Settings, size: ByteSize) in settings.rules.maxAutoSyncSize = size.bytes },
      .repeated(
        "override", named: "KEY",
        "Send KEY whatever its policy and size are, if it may be on the watch at all. May be given again."
      ) { (settings: inout Settings, key: String) in settings.rules.overrides.insert(key) },
    ]
  }

  fileprivate static var limits: [Option] {
    overriding + [
      .value(
        "max-context",
        "The largest context, keys and values together; the default is 256K, above which systems drop it."
      ) { (settings: inout Settings, size: ByteSize) in settings.rules.maxContextSize = size.bytes }
    ]
  }
}
