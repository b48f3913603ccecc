import LinkInputs
import CommandLine
import CoreInputs
import PairingInputs
import Links
import Remotes
import Sessions
import Store
import SyncCore
import SystemIO
import ToolInputs

/// The command line of `peersync`.
enum PeersyncTool {
  static let command = Command(
    "peersync", "keep the same records on several devices",
    discussion: [
      "pair makes two devices trust each other, once. serve answers on one of them; run brings the other up to date, "
        + "by hand, from cron, or for good with --follow. status says how things stand, and forget ends a trust.",
      "Records are written into the store with synclog, and read from it. Everything here can also be done with the "
        + "small tools: peerpair, peerlink, frame and synclog.",
      "PEER is an id, the beginning of one with at least 4 characters, or a name, where only one peer has it.",
    ],
    subcommands: [pair, serve, run, bind, remote, status, forget])

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
    // Of pair.
    var scan: SecretSource?
    var lifetime = PayloadLifetime.standard.duration
    var isYes = false
    // Of serve.
    var once = false
    var peer: String?
    var onChange: String?
    // Of run.
    var direction = DialogueSettings.Direction.both
    var follow = false
    var jitter = Duration.zero
    var exitCode = false
    // Of status.
    var listsRecords = false
    var check = false

    func sessions() throws -> SessionSettings {
      let store = store
      var sessions = try SessionSettings(
        records.choice(), store: store.path, wait: store.wait, patience: timeout, present: { store.present }
      ) { try WireTypesFile(besideStore: store.path).memory }
      (sessions.maxDelete, sessions.maxDrift) = (store.maxDelete, store.maxDrift.duration)
      sessions.conflictAge = store.keepConflicts.duration
      sessions.mixesEntities = mixesEntities
      return sessions
    }

    /// The file that is told what passes, emptied; nil for none.
    func openTrace(beside store: OpenStore) throws -> LinkTrace? {
      guard listening.trace != nil else { return nil }
      let others =
        try store.current().bindings().map(\.source) + [RemoteFile(in: Places.configuration()).path]
      return try listening.openTrace(beside: SideFiles(ofDeviceWith: self.store.path, others: others))
    }
  }

  private static let timeout = Option<Settings>.value(
    "timeout", "How long nothing may come or go; the default is 30s."
  ) { $0.timeout = $1 }

  private static let address = Option<Settings>.value(
    "address", "Where the other side is; without it, where it was last, or where it is found."
  ) { $0.address = $1 }

  private static let mixEntities = Option<Settings>.flag(
    "mix-entities", "Let records that name no entity come to those that name theirs."
  ) { $0.mixesEntities = true }

  private static let version = Option<Settings>.value(
    "protocol",
    "The version of the peer protocol: 2 (the default), or 1, for the first apps. It is plain TCP and proves nothing: on "
      + "loopback, or with --interface."
  ) { $0.version = $1 }

  private static let exitCode = Option<Settings>.flag(
    "exit-code", "End with 1 when something has changed, or with status, when something is stuck."
  ) { $0.exitCode = true }

  private static let onChange = Option<Settings>.value(
    "on-change", named: "COMMAND",
    "Run COMMAND, with sh, after changes of others were stored; their keys are on its standard input, an object a line."
  ) { $0.onChange = $1 }

  private static let dryRun = Option<Settings>.flag(
    "dry-run", "Say what would be done, and do nothing."
  ) { $0.isDryRun = true }

  private static let pair = Command(
    "pair", "make this device and another one trust each other",
    discussion: [
      "Without --scan it shows a QR symbol and waits. What the symbol says is written as text where standard output "
        + "is no terminal, or one that is too small or has no colours. Who has read it can pair: show it to nobody else.",
      "With --scan it reads that text, from a file or as a line of standard input, and connects to the device that has "
        + "shown it: the one at --address, or else the one with that key that waits on the local network.",
      "With --protocol 1 it pairs with one of the first apps, which have no keys: only the name can be compared.",
      "Each side shows the name and the key of the other and asks. Where nobody can be asked, --yes is needed. The "
        + "peer is then written as one JSON line.",
      "If the connection breaks at the very end, the device that has shown the symbol trusts the other one, which may "
        + "not know it. It writes the peer at once, and waits until the same device has tried again or the symbol has "
        + "expired. A signal ends the wait, with 0.",
    ],
    settings: Settings(),
    options: [
      .value("scan", "Read the other side's text, in place of showing one.") { $0.scan = $1 },
      address,
      .flag("yes", short: "y", "Trust the other side without asking.") { $0.isYes = true },
      .value("expires-in", "How long the symbol is good, up to 24h; the default is 5m.") {
        $0.lifetime = ($1 as PayloadLifetime).duration
      },
      Option.listening[0], .interface, version, timeout,
    ],
    statuses: [
      .no, .badData, .noInput, .unavailable, .system, .inputOutput, .tryAgain, .protocolBroken, .refused,
    ],
    examples: [
      .init(
        "Show a symbol, and take whoever has read it:",
        "umask 077; peersync pair --yes --port 27421 > symbol.txt &"),
      .init(
        "Read it on the other device:",
        "peersync pair --yes --scan - --address 127.0.0.1:27421 < payload.txt > peer.jsonl"),
    ],
    run: runPair)

  private static let serve = Command(
    "serve", "answer peers that sync with this device",
    discussion: [
      "Until a signal comes. The first signal lets sessions come to their end within --timeout; a second one ends at "
        + "once. Writes a line of JSON for what happens: listening, peerConnected, peerDisconnected, peerRefused, "
        + "and peersRefused with how many more of a code there were.",
      "While it takes connections it announces the name and the id of this device on the local network, so that peers "
        + "find it; --interface says on which one only.",
      "With --protocol 1 it answers the peer that --peer names, and then asks it for its changes. Anybody can claim to be "
        + "that peer.",
    ],
    settings: Settings(),
    options: Option.listening + [
      .flag("once", "End after the first session, with its status.") { $0.once = true },
      .value(
        "peer", named: "PEER",
        "Only this peer: an id, 4 or more characters of it, or a name. Protocol 1 needs it."
      ) { $0.peer = $1 },
      onChange, Option.keepConflicts, .interface, .trace, version, timeout,
    ] + stores,
    statuses: synced,
    examples: [
      .init("Serve the first who comes:", "peersync serve --once --port 27422 > events.jsonl &")
    ],
    run: runServe)

  private static let run = Command(
    "run", "sync with peers, shared folders, servers and Firestore collections",
    discussion: [
      "REMOTE is a PEER, or what 'peersync remote add' has added: dir:PATH, a shared folder, https://SERVER, or firestore://PROJECT/COLLECTION. Without one it is all peers "
        + "that are trusted, at once, and then all remotes. Writes a line of JSON for each as it ends, and a summary at the "
        + "end. Where some could be synced and others not, the status is 65; where none could, that of the first.",
      "A peer that does not answer at once where it was last is looked for on the local network too, but not with --address.",
      "With --protocol 1 each PEER has to be named. Changes go both ways if the other side asks too, at the latest 5s after "
        + "everything is read; with --direction pull it is not answered.",
      "At most one run at a time uses a store: another one ends with 75, with --quiet without a word.",
      "With --follow a change on either side is at the other at once. A line says what has moved and with whom, whenever "
        + "something has, and the summary comes when the run is stopped. What breaks off is begun again, but where that could "
        + "not help: that peer is given up, and its status is that of the run. So is a remote that refuses this device or merges by other rules; one that fails otherwise is tried again after 1s, and after up to 30s where it goes on failing. Else it ends, by a signal, with 0, or "
        + "with --exit-code with 1 where something has changed meanwhile. Any other run that a "
        + "signal ends writes its summary, which says interrupted, and dies of the signal.",
    ],
    settings: Settings(),
    options: [
      .value("direction", "Which way changes go: pull, push, or both, which is the default.") {
        $0.direction = $1
      },
      address,
      .flag("follow", short: "f", "Go on until stopped.") { $0.follow = true }, dryRun, exitCode,
      .value("jitter", "Wait at first, up to DURATION, so that many devices do not come at once.") {
        $0.jitter = $1
      },
      onChange, Option.keepConflicts, .interface, .trace, version, timeout,
    ] + stores,
    operands: Operands("[REMOTE...]", count: 0...Int.max) { $1.operands = $0 }, statuses: [.no] + synced,
    examples: [.init("In a crontab:", "peersync run --quiet --jitter 10s >> sync.log")],
    run: runRun)

  private static let status = Command(
    "status", "say how things stand with each peer and remote",
    discussion: [
      "REMOTE is as with run. Writes a line of JSON for each: when changes last moved, how many bytes, how many changes it has not had yet (pending), "
        + "how many of its own are in quarantine. code and message are why it does not go on, and stand on standard "
        + "error too. There it also says for a day where a symbol of pair has expired before anybody paired by it, "
        + "and which records have clocks so far ahead that no peer takes them.",
      "With --records it writes a line for each record in place of that: its key, the remote, and the state: synced, or pendingPush "
        + "where the remote has not acknowledged what is here; deletions have deleted, and are left out once they are in sync. Of a Firestore collection it lists the records of its entity. Whether the remote has something newer only a look at it can tell: "
        + "with --check a record that would be taken from there is pendingPull, and one that has changed here and is not the same there "
        + "is a conflict, of which the newer one stays. Without --records, --check adds how many there are. A server or folder says itself what it has of this store, also where it was restored. Lines of one that does not answer have checked: false.",
    ],
    settings: Settings(),
    options: [
      .flag("records", "Write a line for each record.") { $0.listsRecords = true },
      .flag("check", "Ask each what it has, and change nothing.") { $0.check = true }, exitCode, timeout,
    ] + Option.json + Option.storePlace,
    operands: Operands("[REMOTE...]", count: 0...Int.max) { $1.operands = $0 }, statuses: [.no] + synced,
    examples: [
      .init("Whatever is stuck:", "peersync status | jq -c 'select(.code)'"),
      .init(
        "What is yet to be sent:", "peersync status --records | jq -c 'select(.state == \"pendingPush\")'"),
    ],
    run: runStatus)

  private static let forget = Command(
    "forget", "end the trust in a peer",
    discussion: [
      "A session with it that is under way ends, and its next connection is refused. Its checkpoints go from the store "
        + "too; the records that came from it stay."
    ],
    settings: Settings(), options: [dryRun] + Option.storePlace,
    operands: Operands("PEER", count: 1...1) { $1.operands = $0 },
    statuses: [.badData, .noInput, .inputOutput, .tryAgain, .refused],
    examples: [.init("The old tablet is gone:", "peersync forget Tablet > forgotten.jsonl")],
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
