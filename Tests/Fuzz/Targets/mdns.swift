import Discovery
import JSONLines
import SyncCore
import SystemIO

/// A message is the same after it is written and read again, and no packet harms the rules.
///
/// The first byte is the number of packets into which the rest is cut.
func fuzzMDNS(_ bytes: [UInt8]) {
  if let message = try? DNSMessage(reading: bytes.span) {
    let again = try? DNSMessage(reading: message.encoded().span)
    require(again == message, "the same message")
    require(
      (try? DNSMessage(reading: message.encoded(forLegacy: true).span)) == message,
      "the same without pointers")
    _ = message.json.text
  }
  guard let first = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  let size = max(1, rest.count / (Int(first & 7) + 1))
  let packets = stride(from: 0, to: rest.count, by: size).map { Array(rest[$0..<min($0 + size, rest.count)]) }
  let link = NetworkLink(index: 1, name: "lo")
  var browser = Browser(.service(.peers), random: SplitMix64(seed: 1), cacheLimit: 64)
  browser.addLink(link, at: .zero, isStart: true, allowsUnicast: first & 8 != 0)
  run(&browser, packets, link)
  for event in browser.takeEvents() { _ = event.line(at: Instant(seconds: 0)!).text }
  let advertisement = Advertisement(
    name: "Kitchen", service: .peers, port: 7_000, txt: TextRecord(), host: "box")
  var advertiser = Advertiser(advertisement, random: SplitMix64(seed: 2))!
  advertiser.setAddresses([.v4(0x7F00_0001)], on: link, at: .zero)
  advertiser.addLink(link, at: .zero, isStart: true, allowsUnicast: false)
  // Probing, and when all is announced.
  run(&advertiser, packets, link)
  run(&advertiser, packets, link, from: .seconds(30))
}

private func run(
  _ agent: inout some LinkAgent, _ packets: [[UInt8]], _ link: NetworkLink, from start: Duration = .zero
) {
  var now = start
  for (index, packet) in packets.enumerated() {
    now += .milliseconds(index * 150)
    let origin = Origin(link: link, address: .v4(UInt32(index % 3)), port: index % 5 == 4 ? 4_000 : 5_353)
    _ = agent.receive(packet: packet.span, origin, at: now)
    var steps = 0
    while let next = agent.deadline, next <= now {
      for outgoing in agent.advance(to: now) {
        require(outgoing.bytes.count <= 9_000, "a packet of ours is small")
      }
      steps += 1
      require(steps < 1_000, "time goes on")
    }
  }
}
