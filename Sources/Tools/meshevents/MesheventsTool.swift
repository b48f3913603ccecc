import CommandLine
import SyncCore

/// The command line of `meshevents`.
enum MesheventsTool {
  static let command = Command(
    "meshevents", "raw multipeer callbacks to clean events, and what a host and its guests make of them",
    discussion: [
      "events reads callbacks as an app has logged them, a JSON object a line, and the events of peerdiscover and "
        + "'peerlink --events'. What comes out are peers with an id and a name; the handles that callbacks have stay "
        + "inside.",
      "host and guest are the two sides of the mesh as filters: clean events in, messages for the other side out. "
        + "receive puts the messages of a link among the events, for 'events' to say of whom they are.",
    ],
    subcommands: [events, host, guest, receive, encode, decode])

  struct EventSettings: BadLineConfigurable {
    var idKey = "id"
    var registry: FilePath?
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  private static let events = Command(
    "events", "make clean events of logged callbacks",
    discussion: [
      "Events: peerDiscovered, peerConnected, peerDisconnected, peerLost, startFailed, messageReceived. A peer's id is "
        + "what its discovery info says, else what the registry knows of its handle, else it is made of handle and "
        + "name. A message that comes before its peer is connected is written when it is.",
      "What peers do wrong, such as data that is not a message, is reported and makes no event; the status is 65 in the "
        + "end. Lines with a command pass through.",
    ],
    settings: EventSettings(),
    options: [
      .value("id-key", named: "NAME", "The member of the discovery info that has the id; the default is id.")
      {
        $0.idKey = $1
      },
      .value(
        "registry",
        "Remember in FILE, a line a handle, which id it has had; the file is made where there is none. Several runs may "
          + "have one file."
      ) { $0.registry = $1 },
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Replay a log:", "meshevents events callbacks.jsonl"),
      .init(
        "The same ids in every session:", "meshevents events --registry peers.jsonl callbacks.jsonl"),
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
      "self", "This device's own id; the default is that of the link, PEERLINK_SELF_ID, or self."
    ) { $0.selfID = $1 }
  ]

  private static let host = Command(
    "host", "keep the queue, and write each new state for the guests",
    discussion: [
      "Besides events it takes lines of its own user: {\"command\":\"vote\",\"songID\":\"1\"}, "
        + "{\"command\":\"suggest\",\"song\":{}}, remove with a songID, play, pause and next.",
      "A state is written whenever it changes, with a sequence number. A vote counts once a peer, and songs with equal "
        + "votes stand in the order in which they came.",
    ],
    settings: ReducerSettings(),
    options: own + [
      .value("name", named: "TEXT", "This device's own name; the default is its id.") { $0.selfName = $1 }
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("What a host makes of a log:", "meshevents host events.jsonl")
    ],
    run: runHost)

  private static let guest = Command(
    "guest", "show what the host says, and write what to say to it",
    discussion: [
      "Takes states from its host only. What its user wants, the commands vote and suggest, is written as messages once "
        + "the host has spoken, and again after a new connection until a state shows that it has arrived.",
      "The view is a line whenever it changes: whether the host is connected, its last state, and what is pending.",
    ],
    settings: ReducerSettings(),
    options: own + [
      .value("host", "The id of the host; it has to be given.") { $0.host = $1 },
      .value("view", "Append the view to FILE; - is standard output, in place of the messages.") {
        $0.view = $1
      },
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [.init("What a guest has seen:", "meshevents guest --host H --view - events.jsonl")],
    run: runGuest)

  struct ReceiveSettings: BadLineConfigurable {
    var sender: PeerID?
    var badLines = BadLineSettings()
  }

  private static let receive = Command(
    "receive", "make a messageReceived event of each message on standard input",
    discussion: [
      "For the command of peerlink. Each line is written at once and in one piece, so that several may append to one log.",
      "The lines go through 'events' to reach a host or a guest: a sender counts once a peerConnected event has told of "
        + "it, and has its name from there.",
    ],
    settings: ReceiveSettings(),
    options: [
      .value("from", "The sender's id; the default is that of the link, PEERLINK_PEER_ID.") {
        $0.sender = $1
      }
    ] + Option.badLines,
    statuses: [.badData, .cannotCreate, .inputOutput, .refused],
    examples: [
      .init(
        "A message from a peer:",
        #"echo '{"intent":{"_0":{"vote":{"songID":"1"}}}}' | meshevents receive --from K1"#)
    ],
    run: runReceive)

  struct CodecSettings: BadLineConfigurable {
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  private static let encode = Command(
    "encode", "check messages, a line each, and write them as the Base64 of callbacks",
    settings: CodecSettings(), options: Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "A vote as data:", #"echo '{"intent":{"_0":{"vote":{"songID":"1"}}}}' | meshevents encode"#)
    ],
    run: runEncode)

  private static let decode = Command(
    "decode", "read the Base64 of callbacks, a line each, and write the messages",
    settings: CodecSettings(), options: Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "What is in the data of a callback:",
        "echo eyJpbnRlbnQiOnsiXzAiOnsidm90ZSI6eyJzb25nSUQiOiIxIn19fX0= | meshevents decode")
    ],
    run: runDecode)
}

/// The id of a peer, which is never empty.
struct PeerID: OptionValue, Equatable {
  var text: String
  static var valueName: String { "ID" }
  static var expectation: String { "an id: it is not empty" }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }
}
