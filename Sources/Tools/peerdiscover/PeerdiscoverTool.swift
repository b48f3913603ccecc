import CommandLine
import Discovery

/// The command line of `peerdiscover`.
enum PeerdiscoverTool {
  static let command = Command(
    "peerdiscover", "find and announce peers on the local network, without a daemon",
    discussion: [
      "Peers announce themselves by multicast DNS (RFC 6762, RFC 6763), known as Bonjour and Avahi. The tool asks "
        + "and answers by itself, whether or not a daemon runs beside it.",
      "An instance name is what people call a device, and two devices may want the same one: it is not an identity. "
        + "Nor does an announcement prove anything. Whoever is found has yet to show who it is.",
    ],
    subcommands: [browse, resolve, types, advertise, decode])

  struct Settings: BadLineConfigurable {
    var service = DNSServiceType.peers
    var interfaces: [String] = []
    // Of browse, resolve and types.
    var timeout: Duration?
    var count: PositiveCount?
    var follow = false
    // Of advertise.
    var name: String?
    var port: ServicePort?
    var pairs: [TextPair] = []
    // Of decode.
    var input = PacketForm.hex
    var badLines = BadLineSettings()
    /// An instance, a command or files.
    var operands: [String] = []
  }

  /// How packets are written down.
  enum PacketForm: String, OptionChoice {
    case hex, base64, dump, raw
    static var valueName: String { "FORM" }
  }

  private static let service = Option<Settings>.value(
    "service", named: "TYPE", "The service type; the default is _appsync._tcp."
  ) { $0.service = $1 }

  private static let interface = Option<Settings>.repeated(
    "interface", named: "NAME",
    "Use this network interface, and others that are named so; the default is all that have multicast."
  ) { $0.interfaces.append($1) }

  private static func ending(_ what: String) -> [Option<Settings>] {
    [
      .value("timeout", "End after DURATION; the default is 3s, and none with --follow.") { $0.timeout = $1 },
      .value("count", "End as soon as N \(what) are found; fewer in the end are status 1.") { $0.count = $1 },
      .flag("follow", short: "f", "Go on until the tool is stopped.") { $0.follow = true },
    ]
  }

  private static let browse = Command(
    "browse", "find peers, and say who comes, changes and goes",
    discussion: [
      "Writes a line for each event, as soon as it is known: peerDiscovered once a peer's host, port and an address "
        + "are known, peerUpdated when something about it changes, peerLost when it says goodbye (goodbye), is not "
        + "heard of any more (expired), or the interface has gone (interface).",
      "A peer is told of once, however many interfaces and address families it is heard on. peer.id is the "
        + "value of id in its TXT record, null where there is none.",
    ],
    settings: Settings(), options: [service, interface] + ending("peers"), statuses: [.no, .system],
    examples: [
      .init("Look for a second, on one interface:", "peerdiscover browse --interface lo --timeout 1s")
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
      .value("timeout", "End after DURATION with status 1; the default is 3s.") { $0.timeout = $1 },
    ],
    operands: Operands("INSTANCE", count: 1...1, completion: .nothing) { $1.operands = $0 },
    statuses: [.no, .system],
    examples: [
      .init("Find where Kitchen is:", "peerdiscover resolve --interface lo --timeout 1s Kitchen")
    ],
    run: runResolve)

  private static let types = Command(
    "types", "list the service types that there are", settings: Settings(),
    options: [interface] + ending("types"), statuses: [.no, .system],
    examples: [
      .init(
        "See whether there is a printer:", "peerdiscover types --interface lo --timeout 1s | grep _ipp._tcp")
    ],
    run: runTypes)

  private static let advertise = Command(
    "advertise", "announce a service, as long as a command runs or until stopped",
    discussion: [
      "Asks first whether somebody has the name already. Where that is so, it takes Name (2), and so on, and says so "
        + "in a line renamed. The line advertised means that the name is ours and the network has been told. At the "
        + "end, by a signal too, it says goodbye.",
      "With COMMAND it ends when COMMAND ends, with its status, 128 + n after signal n; signals are passed on. "
        + "Standard input and output are then those of COMMAND, and event lines go to standard error.",
      "It opens no port: that is the command's to do.",
    ],
    settings: Settings(),
    options: [
      .value(
        "name", named: "NAME", "The instance name, as people read it; the default is this machine's name."
      ) {
        $0.name = $1
      },
      .value("port", "The port on which the service listens.") { $0.port = $1 },
      .repeated("txt", "A pair KEY=VALUE, or a key, of the TXT record.") { (settings, pair: TextPair) in
        settings.pairs.append(pair)
      },
      service, interface,
    ],
    operands: Operands("[COMMAND [ARG...]]", count: 0...Int.max, isCommand: true) { $1.operands = $0 },
    statuses: [.unavailable, .system, .ofProgram],
    examples: [
      .init(
        "Announce a service while its command runs, and keep what happens in a file:",
        "peerdiscover advertise --interface lo --service _http._tcp --port 8000 -- sleep 2 2> events.jsonl")
    ],
    run: runAdvertise)

  private static let decode = Command(
    "decode", "read multicast DNS packets as JSON",
    discussion: [
      "Writes a line a packet. Names are shown as they are, and in full where they were shortened. Headers of Ethernet, "
        + "IP and UDP before a message are passed over.",
      "A line that begins with { is a datagram as pcapstream --udp writes it. Its number, both ends and the time are "
        + "kept, as datagram, from, to and at.",
    ],
    settings: Settings(),
    options: [
      .value(
        "input",
        "How packets are written down: hex or base64, one a line (hex is the default); dump, a file being the dump of "
          + "one packet as xxd, tcpdump or Wireshark print it; raw, a file being one packet."
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
