import LinkInputs
import CommandLine
import CommonInputs
import PairingInputs
import Links
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// The command line of `peersync`.
enum PeersyncTool {
  static let command = Command(
    "peersync", "keep the same records on several devices",
    discussion: [
      "pair makes two devices trust each other, once. serve runs on one device and answers the other. run "
        + "syncs from the other device: manually, from cron, or continuously with --follow. status shows the "
        + "state of each peer, doctor finds problems, and forget removes a peer.",
      "synclog reads and writes the records in the store, and bind syncs an app's file with the store. The "
        + "small tools peerpair, peerlink, frame and synclog can also do all of this.",
      "PEER is an id (at least its first 4 characters), or a name that only one peer has.",
    ],
    examples: [.init("Sync with each peer and remote:", "peersync run >> sync.log")],
    subcommands: [pair, serve, run, bind, remote, status, doctor, forget])

  struct Settings: RecordConfigurable, StoreConfigurable, ListenConfigurable, ListingConfigurable {
    var listing = ListingSettings()
    var records = RecordSettings()
    var store = StoreSettings()
    var listening = ListenSettings()
    var operands: [String] = []
    var address: HostAndPort?
    var timeout = Duration.seconds(30)
    var isDryRun = false
    var mixesEntities = false
    var version = ProtocolVersion.two
    // Settings for pair.
    var scan: SecretSource?
    var name: ServiceInstanceName?
    var lifetime = PayloadLifetime.standard.duration
    var isYes = false
    // Settings for serve.
    var once = false
    var peer: String?
    var onChange: String?
    // Settings for run.
    var direction = DialogueSettings.Direction.both
    var follow = false
    var jitter = Duration.zero
    var exitCode = false
    // Settings for status.
    var listsRecords = false
    var check = false
    // Settings for doctor.
    var isOffline = false
    var isVerbose = false

    func sessions(on console: Console) throws -> SessionSettings {
      let store = store
      var sessions = try SessionSettings(
        records.choice(), store: store.path, wait: store.wait, patience: timeout, present: { store.present }
      ) { try WireTypesFile(besideStore: store.path, console).memory }
      (sessions.maxDelete, sessions.maxDrift) = (store.maxDelete, store.maxDrift.duration)
      sessions.conflictAge = store.keepConflicts.duration
      sessions.mixesEntities = mixesEntities
      return sessions
    }

    /// The emptied trace file; nil without --trace.
    func openTrace(beside store: OpenStore) throws -> LinkTrace? {
      guard listening.trace != nil else { return nil }
      let others =
        try store.current().bindings().map(\.source) + [RemoteFile(in: Places.configuration()).path]
      return try listening.openTrace(beside: SideFiles(ofDeviceWith: self.store.path, others: others))
    }
  }

  static let timeout = Option<Settings>.value(
    "timeout", "Give up after this long without traffic (default: 30s)."
  ) { $0.timeout = $1 }

  private static let address = Option<Settings>.value(
    "address",
    "Connect to this address (default: the peer's last address, or the address found on the local network)."
  ) { $0.address = $1 }

  private static let mixEntities = Option<Settings>.flag(
    "mix-entities", "Allow records with an entity and records without one in the same store."
  ) { $0.mixesEntities = true }

  private static let version = Option<Settings>.value(
    "protocol",
    "Use this version of the peer protocol: 2, or 1 for the first apps (default: 2). Version 1 is plain TCP "
      + "without authentication, so it works only on loopback or with --interface."
  ) { $0.version = $1 }

  private static let exitCode = Option<Settings>.flag(
    "exit-code", "Exit with 1 if records have changed; with status, exit with 1 if a sync is stuck."
  ) { $0.exitCode = true }

  private static let onChange = Option<Settings>.value(
    "on-change", named: "COMMAND",
    "After storing changes from other devices, run COMMAND with sh. It reads the changed keys from standard "
      + "input, one per line."
  ) { $0.onChange = $1 }

  private static let dryRun = Option<Settings>.flag(
    "dry-run", "Print the changes without making them."
  ) { $0.isDryRun = true }

  private static let pair = Command(
    "pair", "make this device and another one trust each other",
    discussion: [
      "Without --scan, pair shows a pairing code and waits. On a terminal the code is 50 letters and digits "
        + "to type and, if the window is large enough, a QR symbol to scan. Elsewhere the code is one line "
        + "of text. Anyone who can read the code can pair; do not show it to others.",
      "With --scan, pair reads the code, in any of these forms, from a file or a line of standard input. On "
        + "a terminal it prompts for the code. Then it connects to the device that showed the code, at "
        + "--address. Without --address it searches the local network for a waiting device with that key.",
      "Each side shows the key of the other side, and its name if known, and prompts for confirmation. "
        + "Without a terminal, --yes is required. After the confirmation, each side prints the peer as one JSON "
        + "line.",
      "With --protocol 1, the other side is one of the first apps. These apps do not have keys, so you can "
        + "compare only the names.",
      "If the connection breaks at the very end, perhaps only the device that showed the code trusts the "
        + "other device. That device then prints the peer, and waits until the other device retries or the "
        + "code expires. A signal ends the wait; the exit status is 0.",
    ],
    settings: Settings(),
    options: [
      .value("scan", "Read the other side's pairing code instead of showing one.") { $0.scan = $1 },
      .value("name", "Name this device NAME from now on (default for a new identity: the machine's name).") {
        $0.name = $1
      },
      address,
      .flag("yes", short: "y", "Trust the other side without asking.") { $0.isYes = true },
      .value("expires-in", "Make the code expire after this long, at most 24h (default: 5m).") {
        $0.lifetime = ($1 as PayloadLifetime).duration
      },
      Option.listening[0], .interface, version, timeout,
    ] + Option.json,
    statuses: [
      .no, .badData, .noInput, .unavailable, .system, .inputOutput, .tryAgain, .protocolBroken, .refused,
    ],
    examples: [
      .init(
        "Show a code, and trust any device that reads it:",
        "umask 077; peersync pair --yes --port 27421 > code.txt &"),
      .init(
        "Read the code on the other device:",
        "head -n 1 code.txt | peersync pair --yes --scan - --address 127.0.0.1:27421 > peer.jsonl"),
    ],
    run: runPair)

  private static let serve = Command(
    "serve", "answer peers that sync with this device",
    discussion: [
      "serve runs until a signal. The first signal lets sessions finish within --timeout; a second signal "
        + "ends them immediately. serve prints one JSON line per event: listening, peerConnected, "
        + "peerDisconnected, peerRefused and peersRefused. The last one counts further refusals with the "
        + "same error code. On a terminal it prints the changes that each peer has sent and received.",
      "While serve accepts connections, it announces this device's name and id on the local network, so "
        + "peers find it. --interface limits this announcement to one network.",
      "With --protocol 1, serve answers only the peer that --peer names, and then requests the peer's "
        + "changes. Any device can claim to be that peer.",
    ],
    settings: Settings(),
    options: Option.listening + [
      .flag("once", "Exit after the first session, with its status.") { $0.once = true },
      .value(
        "peer", named: "PEER",
        "Answer only this peer: an id (at least its first 4 characters) or a name. Protocol 1 requires it.",
        completion: .peers
      ) { $0.peer = $1 },
      onChange, Option.keepConflicts, .interface, .trace, version, timeout,
    ] + Option.json + stores,
    statuses: synced,
    examples: [
      .init("Answer the first peer that connects:", "peersync serve --once --port 27422 > events.jsonl &")
    ],
    run: runServe)

  private static let run = Command(
    "run", "sync with peers, shared folders, servers and Firestore collections",
    discussion: [
      "REMOTE is a PEER, or a remote that 'peersync remote add' has added: dir:PATH, https://SERVER, or "
        + "firestore://PROJECT/COLLECTION. Without REMOTE, run syncs with all trusted peers at once, and "
        + "then with all remotes.",
      "run prints one JSON line for each finished peer and remote, and a summary at the end. On a terminal "
        + "it prints sentences. If only some could be synced, the exit status is 65. If all failed, the "
        + "status is that of the first failure.",
      "A peer must run 'peersync serve': two runs do not find each other. If a peer does not answer at its "
        + "last address, run also searches for it on the local network, unless --address is given.",
      "Only one run at a time uses a store. A second run exits with 75; with --quiet, it is silent.",
      "With --follow, a change on either side is sent to the other side immediately. run prints one line per "
        + "transfer, and the summary at the end. On a terminal, or with --verbose, it also reports when a "
        + "peer, remote, file or table that failed works again. It retries broken sessions. If retrying "
        + "cannot help, run gives up on that peer or remote, and that failure sets the exit status. It "
        + "retries other failures of a remote, first after 1s and later after at most 30s. If a server "
        + "requests a longer pause, run waits that long, up to a day. A signal ends the run with status 0; "
        + "with --exit-code, with status 1 if records have changed.",
      "A signal also ends a run without --follow. The run prints the summary with the member interrupted, and "
        + "then the signal terminates it.",
      "With --protocol 1 name each PEER. This side sends its changes only if the other side requests them. "
        + "It waits up to 5s for that request after it has received all changes. With --direction pull it "
        + "does not answer the request.",
    ],
    settings: Settings(),
    options: [
      .value("direction", "Sync in this direction: pull, push or both (default: both).") {
        $0.direction = $1
      },
      address,
      .flag("follow", short: "f", "Keep running, and send each change as it is made.") { $0.follow = true },
      .flag("verbose", short: "v", "Write each step of the run on standard error.") { $0.isVerbose = true },
      dryRun, exitCode,
      .value(
        "jitter",
        "First wait for a random time of up to DURATION, so that many devices do not connect at once."
      ) {
        $0.jitter = $1
      },
      onChange, Option.keepConflicts, .interface, .trace, version, timeout,
    ] + Option.json + stores,
    operands: Operands("[REMOTE...]", count: 0...Int.max, completion: .peersAndRemotes) { $1.operands = $0 },
    statuses: [.no] + synced,
    examples: [.init("Sync from a crontab:", "peersync run --quiet --jitter 10s >> sync.log")],
    run: runRun)

  private static let status = Command(
    "status", "show the state of each peer and remote",
    discussion: [
      "REMOTE has the same form as for run. status prints one JSON line per peer and remote. The line has "
        + "the times of the last run and transfer, and the transferred bytes. It also has the numbers of "
        + "changes still to send (pending) and in quarantine. If a sync does not advance, code and message "
        + "give the reason, which is also written to standard error.",
      "On standard error, status reports bound files and tables that a run could not sync. It also reports a "
        + "pairing code that expired unused within the last day, and a store whose disk is nearly full. It "
        + "also reports records with clocks so far ahead that peers reject them.",
      "With --exit-code the exit status is 1 if the last three runs that reached the peer failed without "
        + "transferring anything. It is also 1 if changes are in quarantine, if status reports a problem "
        + "named above, or if a peer was unreachable for four weeks.",
      "With --records, status prints one line per record instead: key, remote and state. The state is "
        + "synced, or pendingPush if the remote has not acknowledged the record. Deleted records have the "
        + "member deleted, and are left out once they are in sync. For a Firestore collection it lists the "
        + "records of its entity.",
      "Only --check compares records with those of the other side. The state of a record is pendingPull if "
        + "the next run would receive it. The state is conflict if the record has changed here and differs on "
        + "the other side. The newer version of a conflict is kept. Without --records, --check prints the "
        + "numbers of such records. If a peer or remote does not answer, its lines have checked: false.",
    ],
    settings: Settings(),
    options: [
      .flag("records", "Print one line per record.") { $0.listsRecords = true },
      .flag("check", "Compare with each peer and remote, without changing records.") { $0.check = true },
      exitCode, timeout,
    ] + Option.json + Option.storePlace,
    operands: Operands("[REMOTE...]", count: 0...Int.max, completion: .peersAndRemotes) { $1.operands = $0 },
    statuses: [.no] + synced,
    examples: [
      .init("Print peers and remotes that are stuck:", "peersync status | jq -c 'select(.code)'"),
      .init(
        "Print records that are still to be sent:",
        "peersync status --records | jq -c 'select(.state == \"pendingPush\")'"),
    ],
    run: runStatus)

  private static let forget = Command(
    "forget", "remove a trusted peer",
    discussion: [
      "forget ends a running session with the peer, refuses its next connection, and removes its checkpoints "
        + "from the store. It keeps records that came from the peer."
    ],
    settings: Settings(), options: [dryRun] + Option.json + Option.storePlace,
    operands: Operands("PEER", count: 1...1, completion: .peers) { $1.operands = $0 },
    statuses: [.badData, .noInput, .inputOutput, .tryAgain, .refused],
    examples: [.init("Forget an old tablet:", "peersync forget Tablet > forgotten.jsonl")],
    run: runForget)

  private static let stores =
    Option<Settings>.storePlace + Option.present + Option.drift + Option.maxDelete + [mixEntities]
    + Option.records

  private static let synced: [ExitStatus] = [
    .badData, .noInput, .unavailable, .system, .cannotCreate, .inputOutput, .tryAgain, .protocolBroken,
    .refused,
    .configuration,
  ]
}

extension DialogueSettings.Direction: OptionChoice {
  package static var valueName: String { "DIRECTION" }
}
