@testable import Discovery
import SyncCore
import SystemIO
import Testing

/// Hosts that send far too much: memory, output and work stay small.
@Suite struct FloodTests {
  private let now = Stage.ready

  private func ghost(_ number: Int) -> DNSMessage {
    let instance = DomainName("Ghost \(number)._appsync._tcp.local")!
    let host = DomainName("ghost-\(number).local")!
    return .response([
      Stage.pointer(instance), Stage.location(instance, host: host), Stage.text(instance),
      Stage.place(66, host: host),
    ])
  }

  private func lost(_ events: [DiscoveryEvent]) -> [String] {
    events.compactMap { if case .lost(let peer, _) = $0 { peer.instance } else { nil } }
  }

  enum Senders: CaseIterable { case one, thePeer, everNew }

  @Test(arguments: Senders.allCases)
  func aPeerThatWasThereStays(senders: Senders) {
    var browser = Browser(.service(Stage.service), random: SplitMix64(seed: 1), cacheLimit: 400)
    browser.addLink(Stage.link, at: .zero, isStart: true, allowsUnicast: false)
    _ = browser.hear(Stage.announcement(), from: Stage.origin(9), at: .ms(100), until: .ms(150))
    for number in 0..<2_000 {
      let time = Duration.ms(200 + number)
      let sender: UInt32 =
        switch senders {
        case .one: 66
        case .thePeer: 9
        case .everNew: 1_000 + UInt32(number)
        }
      _ = browser.receive(packet: ghost(number).encoded().span, Stage.origin(sender), at: time)
      if number % 64 == 0 { _ = browser.advance(to: time) }
    }
    _ = browser.advance(to: .ms(2_300))
    #expect(!lost(browser.takeEvents()).contains("Kitchen"))
    #expect(browser.queriers[Stage.link]!.cache.load <= 400)
  }

  /// Many instances on a host with many addresses would be the product of both.
  @Test func oneHostHasFewAddresses() {
    var browser = Stage.browser()
    func hear(_ records: [ResourceRecord], at time: Duration) {
      _ = browser.hear(.response(records), from: Stage.origin(66), at: time, until: time)
    }
    for number in 0..<200 {
      let instance = DomainName("Ghost \(number)._appsync._tcp.local")!
      hear([Stage.pointer(instance), Stage.location(instance), Stage.text(instance)], at: .ms(number))
    }
    for number in 0..<40 {
      hear((0..<50).map { Stage.place(UInt32(1_000 + number * 50 + $0)) }, at: .ms(300 + number))
    }
    let events = browser.takeEvents()
    let counts = events.map { event in
      switch event {
      case .discovered(let peer), .updated(let peer): peer.addresses.count
      default: 0
      }
    }
    #expect(counts.count == 200 && counts.allSatisfy { $0 == 32 })
  }

  @Test func largeRecordsCountForMore() {
    var cache = RecordCache(limit: 100)
    var random = SplitMix64(seed: 1)
    let text = (0..<30).flatMap { _ in [UInt8(255)] + [UInt8](repeating: 97, count: 255) }
    for number in 0..<50 {
      let name = DomainName("Ghost \(number)._appsync._tcp.local")!
      let record = ResourceRecord(name, .text(text), ttl: 120, isUnique: true)
      _ = cache.insert(record, from: Stage.address(66), at: .ms(number), &random)
      #expect(cache.load <= 100 && cache.sets.count <= 4)
    }
  }

  @Test func typesAreNotRememberedForEver() {
    var browser = Browser(.types, random: SplitMix64(seed: 1), cacheLimit: 64)
    browser.addLink(Stage.link, at: .zero, isStart: true, allowsUnicast: false)
    for number in 0..<2_000 {
      let type = DomainName("_t\(number)._tcp.local")!
      let record = ResourceRecord(DNSServiceType.enumeration, .pointer(type), ttl: 60, isUnique: false)
      _ = browser.receive(
        packet: DNSMessage.response([record]).encoded().span, Stage.origin(), at: .ms(number))
      _ = browser.advance(to: .ms(number))
      #expect(browser.types.count <= 129)
    }
  }

  @Test func whatIsNoTypeIsNotListed() {
    var browser = Browser(.types, random: SplitMix64(seed: 1))
    browser.addLink(Stage.link, at: .zero, isStart: true, allowsUnicast: false)
    let names = [
      "_http._tcp.local", "x.local", "_a._b._tcp.local", "_ipp._tcp.example", "_odd\\.one._udp.local",
    ]
    let records = names.map {
      ResourceRecord(DNSServiceType.enumeration, .pointer(DomainName($0)!), ttl: 60, isUnique: false)
    }
    _ = browser.hear(.response(records), at: .ms(100))
    #expect(Set(browser.takeEvents()) == [.type("_http._tcp"), .type(#"_odd\.one._udp"#)])
  }

  @Test func pointersThatLeadNowhereAreAskedForInPart() {
    var browser = Stage.browser()
    for step in 0..<40 {
      let pointers = (0..<50).map {
        Stage.pointer(DomainName("Ghost \(step * 50 + $0)._appsync._tcp.local")!)
      }
      _ = browser.receive(packet: DNSMessage.response(pointers).encoded().span, Stage.origin(66), at: .ms(10))
    }
    let asked = browser.play(from: .ms(10), until: .ms(200)).queries.flatMap(\.message.questions)
    #expect(asked.count <= 1 + 2 * 256)
  }

  @Test func manyQuestionsInAPacketAreOne() {
    var advertiser = Stage.readyAdvertiser()
    advertiser.setAddresses((1...60).map(Stage.address), on: Stage.link, at: now)
    _ = advertiser.play(from: now, until: .seconds(20))
    let names = [Stage.kitchen, advertiser.host, Stage.service.name]
    let query = DNSMessage.query((0..<1_400).map { Question(names[$0 % 3], .any) })
    #expect(query.encoded().count <= DNSMessage.sizeLimit)
    let answers = advertiser.hear(query, at: .seconds(20)).flatMap(\.message.answers)
    #expect(answers.count == 63)
    let legacy = advertiser.hear(query, from: Stage.origin(port: 4_000), at: .seconds(30))
    #expect(legacy.count == 1 && legacy[0].outgoing.bytes.count < 3_000)
    #expect(legacy[0].message.questions.count == 8)
  }

  @Test func queriesThatNeverEndAreFew() {
    var advertiser = Stage.readyAdvertiser()
    var query = DNSMessage.query([Question(Stage.service.name, .ptr)])
    query.isTruncated = true
    for number in 0..<10_000 {
      let origin = Stage.origin(UInt32(number))
      _ = advertiser.receive(packet: query.encoded().span, origin, at: now + .ms(number / 100))
    }
    let sent = advertiser.play(from: now + .ms(100), until: now + .seconds(2))
    #expect(sent.times(of: Stage.pointer()).count == 1)
  }

  @Test func answersGoToNoStranger() {
    var advertiser = Stage.readyAdvertiser()
    let query = DNSMessage.query([Question(Stage.service.name, .ptr, wantsUnicast: true)])
    let stranger = Stage.origin(9, isOnLink: false)
    let answers = advertiser.hear(query, from: stranger, at: now)
    #expect(answers.filter(\.isMulticast).count == answers.count)
    let legacy = Stage.origin(9, port: 4_000, isOnLink: false)
    #expect(advertiser.hear(query, from: legacy, at: now + .seconds(5)).isEmpty)
  }

  @Test func forgedConflictsAreSlow() {
    var advertiser = Stage.readyAdvertiser()
    for number in 0..<20_000 {
      let name = DomainName(labels: [advertiser.name, "_appsync", "_tcp", "local"])!
      let time = now + .ms(number)
      _ = advertiser.hear(.response([Stage.location(name, port: 1)]), at: time, until: time)
    }
    #expect(advertiser.takeEvents().count <= 50)
  }

  @Test func oneForgedPointerDoesNotFlushAll() {
    var browser = Stage.browser()
    _ = browser.hear(Stage.announcement(), at: .seconds(100))
    _ = browser.takeEvents()
    var forged = Stage.pointer(Stage.hall)
    forged.isUnique = true
    _ = browser.hear(.response([forged]), from: Stage.origin(66), at: .seconds(110), until: .seconds(115))
    #expect(lost(browser.takeEvents()).isEmpty)
  }
}
