@testable import Captures
import SyncCore
import TestSupport
import Testing

/// Headers of links and of IP, and the data after them.
@Suite struct PacketTests {
  private let talk = Talk()

  private func bytes(_ link: LinkType, _ packets: [[UInt8]]) -> [UInt8]? {
    var reading = Reading(link)
    reading.read(packets)
    reading.finish()
    return reading.bytes()
  }

  @Test func headersOfLinks() {
    let packet = talk.client(at: 0, [1, 2, 3])
    #expect(bytes(.raw, [packet]) == [1, 2, 3])
    #expect(bytes(.ethernet, [Wire.ethernet(packet)]) == [1, 2, 3])
    #expect(bytes(.ethernet, [Wire.ethernet(packet) + [0, 0, 0, 0]]) == [1, 2, 3], "padding")
    #expect(bytes(.ethernet, [Wire.ethernet(packet, tags: [0x81, 0, 0, 7])]) == [1, 2, 3])
    #expect(bytes(.ethernet, [Wire.ethernet(packet, tags: [0x88, 0xA8, 0, 7, 0x81, 0, 0, 9])]) == [1, 2, 3])
    #expect(bytes(.loopback, [[2, 0, 0, 0] + packet]) == [1, 2, 3])
    #expect(bytes(.linuxCooked, [[UInt8](repeating: 0, count: 14) + [8, 0] + packet]) == [1, 2, 3])
    #expect(bytes(.linuxCooked2, [[8, 0] + [UInt8](repeating: 0, count: 18) + packet]) == [1, 2, 3])
    #expect(bytes(.ethernet, [[UInt8](repeating: 2, count: 12) + [8, 6] + packet]) == [], "ARP")
  }

  @Test func numbersOfLinkTypes() {
    #expect(LinkType(dataLink: 1) == .ethernet && LinkType(dataLink: 276) == .linuxCooked2)
    #expect(LinkType(dataLink: 105) == nil, "802.11")
  }

  @Test func fragmentsInAnyOrder() {
    let segment = Wire.tcp(51_000, 27_421, 1, 0, Array(0..<100 as Range<UInt8>))
    let pieces = stride(from: 0, to: segment.count, by: 16).map { start in
      let end = min(start + 16, segment.count)
      return Wire.ipv4(
        Array(segment[start..<end]), identification: 7, place: start / 8 | (end < segment.count ? 0x2000 : 0))
    }
    for seed in Tries.seeds(20) {
      var random = SplitMix64(seed: seed)
      #expect(bytes(.raw, pieces.shuffled(using: &random)) == Array(0..<100 as Range<UInt8>), "seed \(seed)")
    }
    var reading = Reading()
    reading.read(Array(pieces.dropLast()))
    reading.finish()
    #expect(reading.lines.isEmpty && reading.reader.incomplete == 1)
    // As on a bridge, where each packet is captured twice.
    var twice = Reading()
    twice.read(pieces.flatMap { [$0, $0] })
    twice.finish()
    #expect(twice.bytes() == Array(0..<100 as Range<UInt8>) && twice.reader.incomplete == 0)
    // A packet with one part in two versions has no certain content.
    var other = Reading()
    other.read([pieces[0], Wire.ipv4([9], identification: 7, place: 0x2000)] + pieces.dropFirst())
    other.finish()
    #expect(other.lines.isEmpty && other.reader.incomplete > 0)
  }

  /// RFC 8200 §4.5: the first fragment names the transport of the packet.
  @Test func theFirstFragmentDecides() {
    let segment = Wire.tcp(51_000, 27_421, 1, 0, [1, 2, 3, 4])
    let fragments = [
      Wire.ipv6([6, 0, 0, 1, 0, 0, 0, 9] + segment.prefix(16), next: 44),
      Wire.ipv6([17, 0, 0, 16, 0, 0, 0, 9] + segment.dropFirst(16), next: 44),
    ]
    #expect(bytes(.raw, fragments) == [1, 2, 3, 4])
    #expect(bytes(.raw, fragments.reversed()) == [1, 2, 3, 4])
  }

  /// Fragments that never become a packet take no more memory than they may, and those that do take none.
  @Test func memoryOfFragmentsIsBounded() {
    var reading = Reading(memory: 1 << 20)
    let half = [UInt8](repeating: 1, count: 512)
    for number in 0..<3_000 {
      reading.read([Wire.ipv4(half, identification: number, place: 0x2000)])
      if number % 2 == 0 { reading.read([Wire.ipv4(half, identification: number, place: 64)]) }
    }
    #expect(reading.reader.incomplete == 1_500, "those given up are counted")
  }

  @Test func fragmentsOfAnotherProtocolAreNotKept() {
    let fragments = ([6, 17] as [UInt8]).map { transport in
      Wire.ipv4([UInt8](repeating: 1, count: 16), transport: transport, identification: 7, place: 0x2000)
    }
    for port in [nil, 5_353] as [UInt16?] {
      var reading = Reading(datagramsOf: port)
      reading.read(fragments)
      #expect(reading.reader.incomplete == 1 && reading.reader.others == 1)
    }
  }

  /// The fragments of a complete packet are remembered to recognize copies, within the same limit.
  @Test func memoryOfCopiesIsBounded() {
    var reading = Reading(memory: 1 << 24)
    let (packets, places) = (20, 4_000)
    let fragment = { (packet: Int, place: Int) in
      Wire.ipv4(
        [UInt8](repeating: 1, count: 8), identification: packet,
        place: place | (place + 1 < places ? 0x2000 : 0))
    }
    for packet in 0..<packets { reading.read((0..<places).map { fragment(packet, $0) }) }
    reading.read([fragment(packets - 1, places - 1)])
    #expect(reading.reader.incomplete == 0, "a copy of a recent fragment")
    reading.read([fragment(0, places - 1)])
    #expect(reading.reader.incomplete == 1, "the first packets are forgotten")
  }

  /// An identification of 16 bits is soon used again, and a packet may begin as an earlier one did.
  @Test func identificationsAreUsedAgain() {
    func packet(_ last: UInt8) -> [[UInt8]] {
      let datagram = Wire.udp(5_353, 5_353, [UInt8](repeating: 0, count: 8) + [last])
      return [
        Wire.ipv4(Array(datagram.prefix(16)), transport: 17, identification: 7, place: 0x2000),
        Wire.ipv4(Array(datagram.dropFirst(16)), transport: 17, identification: 7, place: 2),
      ]
    }
    var reading = Reading(datagramsOf: 5_353)
    reading.read(packet(1))
    reading.read(packet(1), later: 1_000)
    #expect(reading.output.lines.count { $0 == 10 } == 1, "copies")
    reading.read([packet(2)[0]], later: 40_000)
    reading.read([packet(2)[1]])
    #expect(reading.output.lines.count { $0 == 10 } == 2 && reading.reader.incomplete == 0)
  }

  @Test func extensionHeaders() {
    let segment = Wire.tcp(51_000, 27_421, 1, 0, [1, 2, 3])
    let empty: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
    #expect(bytes(.raw, [Wire.ipv6(segment)]) == [1, 2, 3])
    #expect(bytes(.raw, [Wire.ipv6([60] + empty + [6] + empty + segment, next: 0)]) == [1, 2, 3])
    // An authentication header of 16 bytes: four words, less two.
    let authentication: [UInt8] = [6, 2] + [UInt8](repeating: 0, count: 14)
    #expect(bytes(.raw, [Wire.ipv6(authentication + segment, next: 51)]) == [1, 2, 3])
    let fragments = [
      Wire.ipv6([60, 0, 0, 1, 0, 0, 0, 9] + [6] + empty, next: 44),
      Wire.ipv6([60, 0, 0, 8, 0, 0, 0, 9] + segment, next: 44),
    ]
    #expect(bytes(.raw, fragments) == [1, 2, 3])
    #expect(bytes(.raw, fragments.reversed()) == [1, 2, 3])
    #expect(bytes(.raw, [Wire.ipv6([6, 0, 0, 0, 0, 0, 0, 9] + segment, next: 44)]) == [1, 2, 3], "RFC 6946")
  }

  @Test func datagramsAreWhole() {
    var reading = Reading(datagramsOf: 5_353)
    reading.read([
      Wire.ipv4(Wire.udp(5_353, 5_353, [1, 2]), transport: 17),
      Wire.ipv4(Wire.udp(53, 53, [3]), transport: 17),
      talk.client(at: 0, [4]), Wire.ipv4(Wire.udp(9, 5_353, []), transport: 17),
    ])
    #expect(
      String(decoding: reading.output.lines, as: UTF8.self) == """
        {"datagram":0,"from":"10.0.0.2:5353","to":"10.0.0.3:5353","at":"2026-01-01T00:00:00.001Z","data":"AQI="}
        {"datagram":1,"from":"10.0.0.2:9","to":"10.0.0.3:5353","at":"2026-01-01T00:00:00.004Z","data":""}

        """)
  }

  @Test(
    arguments: [
      (0, 0, "::"), (0, 1, "::1"), (0x2001_0db8_0000_0000, 2, "2001:db8::2"),
      (0x2001_0db8_0001_0000, 0x0000_0001_0000_0002, "2001:db8:1::1:0:2"),
      (0x0001_0002_0003_0004, 0x0005_0006_0007_0000, "1:2:3:4:5:6:7:0"), (0xfe80_0000_0000_0000, 0, "fe80::"),
      (0x0000_0000_0001_0000, 0x0000_0000_0001_0000, "0:0:1::1:0"),
    ] as [(UInt64, UInt64, String)])
  func addressesOfIPv6(high: UInt64, low: UInt64, text: String) {
    #expect(Endpoint(NetworkAddress(ipv6: high, low), 80).text == "[\(text)]:80")
  }

  @Test func addressesOfIPv4() {
    #expect(Endpoint(NetworkAddress(ipv4: 0x0A00_01FF), 65_535).text == "10.0.1.255:65535")
    #expect(Endpoint(NetworkAddress(ipv4: 0), 0).text == "0.0.0.0:0")
  }

  /// The time of a line is written as an instant is.
  @Test(arguments: [0, 1, 1_000, 1_000_000, 999_999_999, 120_000_000, 120_050_000, 120_050_007] as [Int32])
  func timesOfLines(nanoseconds: Int32) throws {
    let time = try #require(Instant(seconds: 1_767_225_599, nanoseconds: nanoseconds))
    var (reader, output) = (PacketReader(.raw, memory: 1 << 20), StreamOutput())
    let packet = talk.client(at: 0, [1])
    reader.read(packet.span, wireLength: packet.count, at: time, into: &output)
    #expect(String(decoding: output.lines, as: UTF8.self).contains("\"at\":\"\(time)\""))
  }

  /// No input may end the process.
  @Test(arguments: Tries.seeds(300))
  func damagedPackets(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var reading = Reading(random.pick([.ethernet, .raw, .loopback, .linuxCooked, .linuxCooked2]))
    let segment = talk.client(Wire.Flag.fin, at: 5, Array(0..<40 as Range<UInt8>), ack: 3)
    for _ in 0..<50 {
      var packet = random.pick([
        segment, Wire.ipv6([60, 0, 0, 9, 0, 0, 0, 9] + segment, next: 44), Wire.ethernet(segment),
      ])
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        packet[Int.random(in: packet.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      packet.removeLast(Int.random(in: 0...packet.count, using: &random))
      reading.read([packet], wireLength: Int.random(in: 0...70_000, using: &random))
    }
    reading.finish()
    #expect(reading.output.lines.isEmpty)
  }
}
