import Chores
import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Push
import Store
import SyncCore
import SystemIO

/// The command `send`, which sends the notifications in the outbox.
extension NotifyTool {
  static let send = Command(
    "send", "deliver due pushes",
    discussion: [
      "send delivers every due push to each device of its recipient. It writes a line for each with status "
        + "and reason, then a line with the counts. If the service reports a device as gone, send removes "
        + "the device, and writes a line with the member prune. If more than five devices, and at least "
        + "half, are reported as gone, send keeps all of them, because the endpoint may be wrong. After lost "
        + "connections and temporary errors, this run or the next retries with growing waits until the push "
        + "expires.",
      "A push that would go to a removed device has a line with the outcome pruned. If all devices of a push "
        + "are removed before it was delivered or failed, it waits for the recipient's next device until it "
        + "expires.",
      "With --to command, send runs COMMAND once per push. COMMAND reads the notification from standard "
        + "input, and has NOTIFY_TITLE, NOTIFY_BODY, NOTIFY_KIND, NOTIFY_RECIPIENT, NOTIFY_ID, "
        + "NOTIFY_OCCURRENCE and NOTIFY_DUE in its environment. Each variable is one line. send retries a "
        + "push after any failure except exit status 65. If COMMAND takes longer than --answer-timeout, send "
        + "kills it with all processes that it has started.",
    ],
    settings: SendSettings(), options: sendOptions + Option.outboxPlace + Option.present,
    operands: Operands("[-- COMMAND [ARG...]]", count: 0...Int.max, isCommand: true) { $1.command = $0 },
    statuses: stored + [.unavailable, .system, .refused],
    examples: [
      .init(
        "Send to Apple's push service:",
        "notify send --signing-key push.p8 --key-id ABC1234567 --team-id DEF7654321 --topic org.example.chores"
      ),
      .init(
        "Show pushes on the desktop:",
        #"notify send --to command -- sh -c 'notify-send -- "$NOTIFY_TITLE" "$NOTIFY_BODY"'"#),
    ],
    run: runSend)

  private static let sendOptions: [Option<SendSettings>] = [
    .value("to", "Send to apns, Apple's push service, or to command (default: apns).") { $0.way = $1 },
    .value("signing-key", "Sign with this private key, a .p8 file that only its owner can read.") {
      $0.key = $1
    },
    .value("key-id", "Name the id of the signing key.") { $0.keyID = $1 },
    .value("team-id", "Name the id of the developer team.") { $0.teamID = $1 },
    .value("topic", "Name the bundle id of the app.") { $0.topic = $1 },
    .value(
      "endpoint", "Use another push service, such as https://api.sandbox.push.apple.com for development."
    ) {
      $0.endpoint = $1
    },
    .value("ca-file", "Trust the certificates in FILE instead of the system's.") { $0.authorities = $1 },
    .value("streams", "Send at most N pushes at a time (default: 500).") { $0.streams = $1 },
    .value("timeout", "Stop starting pushes after this long (default: 60s).") { $0.timeout = $1 },
    .value("answer-timeout", "Give up on an answer, or on COMMAND, after this long (default: 60s).") {
      $0.patience = $1
    },
    .value(
      "backoff",
      "Wait up to this long before the first retry, and twice as long before each further one (default: 1s)."
    ) { $0.backoff.first = $1 },
    .flag(
      "dry-run", "Write the headers and the body of each push, but do not send it or change the outbox."
    ) { $0.isDryRun = true },
  ]

  private static func runSend(_ settings: SendSettings, on console: Console) throws -> ExitStatus {
    guard (settings.way == .command) != settings.command.isEmpty else {
      throw UsageError.conflict("COMMAND and '--to command' require each other")
    }
    guard settings.patience > .zero else {
      throw UsageError.conflict("'--answer-timeout' must be more than 0")
    }
    let target = settings.way == .command ? Outbox.Target.program : .devices
    do {
      let channel = try settings.isDryRun ? nil : settings.channel()
      return try withOutbox(settings.outbox, console) { outbox in
        guard let channel else { return try preview(outbox, target, settings) }
        return try send(outbox, target, over: channel, settings, console)
      }
    } catch let error as TransportError {
      throw Diagnostic(error)
    } catch DeliveryError.curl(let message) {
      throw Diagnostic(.systemFailure, "libcurl: \(message)")
    }
  }

  private static func send(
    _ outbox: Outbox, _ target: Outbox.Target, over channel: any PushChannel, _ settings: SendSettings,
    _ console: Console
  ) throws -> ExitStatus {
    let lock = try settings.lock()
    let summary = Result { try run(outbox, target, over: channel, settings) }
    lock.release()
    return report(try summary.get(), settings, console)
  }

  private static func run(
    _ outbox: Outbox, _ target: Outbox.Target, over channel: any PushChannel, _ settings: SendSettings
  ) throws -> SendSummary {
    let sender = Sender(
      outbox, over: channel, to: target, retries: settings.backoff,
      deadline: SystemClock.monotonic() + settings.timeout, clock: settings.clock(), tell: { try write($0) })
    try sender.run()
    try write(sender.summary.value)
    return sender.summary
  }

  private static func report(
    _ summary: SendSummary, _ settings: SendSettings, _ console: Console
  ) -> ExitStatus {
    if let refusal = summary.refusal {
      return console.report(Diagnostic(refusal, endpoint: settings.endpoint))
    }
    if summary.left > 0 {
      return console.report(
        Diagnostic(.pushesWaiting, "pushes not sent yet: \(summary.left)", hint: "'notify send' retries them")
      )
    }
    guard summary.failed > 0 else { return .done }
    return console.report(
      Diagnostic(
        .partialRun, "pushes that will not be delivered: \(summary.failed)",
        hint: "notify outbox list --state failed shows them"))
  }

  private static func preview(
    _ outbox: Outbox, _ target: Outbox.Target, _ settings: SendSettings
  ) throws -> ExitStatus {
    guard let topic = settings.topic?.text ?? (target == .program ? "" : nil) else {
      throw UsageError.conflict("'--dry-run' needs --topic, or --to command")
    }
    for job in try outbox.preview(target, now: settings.clock()()).jobs {
      let line: JSONValue
      do throws(NotificationError) {
        line = try job.preview(topic: topic, program: settings.command)
      } catch {
        throw Diagnostic(error)
      }
      try write(line)
    }
    return .done
  }
}
