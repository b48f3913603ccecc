import CommandLine
import SyncCore

/// The command line of `meshevents`.
enum MesheventsTool {
  static let command = Command(
    "meshevents", "turn raw multipeer callbacks into events, and apply them as a host or a guest",
    discussion: [
      "events reads callbacks that an app has logged, one JSON object per line, and the events of "
        + "peerdiscover and 'peerlink --events'. In its output, peers have an id and a name instead of the "
        + "handles of callbacks.",
      "host and guest are the two sides of the mesh as filters: they read events and write messages for the "
        + "other side. receive turns the messages of a link into events; 'events' then adds the names "
        + "of their senders.",
    ],
    subcommands: [events, host, guest, receive, encode, decode])

  struct EventSettings: BadLineConfigurable {
    var idKey = "id"
    var registry: FilePath?
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  private static let events = Command(
    "events", "turn logged callbacks into events",
    discussion: [
      "The events are peerDiscovered, peerConnected, peerDisconnected, peerLost, startFailed and "
        + "messageReceived. A peer's id is in its discovery info. Otherwise events finds the id in the "
        + "registry by the handle, or derives it from handle and name. If a message arrives before its peer "
        + "is connected, events writes it after the connection.",
      "Errors of peers, such as data that is not a message, are reported and do not become events. The exit "
        + "status is then 65. Lines with a command pass through.",
    ],
    settings: EventSettings(),
    options: [
      .value("id-key", named: "NAME", "Read the id from this member of the discovery info (default: id).") {
        $0.idKey = $1
      },
      .value(
        "registry",
        "Keep the id of each handle in FILE, one per line; FILE is created if needed. Several runs may use "
          + "one file."
      ) { $0.registry = $1 },
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Replay a log:", "meshevents events callbacks.jsonl"),
      .init(
        "Keep the same ids in every session:", "meshevents events --registry peers.jsonl callbacks.jsonl"),
    ],
    run: runEvents)

  struct ReducerSettings: BadLineConfigurable {
    var selfID: PeerID?
    var selfName: String?
    var host: PeerID?
    var view: FilePath?
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  private static let own: [Option<ReducerSettings>] = [
    .value(
      "self", "Use ID as this device's id (default: PEERLINK_SELF_ID, otherwise self)."
    ) { $0.selfID = $1 }
  ]

  private static let host = Command(
    "host", "keep the song queue, and write each new state for the guests",
    discussion: [
      "In addition to events, host reads commands of the local user: "
        + "{\"command\":\"vote\",\"songID\":\"1\"}, {\"command\":\"suggest\",\"song\":{}}, remove with a "
        + "songID, play, pause and next.",
      "host writes the state whenever it changes, with a sequence number. A vote counts once per peer. Songs "
        + "with equal votes are in order of arrival.",
    ],
    settings: ReducerSettings(),
    options: own + [
      .value("name", named: "TEXT", "Use NAME as this device's name (default: its id).") { $0.selfName = $1 }
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Show the states of a host:", "meshevents host events.jsonl")
    ],
    run: runHost)

  private static let guest = Command(
    "guest", "show the host's state, and write messages to the host",
    discussion: [
      "guest accepts states only from its host. It writes the user's commands, vote and suggest, as messages "
        + "after the host's first state. After a new connection, it writes them again, until a state shows "
        + "that they have arrived.",
      "The view is one line per change: whether the host is connected, its last state, and the pending "
        + "commands.",
    ],
    settings: ReducerSettings(),
    options: own + [
      .value("host", "Name the id of the host (required).") { $0.host = $1 },
      .value("view", "Append the view to FILE; - is standard output, instead of the messages.") {
        $0.view = $1
      },
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("Show the views of a guest:", "meshevents guest --host H --view - events.jsonl")],
    run: runGuest)

  struct ReceiveSettings: BadLineConfigurable {
    var sender: PeerID?
    var badLines = BadLineSettings()
  }

  private static let receive = Command(
    "receive", "turn each message on standard input into a messageReceived event",
    discussion: [
      "Run receive as the command of peerlink. It writes each line immediately and in one write, so several "
        + "processes can append to one log.",
      "Pass the lines through 'events' before a host or a guest reads them. Messages of a sender are "
        + "accepted after its peerConnected event, which also has its name.",
    ],
    settings: ReceiveSettings(),
    options: [
      .value("from", "Use ID as the sender's id (default: PEERLINK_PEER_ID).") {
        $0.sender = $1
      }
    ] + Option.badLines,
    statuses: [.badData, .cannotCreate, .inputOutput, .refused],
    examples: [
      .init(
        "Make an event of a message from a peer:",
        #"echo '{"intent":{"_0":{"vote":{"songID":"1"}}}}' | meshevents receive --from K1"#)
    ],
    run: runReceive)

  struct CodecSettings: BadLineConfigurable {
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  private static let encode = Command(
    "encode", "check messages, one per line, and write them as the Base64 of callbacks",
    settings: CodecSettings(), options: Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Encode a vote as data:", #"echo '{"intent":{"_0":{"vote":{"songID":"1"}}}}' | meshevents encode"#)
    ],
    run: runEncode)

  private static let decode = Command(
    "decode", "read the Base64 of callbacks, one per line, and write the messages",
    settings: CodecSettings(), options: Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Decode the data of a callback:",
        "echo eyJpbnRlbnQiOnsiXzAiOnsidm90ZSI6eyJzb25nSUQiOiIxIn19fX0= | meshevents decode")
    ],
    run: runDecode)
}

/// The id of a peer, which is never empty.
struct PeerID: OptionValue, Equatable {
  var text: String
  static var valueName: String { "ID" }
  static var expectation: String { "an id that is not empty" }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }
}
