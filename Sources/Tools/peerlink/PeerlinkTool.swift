import LinkInputs
import CommandLine
import CoreInputs
import Links
import SyncCore

/// The command line of `peerlink`.
enum PeerlinkTool {
  static let command = Command(
    "peerlink", "an authenticated stream to a trusted peer",
    discussion: [
      "A link is a TLS 1.3 connection on which both sides show a key, and each knows the other's from pairing: no "
        + "certificate authority, no name and no date has a say. listen waits for links, connect makes one.",
      "COMMAND speaks to the other side by its standard input and output, two pipes. Without it the standard streams "
        + "of peerlink are the link. The end of input is passed on, and the link ends when both sides have ended.",
      "COMMAND finds in its environment PEERLINK_PEER_ID, PEERLINK_FINGERPRINT, PEERLINK_EXPORTER, PEERLINK_REMOTE, "
        + "PEERLINK_PROTOCOL, PEERLINK_SELF_ID and PEERLINK_SELF_NAME, each where it is known and none from outside.",
      "SIGTERM and SIGINT are passed on to COMMAND, and the link ends in good order. A second one ends the link at once, "
        + "and COMMAND by SIGKILL where it still runs 2 s later.",
    ],
    subcommands: [listen, connect])

  struct Settings: ListenConfigurable {
    var listening = ListenSettings()
    var once = false
    var advertise = false
    var peer: String?
    var allowUnpaired = false
    var session: FilePath?
    var version = ProtocolVersion.two
    var timeout = LinkTimeouts.openTime
    var idleTimeout = OptionalDuration(nil)
    var events: FilePath?
    var keyLog: FilePath?
    var address = ""
    var operands: [String] = []
  }

  private static let common: [Option<Settings>] = [
    .value(
      "peer", named: "PEER",
      "Only this peer: its id, the first 4 or more characters of it, or its name. Over protocol 1 that is the word of "
        + "the caller, and connect needs it."
    ) {
      $0.peer = $1
    },
    .flag(
      "allow-unpaired",
      "Take anybody, for pairing messages only: frames of at most 8 KiB, and a pairHello before --timeout. It needs "
        + "--session."
    ) { $0.allowUnpaired = true },
    .value(
      "session", "The pairing payload: its time limits --allow-unpaired, and connect takes its key only."
    ) {
      $0.session = $1
    },
    .value(
      "protocol",
      "The version of the peer protocol: 2 (the default), or 1, which is plain TCP and proves nothing: on loopback, "
        + "or with --interface, and only for peers that were paired over it."
    ) { $0.version = $1 },
    .interface, .trace,
    .value(
      "key-log",
      "Add the keys of each connection to FILE, by which Wireshark and tshark decrypt a capture of it. Whoever has both reads "
        + "everything."
    ) { $0.keyLog = $1 },
    .value("timeout", "How long the other side may take to prove who it is; the default is 10s.") {
      $0.timeout = $1
    },
    .value("idle-timeout", "End a link on which nothing moves for so long; the default is off.") {
      $0.idleTimeout = $1
    },
    .value(
      "events",
      "Write a line of JSON to FILE for what happens: listening, peerConnected, peerDisconnected, peerRefused, "
        + "peersRefused. '-' is standard output, which is free with COMMAND."
    ) { $0.events = $1 },
  ]

  private static let listen = Command(
    "listen", "wait for trusted peers, and run a command for each",
    discussion: [
      "Without COMMAND the first link is served by the standard streams, and its end is the end of listen.",
      "Over protocol 1 the first message is all that says who is there: a peer that was paired over it, or it is refused.",
      "A connection that does not prove itself costs little: at most 256 are kept, 4 with --allow-unpaired, and a "
        + "quarter of the descriptors that the system allows, whose soft limit is raised to the hard one. A new one "
        + "pushes out the oldest of the address that has the most, then of the one that has come most often within the "
        + "last minute, or is dropped itself if that is its own. An address whose keys are refused again and again has to "
        + "wait up to 2 s before it is looked at. IPv6 addresses are counted by their first 64 bits and interface.",
    ],
    settings: Settings(),
    options: Option.listening + [
      .flag(
        "once",
        "End after the first link, with the status of its COMMAND. With --allow-unpaired a scanner whose connection "
          + "broke off may come again first."
      ) { $0.once = true },
      .flag(
        "advertise",
        "Announce this device on the local network, by multicast DNS, with its name, id and protocol version, as long "
          + "as connections are taken; with protocol 1 by its name alone."
      ) { $0.advertise = true },
    ] + common,
    operands: Operands("[-- COMMAND [ARG...]]", count: 0...Int.max, isCommand: true) { $1.operands = $0 },
    statuses: statuses,
    examples: [
      .init("Send back what a trusted peer sends:", "peerlink listen --quiet --port 27411 -- cat &")
    ],
    run: runListen)

  private static let connect = Command(
    "connect", "make a link to a peer that listens",
    discussion: [
      "Without --peer any trusted peer may be at that address. It is connected once the other side has said that it "
        + "takes us; only then COMMAND is run. The exit status is that of COMMAND.",
      "PEER, a trusted peer's id, the first 4 or more characters of it, or its name, is looked for on the local network, "
        + "for --timeout at most. Devices that announce themselves are tried one after the other, first those that say to "
        + "have the id; what they say proves nothing, and the one that has the peer's key is it.",
    ],
    settings: Settings(), options: common,
    operands: Operands("HOST:PORT|PEER [-- COMMAND [ARG...]]", count: 1...Int.max, completion: .peers) {
      words, settings in
      settings.address = words[0]
      settings.operands = Array(words.dropFirst())
    },
    statuses: statuses,
    examples: [
      .init(
        "Speak in frames with a peer on this machine:",
        "peerlink connect 127.0.0.1:27412 -- frame exec -- cat")
    ],
    run: runConnect)

  private static let statuses: [ExitStatus] = [
    .no, .noInput, .unavailable, .system, .inputOutput, .tryAgain, .protocolBroken, .refused, .configuration,
    .ofProgram,
  ]
}
