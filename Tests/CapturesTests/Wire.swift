@testable import Captures
import SyncCore

/// Makes packets.
enum Wire {
  static let client = NetworkAddress(ipv4: 0x0A00_0002)
  static let server = NetworkAddress(ipv4: 0x0A00_0003)

  enum Flag { static let (fin, syn, rst, ack): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 16) }

  static func bytes16(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  static func bytes32(_ number: UInt32) -> [UInt8] {
    bytes16(Int(number >> 16)) + bytes16(Int(number & 0xFFFF))
  }

  static func tcp(
    _ source: Int, _ destination: Int, _ sequence: UInt32, ack: UInt32? = nil, _ flags: UInt8 = 0,
    _ payload: [UInt8] = []
  ) -> [UInt8] {
    let flags = flags | (ack == nil ? 0 : Flag.ack)
    return bytes16(source) + bytes16(destination) + bytes32(sequence) + bytes32(ack ?? 0)
      + [0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0] + payload
  }

  static func udp(_ source: Int, _ destination: Int, _ payload: [UInt8]) -> [UInt8] {
    bytes16(source) + bytes16(destination) + bytes16(8 + payload.count) + [0, 0] + payload
  }

  /// `place` is the field of flags and fragment offset.
  static func ipv4(
    _ payload: [UInt8], from source: NetworkAddress = client, to destination: NetworkAddress = server,
    transport: UInt8 = 6, identification: Int = 0, place: Int = 0
  ) -> [UInt8] {
    [0x45, 0] + bytes16(20 + payload.count) + bytes16(identification) + bytes16(place) + [
      64, transport, 0, 0,
    ]
      + bytes32(UInt32(source.low)) + bytes32(UInt32(destination.low)) + payload
  }

  static func ipv6(_ payload: [UInt8], next: UInt8 = 6) -> [UInt8] {
    let addresses = [2, 3].flatMap { [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [$0] }
    return [0x60, 0, 0, 0] + bytes16(payload.count) + [next, 64] + addresses + payload
  }

  static func ethernet(_ packet: [UInt8], tags: [UInt8] = []) -> [UInt8] {
    [UInt8](repeating: 2, count: 12) + tags + (packet[0] >> 4 == 6 ? [0x86, 0xDD] : [8, 0]) + packet
  }
}

/// The segments of a connection between client and server.
struct Talk {
  var ports = (client: 51_000, server: 27_421)
  var starts: (client: UInt32, server: UInt32) = (1_000, 5_000)
  /// The first bytes that nobody has sent.
  var sent = (client: 0, server: 0)

  func client(_ flags: UInt8 = 0, at offset: Int = 0, _ payload: [UInt8] = [], ack: Int? = nil) -> [UInt8] {
    let number = starts.client &+ 1 &+ UInt32(truncatingIfNeeded: offset)
    let answer = ack.map { starts.server &+ 1 &+ UInt32(truncatingIfNeeded: $0) }
    return Wire.ipv4(Wire.tcp(ports.client, ports.server, number, ack: answer, flags, payload))
  }

  func server(_ flags: UInt8 = 0, at offset: Int = 0, _ payload: [UInt8] = [], ack: Int? = nil) -> [UInt8] {
    let number = starts.server &+ 1 &+ UInt32(truncatingIfNeeded: offset)
    let answer = ack.map { starts.client &+ 1 &+ UInt32(truncatingIfNeeded: $0) }
    let segment = Wire.tcp(ports.server, ports.client, number, ack: answer, flags, payload)
    return Wire.ipv4(segment, from: Wire.server, to: Wire.client)
  }

  var handshake: [[UInt8]] {
    [client(Wire.Flag.syn, at: -1), server(Wire.Flag.syn, at: -1, ack: 0), client(ack: 0)]
  }
}

/// Reads packets and collects what comes of them.
struct Reading {
  /// A part of a direction: bytes, or how many are missing.
  enum Part: Equatable { case bytes([UInt8]), gap(Int) }

  var reader: PacketReader
  var output = StreamOutput()
  var lines: [StreamLine] = []
  private var count = 0

  init(_ link: LinkType = .raw, datagramsOf port: UInt16? = nil, memory: Int = 1 << 20) {
    reader = PacketReader(link, datagramsOf: port, memory: memory)
  }

  /// Each packet is a millisecond later than the one before, or `later` milliseconds.
  mutating func read(_ packets: [[UInt8]], later: Int = 1, wireLength: Int? = nil) {
    for packet in packets {
      count += later
      let time = Instant(
        seconds: 1_767_225_600 + Int64(count / 1_000), nanoseconds: Int32(count % 1_000) * 1_000_000)!
      reader.read(packet.span, wireLength: wireLength ?? packet.count, at: time, into: &output)
      collect()
    }
  }

  mutating func finish() {
    reader.finish(into: &output)
    collect()
  }

  private mutating func collect() {
    guard reader.isOfStreams else { return }
    for line in output.lines.split(separator: 10) {
      lines.append(try! StreamLine(Array(line).span))
    }
    output.lines = []
  }

  /// What has come of a direction, adjacent bytes joined.
  func parts(_ stream: Int, from port: Int) -> [Part] {
    var parts: [Part] = []
    var offset = 0
    let suffix = Array(":\(port)".utf8)
    for line in lines
    where line.direction.stream == stream && line.direction.from.suffix(suffix.count) == suffix[...] {
      // The offsets of a direction have no holes and do not go back.
      guard line.offset == offset else { return [] }
      switch (line.content, parts.last) {
      case (.data(let new), .bytes(let old)): parts[parts.count - 1] = .bytes(old + new)
      case (.data(let new), _): parts.append(.bytes(new))
      case (.gap(let count), _): parts.append(.gap(count))
      }
      if case .data(let new) = line.content { offset += new.count }
      if case .gap(let count) = line.content { offset += count }
    }
    return parts
  }

  func bytes(_ stream: Int = 0, from port: Int = 51_000) -> [UInt8]? {
    let parts = parts(stream, from: port)
    if parts.isEmpty { return [] }
    guard parts.count == 1, case .bytes(let bytes) = parts[0] else { return nil }
    return bytes
  }
}

extension PacketReader {
  fileprivate var isOfStreams: Bool { !isOfDatagrams }
}
