@testable import Discovery
import SyncCore
import SystemIO

/// A link, names and records for the tests.
enum Stage {
  static let link = NetworkLink(index: 2, name: "eth0")
  static let other = NetworkLink(index: 3, name: "wlan0")
  static let service = DNSServiceType.peers
  static let kitchen = DomainName("Kitchen._appsync._tcp.local")!
  static let hall = DomainName("Hall._appsync._tcp.local")!
  static let host = DomainName("box.local")!
  static let pointerKey = RecordKey(service.name, .ptr)

  static func address(_ last: UInt32) -> IPAddress { .v4(0x0A4D_0000 + last) }

  static func origin(
    _ last: UInt32 = 9, port: UInt16 = 5353, isMulticast: Bool = true, isOnLink: Bool = true,
    on link: NetworkLink = link
  ) -> Origin {
    Origin(
      link: link, address: address(last), port: port, isMulticast: isMulticast, isOnLink: isOnLink)
  }

  static func pointer(_ instance: DomainName = kitchen, ttl: UInt32 = 4_500) -> ResourceRecord {
    ResourceRecord(service.name, .pointer(instance), ttl: ttl, isUnique: false)
  }

  static func location(
    _ instance: DomainName = kitchen, port: UInt16 = 7_000, host: DomainName = host, ttl: UInt32 = 120
  ) -> ResourceRecord {
    ResourceRecord(instance, .service(ServiceLocation(port: port, host: host)), ttl: ttl, isUnique: true)
  }

  static func text(_ instance: DomainName = kitchen, _ pairs: [String] = ["id=K1"], ttl: UInt32 = 4_500)
    -> ResourceRecord
  {
    var record = TextRecord()
    for pair in pairs { _ = record.add(pair) }
    return ResourceRecord(instance, .text(record.strings), ttl: ttl, isUnique: true)
  }

  static func place(_ last: UInt32 = 9, host: DomainName = host, ttl: UInt32 = 120) -> ResourceRecord {
    ResourceRecord(host, .address(address(last)), ttl: ttl, isUnique: true)
  }

  /// All that a browser needs to know of an instance.
  static func announcement(_ instance: DomainName = kitchen) -> DNSMessage {
    .response([pointer(instance), location(instance), text(instance), place()])
  }

  static func browser(seed: UInt64 = 1, allowsUnicast: Bool = false, isStart: Bool = true) -> Browser {
    var browser = Browser(.service(service), random: SplitMix64(seed: seed))
    browser.addLink(link, at: .zero, isStart: isStart, allowsUnicast: allowsUnicast)
    return browser
  }

  static let advertisement = Advertisement(
    name: "Kitchen", service: service, port: 7_000, txt: TextRecord(reading: Array("\u{5}id=K1".utf8)),
    host: "box")

  /// One that has just begun, with an address.
  static func advertiser(seed: UInt64 = 1, allowsUnicast: Bool = false, address: IPAddress = address(1))
    -> Advertiser
  {
    var advertiser = Advertiser(advertisement, random: SplitMix64(seed: seed))!
    advertiser.setAddresses([address], on: link, at: .zero)
    advertiser.addLink(link, at: .zero, isStart: true, allowsUnicast: allowsUnicast)
    return advertiser
  }

  /// One that has probed and announced, and been silent since; it is `ready` seconds old.
  static let ready = Duration.seconds(10)

  static func readyAdvertiser(seed: UInt64 = 1) -> Advertiser {
    var advertiser = advertiser(seed: seed)
    _ = advertiser.play(until: ready)
    _ = advertiser.takeEvents()
    return advertiser
  }
}

/// Something that an agent sent, and when.
struct Sent {
  var at: Duration
  var outgoing: Outgoing
  var message: DNSMessage { outgoing.message }
  var isMulticast: Bool { outgoing.destination == .group }
}

extension LinkAgent {
  /// Lets the time run, and gives all that is sent.
  mutating func play(from start: Duration = .zero, until end: Duration) -> [Sent] {
    var now = start
    var sent: [Sent] = []
    while let next = deadline, next <= end {
      now = max(now, next)
      sent += advance(to: now).map { Sent(at: now, outgoing: $0) }
    }
    return sent
  }

  /// Hears a message, and gives what is sent until `end`.
  mutating func hear(
    _ message: DNSMessage, from origin: Origin = Stage.origin(), at now: Duration, until end: Duration? = nil
  ) -> [Sent] {
    let replies = receive(packet: message.encoded().span, origin, at: now).map { Sent(at: now, outgoing: $0) }
    return replies + play(from: now, until: end ?? now + .seconds(3))
  }
}

extension [Sent] {
  /// Those to the group that have questions.
  var queries: [Sent] { filter { !$0.message.isResponse && $0.isMulticast } }
  var responses: [Sent] { filter { $0.message.isResponse } }
  /// When a record was sent as an answer.
  func times(of record: ResourceRecord) -> [Duration] {
    filter { $0.message.answers.contains { $0.isSame(as: record) } }.map(\.at)
  }
}

extension Duration {
  static func ms(_ number: Int) -> Duration { .milliseconds(number) }
}
