import CommandLine

/// The command line of `pcapstream`.
enum PcapstreamTool {
  struct Settings: Sendable {
    var port: Port?
    var memory = ByteSize(bytes: 64 << 20)
    var file = "-"
    var filter = ""
  }

  /// The number of a port.
  struct Port: OptionValue, Equatable {
    var number: UInt16
    static var valueName: String { "PORT" }
    static var expectation: String { "a port number from 1 to 65535" }

    init?(argument: String) {
      guard let digits = UnsignedDigits(argument[...]), let number = UInt16(exactly: digits.value), number > 0
      else { return nil }
      self.number = number
    }
  }

  static let command = Command(
    "pcapstream", "write the TCP streams of a capture as JSON lines",
    discussion: [
      "pcapstream reads pcap and pcapng, from a file or a live pipe. It writes each piece of a stream as one "
        + "line, as soon as the piece is in order. A line has the stream, both ends, the time, the offset "
        + "and the bytes as Base64. Retransmitted bytes appear once.",
      "For bytes missing from the capture, a line has gap instead of data. If bytes are repeated with "
        + "another value, pcapstream keeps the first value and reports the difference. In both cases the "
        + "exit status is 65.",
      "FILTER is a tcpdump expression, such as 'port 27421'. Several words form one expression. An "
        + "expression with ports matches only the first fragment of a packet. It matches packets with VLAN "
        + "tags only if the word vlan precedes the ports.",
    ],
    settings: Settings(),
    options: [
      .value(
        "udp", "Write the UDP datagrams to and from PORT instead, one per line."
      ) { $0.port = $1 },
      .value(
        "memory",
        "Use at most about SIZE for open streams (default: 64M). Above that, drop and report the least "
          + "recently used streams."
      ) { $0.memory = $1 },
    ],
    operands: Operands("[FILE] [FILTER...]", count: 0...Int.max) {
      $1.file = $0.first ?? "-"
      $1.filter = $0.dropFirst().joined(separator: " ")
    },
    statuses: [.badData, .noInput, .unavailable, .inputOutput],
    examples: [
      .init(
        "Check the dialogue in a capture of a connection without TLS:",
        "pcapstream sync.pcap | frame decode --input streams --annotate | frame check"),
      .init("Read the bytes of one stream:", #"pcapstream sync.pcap | jq -r 'select(.stream == 0).data'"#),
      .init(
        "Read the datagrams of multicast DNS:", "pcapstream mdns.pcap --udp 5353 | peerdiscover decode"),
    ],
    run: run)
}
