import CommandLine
import Discovery

/// The command line of `peerdiscover`.
enum PeerdiscoverTool {
  static let command = Command(
    "peerdiscover", "find and announce peers on the local network, without a daemon",
    discussion: [
      "Peers announce themselves by multicast DNS (RFC 6762, RFC 6763), known as Bonjour and Avahi. The tool "
        + "sends and answers queries itself, with or without a daemon.",
      "An instance name is not an identity: two devices may want the same name. An announcement is not a "
        + "proof either; a peer that was found must still authenticate.",
    ],
    subcommands: [browse, resolve, types, advertise, decode])

  struct Settings: BadLineConfigurable {
    var service = DNSServiceType.peers
    var interfaces: [String] = []
    // Settings for browse, resolve and types.
    var timeout: Duration?
    var count: PositiveCount?
    var follow = false
    // Settings for advertise.
    var name: String?
    var port: ServicePort?
    var pairs: [TextPair] = []
    // Settings for decode.
    var input = PacketForm.hex
    var badLines = BadLineSettings()
    /// An instance, a command or files.
    var operands: [String] = []
  }

  /// The form of packets in the input.
  enum PacketForm: String, OptionChoice {
    case hex, base64, dump, raw
    static var valueName: String { "FORM" }
  }

  private static let service = Option<Settings>.value(
    "service", named: "TYPE", "Use this service type (default: _appsync._tcp)."
  ) { $0.service = $1 }

  private static let interface = Option<Settings>.repeated(
    "interface", named: "NAME",
    "Use this network interface (default: all that support multicast)."
  ) { $0.interfaces.append($1) }

  private static func ending(_ what: String) -> [Option<Settings>] {
    [
      .value("timeout", "Exit after DURATION (default: 3s; with --follow, never).") { $0.timeout = $1 },
      .value("count", "Exit as soon as N \(what) are found; exit with status 1 if fewer are found.") {
        $0.count = $1
      },
      .flag("follow", short: "f", "Continue until a signal.") { $0.follow = true },
    ]
  }

  private static let browse = Command(
    "browse", "find peers, and report changes",
    discussion: [
      "browse writes one line per event immediately. peerDiscovered means that a peer's host, port and an "
        + "address are known. peerUpdated means that one of its details has changed. peerLost follows a "
        + "goodbye (goodbye), expired records (expired), or a missing interface (interface).",
      "A peer is reported once, even if several interfaces and address families find it. peer.id is the value of "
        + "id in its TXT record, or null.",
    ],
    settings: Settings(), options: [service, interface] + ending("peers"), statuses: [.no, .system],
    examples: [
      .init("Search one interface for a second:", "peerdiscover browse --interface lo --timeout 1s")
    ],
    run: runBrowse)

  private static let resolve = Command(
    "resolve", "find the host, port and addresses of one peer",
    discussion: [
      "INSTANCE is an instance name, such as Kitchen, or a full one, such as Kitchen._appsync._tcp.local."
    ],
    settings: Settings(),
    options: [
      service, interface,
      .value("timeout", "Give up after DURATION, with status 1 (default: 3s).") { $0.timeout = $1 },
    ],
    operands: Operands("INSTANCE", count: 1...1, completion: .nothing) { $1.operands = $0 },
    statuses: [.no, .system],
    examples: [
      .init("Find the address of Kitchen:", "peerdiscover resolve --interface lo --timeout 1s Kitchen")
    ],
    run: runResolve)

  private static let types = Command(
    "types", "list the announced service types", settings: Settings(),
    options: [interface] + ending("types"), statuses: [.no, .system],
    examples: [
      .init(
        "Check for a printer:", "peerdiscover types --interface lo --timeout 1s | grep _ipp._tcp")
    ],
    run: runTypes)

  private static let advertise = Command(
    "advertise", "announce a service while a command runs, or until a signal",
    discussion: [
      "The tool first checks whether the name is taken. If so, it tries Name (2) and so on, and writes a "
        + "'renamed' line. An 'advertised' line means that the tool has claimed and announced the name. At "
        + "the end, also after a signal, the tool sends a goodbye.",
      "With COMMAND, the tool exits when COMMAND exits, with the same status (128 + n after signal n). It "
        + "passes on signals. COMMAND uses standard input and output, and the tool writes event lines to "
        + "standard error.",
      "The tool does not open the port; COMMAND must open it.",
    ],
    settings: Settings(),
    options: [
      .value(
        "name", named: "NAME", "Announce this instance name, which people see (default: this machine's name)."
      ) {
        $0.name = $1
      },
      .value("port", "Announce this port, on which the service listens.") { $0.port = $1 },
      .repeated("txt", "Add a pair KEY=VALUE, or a key, to the TXT record.") { (settings, pair: TextPair) in
        settings.pairs.append(pair)
      },
      service, interface,
    ],
    operands: Operands("[COMMAND [ARG...]]", count: 0...Int.max, isCommand: true) { $1.operands = $0 },
    statuses: [.unavailable, .system, .ofProgram],
    examples: [
      .init(
        "Announce a service while its command runs, and write events to a file:",
        "peerdiscover advertise --interface lo --service _http._tcp --port 8000 -- sleep 2 2> events.jsonl")
    ],
    run: runAdvertise)

  private static let decode = Command(
    "decode", "read multicast DNS packets as JSON",
    discussion: [
      "decode writes one line per packet, with compressed names in full. It skips headers of Ethernet, IP "
        + "and UDP before a message.",
      "A line that begins with { is a datagram as pcapstream --udp writes it. Its number, both ends and the time "
        + "are kept as datagram, from, to and at.",
    ],
    settings: Settings(),
    options: [
      .value(
        "input",
        "Read packets as hex or base64, one per line, or as dump or raw, one per file (default: hex). "
          + "A dump is the output of xxd, tcpdump or Wireshark."
      ) { $0.input = $1 }
    ] + Option.badLines,
    operands: .files { $1.operands = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Read a query that was copied as hex:",
        "echo 000000000001000000000000085f61707073796e63045f746370056c6f63616c00000c0001 | peerdiscover decode"
      ),
      .init(
        "Read the multicast DNS in a capture of packets:",
        "pcapstream mdns.pcap --udp 5353 | peerdiscover decode"),
    ],
    run: runDecode)
}

extension DNSServiceType: OptionValue {
  package static var valueName: String { "TYPE" }
  package static var expectation: String { "a service type such as _appsync._tcp" }
  package init?(argument: String) { self.init(argument) }
}

/// `KEY=VALUE`, or a key alone.
struct TextPair: OptionValue {
  var text: String
  static var valueName: String { "KEY=VALUE" }
  static var expectation: String {
    "KEY=VALUE or KEY, of at most 255 bytes, the key in printable ASCII"
  }

  init?(argument: String) {
    var record = TextRecord()
    guard record.add(argument) else { return nil }
    text = argument
  }
}
