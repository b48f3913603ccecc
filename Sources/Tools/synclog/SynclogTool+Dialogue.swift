import CommandLine
import Crypto
import JSONLines
import PeerProtocol
import Store
import SyncCore
import SystemIO
import RecordInputs

extension SynclogTool {
  struct RequestSettings: DialogueConfigurable {
    var records = RecordSettings()
    var store = StoreSettings()
    var dialogue = DialogueChoices()
    var asking = AskingChoices()
  }

  struct RespondSettings: DialogueConfigurable {
    var records = RecordSettings()
    var store = StoreSettings()
    var dialogue = DialogueChoices()
  }

  static let request = Command(
    "request", "fetch a peer's changes, and let the peer fetch this store's changes",
    discussion: [
      "request exchanges message lines with synclog respond on the other side, through standard input and "
        + "output. frame exec turns these lines into frames, and peerlink, ssh or socat make the connection. "
        + "request stores each page of changes and its checkpoint in one transaction, then acknowledges the "
        + "page. If a run is interrupted, the next run resumes after the last stored page.",
      "With --push the other side fetches after this side has received all changes. With protocol 1 the two "
        + "sides do not take turns: requests that arrive meanwhile are answered. A change that cannot be "
        + "applied is kept in quarantine. While quarantine is not empty, the exit status is 65. Without "
        + "--follow a run takes at most an hour, and the next run continues.",
    ],
    settings: RequestSettings(),
    options: [
      .flag("push", "Let the other side fetch this side's changes.") { $0.asking.push = true },
      .flag("no-pull", "With --push: only send changes.") { $0.asking.noPull = true },
      .flag("follow", short: "f", "Keep running, and fetch each change as it is made.") {
        $0.asking.follow = true
      },
      .value(
        "round", "With --follow: each request waits up to DURATION for changes (default: 1m; at most 1d)."
      ) { $0.asking.round = $1 },
      .value(
        "linger",
        "With protocol 1: after all changes are received, wait this long for a request of the other side "
          + "(default: 0s)."
      ) { $0.asking.linger = $1 },
    ] + Option.speaking, statuses: spoken,
    examples: [
      .init(
        "Sync two stores on one machine:",
        "mkfifo back; synclog request --push --peer mac --self-id pc --protocol 2 --store pc.db < back | "
          + "synclog respond --peer pc --self-id mac --protocol 2 --store mac.db > back")
    ],
    run: { settings, console in
      try run(settings, role: .connector(try settings.asking.direction()), settings.asking, console)
    })

  static let respond = Command(
    "respond", "answer a peer's requests",
    discussion: [
      "respond answers synclog request on the other side. It reads message lines from standard input and "
        + "writes message lines to standard output. It sends the changes that the peer lacks, page by page, "
        + "and fetches the peer's changes if the peer allows it. It exits when the input ends."
    ],
    settings: RespondSettings(), options: Option.speaking, statuses: spoken,
    examples: [
      .init(
        "Sync two stores with socat in place of a connection:",
        "socat EXEC:'synclog request --peer mac --self-id pc --protocol 2 --store pc.db' "
          + "EXEC:'synclog respond --peer pc --self-id mac --protocol 2 --store mac.db'")
    ],
    run: { settings, console in try run(settings, role: .acceptor, AskingChoices(), console) })

  private static let spoken: [ExitStatus] = [
    .badData, .noInput, .cannotCreate, .inputOutput, .tryAgain, .protocolBroken, .refused, .configuration,
  ]

  private static func run(
    _ settings: some DialogueConfigurable, role: DialogueSettings.Role, _ asking: AskingChoices,
    _ console: Console
  ) throws -> ExitStatus {
    let choice = try settings.records.choice()
    let choices = settings.dialogue
    var prepared = try prepare(choices, role, asking)
    var sideFiles = SideFiles(inputs: [], others: [settings.store.path])
    try sideFiles.add(choices.types)
    let types = try typesFile(choices, prepared.version, settings.store.path, console)?.memory
    return try withStore(settings.store, console, creating: true) { store in
      try store.settle(choice)
      if prepared.version == .two { prepared.shared = try store.sharedRules { try $0.rulesDigest() } }
      let dialogue = try DialogueCourse(
        prepared, over: store, limit: settings.store.maxDelete,
        maximumDrift: settings.store.maxDrift.duration, types: types
      ) { settings.store.present }
      var run = DialogueRun(
        dialogue, input: .standardInput, output: .standardOutput,
        .init(patience: choices.timeout, message: choices.maxSize.bytes, session: prepared.longestSession))
      let end = try run.run()
      let course = run.course
      console.note(keptAfterRestore: course.tally.keptAfterRestore)
      console.note(course.tally.conflicts)
      if course.tally.hasAdoptedRules {
        console.noteAdoptedRules(of: "'\(prepared.peerId.escapingControls)'")
      }
      if let losses = course.losses.description {
        console.note("protocol 1 cannot carry all of the sent data: \(losses)")
      }
      if let wrong = Diagnostic(end, of: prepared, refusal: course.refusal, store: settings.store.path) {
        return console.report(wrong)
      }
      let aside = (here: try store.quarantineCount(), there: course.quarantinedThere)
      return conclude(end, aside, settings.store, console)
    }
  }

  /// The file of types, never nil over version 1.
  ///
  /// If the types of a peer's values are lost, that peer treats returned records as changed.
  private static func typesFile(
    _ choices: DialogueChoices, _ version: ProtocolVersion, _ store: String, _ console: Console
  ) throws -> WireTypesFile? {
    guard version == .one else { return nil }
    return try choices.types.map { try WireTypesFile($0.path, console) }
      ?? WireTypesFile(besideStore: store, console)
  }

  private static func prepare(
    _ choices: DialogueChoices, _ role: DialogueSettings.Role, _ asking: AskingChoices
  ) throws -> DialogueSettings {
    let connection = try choices.connection()
    if connection.version == .two, choices.types != nil || asking.linger != nil {
      throw UsageError.conflict("'--types' and '--linger' are for protocol 1")
    }
    guard connection.version == .two || !asking.follow && !asking.push,
      var settings = DialogueSettings(
        role: connection.version == .one && role != .acceptor ? .connector(.both) : role,
        version: connection.version, ownId: connection.selfId, ownName: connection.selfName,
        peerId: connection.peer)
    else {
      throw UsageError.conflict(
        "protocol 1 does not support '--push' and '--follow': run request without them on either side")
    }
    guard (1...SyncResponse.longestLine).contains(choices.maxPage.bytes) else {
      throw UsageError.conflict("'--max-page' must be from 1 to 8M")
    }
    guard (1...LineCursor.longestLine).contains(choices.maxSize.bytes) else {
      throw UsageError.conflict("'--max-size' must be from 1 to 64M")
    }
    settings.pageLimit = choices.maxPage.bytes
    settings.mixesEntities = choices.mixesEntities
    settings.lingerSeconds = Int(clamping: asking.linger?.components.seconds ?? 0)
    guard asking.follow else { return settings }
    let round = (asking.round ?? .seconds(60)).components.seconds
    guard (1...Int64(SyncRequest.longestWait)).contains(round) else {
      throw UsageError.conflict("'--round' must be from 1s to 1d")
    }
    settings.waitSeconds = Int(round)
    return settings
  }

  /// Reports quarantined lines first, then the changes that version 1 could not carry.
  private static func conclude(
    _ end: DialogueEnd, _ quarantined: (here: Int, there: Int), _ settings: StoreSettings, _ console: Console
  ) -> ExitStatus {
    guard quarantined.here == 0 else { return report(quarantined.here, settings, console) }
    if quarantined.there > 0 { return console.report(Diagnostic(quarantinedThere: quarantined.there)) }
    guard case .done(let setAside) = end, setAside > 0 else { return .done }
    return console.report(Diagnostic(leftOut: setAside, store: settings.path))
  }
}
