import LinkInputs
import CommandLine
import CommonInputs
import Links
import SyncCore

/// The command line of `peerlink`.
enum PeerlinkTool {
  static let command = Command(
    "peerlink", "connect to a trusted peer over an authenticated stream",
    discussion: [
      "A link is a TLS 1.3 connection on which both sides show a key that the other side knows from pairing. "
        + "Certificate authorities, names and dates are ignored. listen waits for links, and connect makes "
        + "one.",
      "COMMAND exchanges data with the other side through its standard input and output, which are two "
        + "pipes. Without COMMAND the standard streams of peerlink are the link. peerlink passes on the end "
        + "of input, and the link ends when both sides have ended. If the other side closes the link before "
        + "standard input has ended, the status is 75. Without input, use '< /dev/null'.",
      "The environment of COMMAND has PEERLINK_PEER_ID, PEERLINK_FINGERPRINT, PEERLINK_EXPORTER, PEERLINK_REMOTE, "
        + "PEERLINK_PROTOCOL, PEERLINK_SELF_ID and PEERLINK_SELF_NAME, each if it is known. Inherited values are "
        + "removed.",
      "peerlink passes SIGTERM and SIGINT on to COMMAND, and closes the link properly. A second signal ends "
        + "the link immediately, and kills COMMAND with SIGKILL if it still runs 2 s later.",
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
      "Accept only this peer: an id (at least its first 4 characters) or a name. Protocol 1 does not prove "
        + "the peer's identity, and connect then requires this option."
    ) {
      $0.peer = $1
    },
    .flag(
      "allow-unpaired",
      "Accept any device, for pairing messages only: frames of at most 8 KiB, and a pairHello within "
        + "--timeout. It requires --session."
    ) { $0.allowUnpaired = true },
    .value(
      "session",
      "Read the pairing payload. --allow-unpaired ends when the payload expires, and connect accepts only "
        + "its key."
    ) {
      $0.session = $1
    },
    .value(
      "protocol",
      "Use this version of the peer protocol: 2 or 1 (default: 2). Version 1 is plain TCP without authentication. "
        + "It works only on loopback or with --interface, and only for peers that were paired over version 1."
    ) { $0.version = $1 },
    .interface, .trace,
    .value(
      "key-log",
      "Append the keys of each connection to FILE, so that Wireshark and tshark can decrypt a capture. "
        + "Anyone who has FILE and a capture can read all data."
    ) { $0.keyLog = $1 },
    .value("timeout", "Give up if the other side has not authenticated after this long (default: 10s).") {
      $0.timeout = $1
    },
    .value("idle-timeout", "End a link after this long without traffic (default: off).") {
      $0.idleTimeout = $1
    },
    .value(
      "events",
      "Write one JSON line per event to FILE: listening, peerConnected, peerDisconnected, peerRefused, "
        + "peersRefused. '-' is standard output, and requires COMMAND."
    ) { $0.events = $1 },
  ]

  private static let listen = Command(
    "listen", "wait for trusted peers, and run a command for each",
    discussion: [
      "Without COMMAND, the standard streams are the first link, and listen exits when that link ends.",
      "Over protocol 1 only the first message names the peer. If that peer was not paired over protocol 1, "
        + "listen refuses it.",
      "listen keeps at most 256 unauthenticated connections (4 with --allow-unpaired), on at most a quarter "
        + "of the file descriptors. It raises the soft limit of descriptors to the hard limit. A new "
        + "connection replaces the oldest one from the address with the most connections. If several "
        + "addresses have equally many connections, the address that connected most often in the last minute "
        + "loses one. Without another connection, it loses the new one. After repeated refusals, listen "
        + "delays new connections from that address by at most 2 s. It counts IPv6 addresses by their first "
        + "64 bits and interface.",
    ],
    settings: Settings(),
    options: Option.listening + [
      .flag(
        "once",
        "Exit after the first link, with the status of its COMMAND. With --allow-unpaired, a scanner "
          + "whose connection broke may reconnect before that."
      ) { $0.once = true },
      .flag(
        "advertise",
        "While accepting connections, announce this device's name, id and protocol version on the local "
          + "network by multicast DNS. With protocol 1, announce only the name."
      ) { $0.advertise = true },
    ] + common,
    operands: Operands("[-- COMMAND [ARG...]]", count: 0...Int.max, isCommand: true) { $1.operands = $0 },
    statuses: statuses,
    examples: [
      .init("Send the data of a trusted peer back:", "peerlink listen --quiet --port 27411 -- cat &")
    ],
    run: runListen)

  private static let connect = Command(
    "connect", "connect to a peer that listens",
    discussion: [
      "Without --peer, HOST:PORT may be any trusted peer. COMMAND runs after the other side has "
        + "accepted this device. The exit status is that of COMMAND.",
      "PEER is a trusted peer's id (at least its first 4 characters) or its name. connect searches for it on "
        + "the local network, for up to --timeout. It tries announced devices one after the other, first "
        + "those that announce the id. An announcement is not a proof: only the device with the peer's key "
        + "is accepted. If a peer's name has the form HOST:PORT, use its id.",
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
        "Exchange frames with a peer on this machine:",
        "peerlink connect 127.0.0.1:27412 -- frame exec -- cat")
    ],
    run: runConnect)

  private static let statuses: [ExitStatus] = [
    .no, .noInput, .unavailable, .system, .inputOutput, .tryAgain, .protocolBroken, .refused, .configuration,
    .ofProgram,
  ]
}
