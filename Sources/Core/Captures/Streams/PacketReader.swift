import JSONLines
package import SyncCore

/// Converts the packets of a capture to lines of streams, or of datagrams.
///
/// Checksums are ignored: network cards compute them, so captures contain wrong ones.
package struct PacketReader: Sendable {
  private let link: LinkType
  private let port: UInt16?
  private var fragments: FragmentTable
  private var streams: StreamTable
  private var datagrams = 0
  /// The number of packets that are not IP or not of the requested protocol.
  package private(set) var others = 0
  /// The number of packets whose headers the capture has truncated; it is unknown what they carried.
  package private(set) var cut = 0

  /// With `port`, reads the UDP datagrams to and from that port; otherwise the TCP streams.
  ///
  /// `memory` is the approximate limit of all streams together, in bytes.
  package init(_ link: LinkType, datagramsOf port: UInt16? = nil, memory: Int) {
    self.link = link
    self.port = port
    fragments = FragmentTable(limit: memory / 8)
    streams = StreamTable(limit: memory - memory / 8)
  }

  /// Whether the reader writes datagrams, not streams.
  var isOfDatagrams: Bool { port != nil }

  /// The number of packets with missing fragments.
  package var incomplete: Int { fragments.incomplete }

  /// Reads the next packet, which had `wireLength` bytes on the wire.
  package mutating func read(
    _ packet: Span<UInt8>, wireLength: Int, at time: Instant, into output: inout StreamOutput
  ) {
    guard let start = link.networkStart(in: packet) else { return leaveOut() }
    let bytes = packet.bytes(from: start)
    guard let network = NetworkPacket(bytes, wireLength: max(wireLength, packet.count) - start) else {
      return leaveOut(isCut: packet.count < wireLength)
    }
    guard let fragment = network.fragment else {
      return readPayload(of: network, bytes.extracting(network.payload), at: time, into: &output)
    }
    // For IPv6, only the first fragment states the transport.
    guard network.source.isIPv6 || network.transport == (port == nil ? 6 : 17) else { return leaveOut() }
    let piece = bytes.extracting(network.payload)
    guard let (whole, transport) = fragments.add(network, fragment, piece, at: time) else { return }
    var rest = network
    rest.transport = transport
    (rest.payload, rest.length, rest.fragment) = (0..<whole.count, whole.count, nil)
    // More headers may be in the truncated part.
    guard !network.source.isIPv6 || rest.readExtensions(whole.span), rest.fragment == nil else { return }
    readPayload(of: rest, whole.span.extracting(rest.payload), at: time, into: &output)
  }

  private mutating func readPayload(
    of packet: NetworkPacket, _ bytes: Span<UInt8>, at time: Instant, into output: inout StreamOutput
  ) {
    switch packet.transport {
    case 6 where port == nil:
      guard let segment = TCPHeader(bytes, length: packet.length) else {
        return leaveOut(isCut: bytes.count < packet.length)
      }
      streams.add(
        segment, bytes.extracting(segment.payload), from: packet.source, to: packet.destination, at: time,
        into: &output)
    case 17 where port != nil: readDatagram(of: packet, bytes, at: time, into: &output)
    default: leaveOut()
    }
  }

  /// Reads a UDP datagram (RFC 768); a length of 0 means a jumbogram.
  private mutating func readDatagram(
    of packet: NetworkPacket, _ bytes: Span<UInt8>, at time: Instant, into output: inout StreamOutput
  ) {
    guard let source = bytes.number16(at: 0), let destination = bytes.number16(at: 2),
      let length = bytes.number16(at: 4)
    else { return leaveOut(isCut: bytes.count < packet.length) }
    guard length == 0 || length >= 8, source == port || destination == port else { return leaveOut() }
    let head = StreamName.head(
      ofDatagram: datagrams, Endpoint(packet.source, source), Endpoint(packet.destination, destination))
    let size = (length == 0 ? packet.length : Int(length)) - 8
    let data = bytes.bytes(from: 8, atMost: size)
    datagrams += 1
    output.append(datagram: data, missing: size - data.count, time, head: head)
  }

  /// Counts a packet that is not read.
  private mutating func leaveOut(isCut: Bool = false) {
    if isCut { cut += 1 } else { others += 1 }
  }

  /// Writes all bytes that still wait for earlier bytes.
  package mutating func finish(into output: inout StreamOutput) { streams.finish(into: &output) }
}
