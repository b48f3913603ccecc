@testable import Discovery
import SyncCore
import SystemIO
import Testing

/// Malicious hosts on the link: no crash, bounded memory, and other peers are still found.
@Suite struct HostilePacketTests {
  private func flood(_ browser: inout Browser, from source: UInt32, peers: Range<Int>, at now: Duration) {
    for number in peers {
      let instance = DomainName("Ghost \(number)._appsync._tcp.local")!
      let host = DomainName("ghost-\(number).local")!
      let message = DNSMessage.response([
        Stage.pointer(instance), Stage.location(instance, host: host), Stage.text(instance),
        Stage.place(66, host: host),
      ])
      _ = browser.receive(packet: message.encoded().span, Stage.origin(source), at: now)
    }
    _ = browser.advance(to: now)
  }

  @Test func theCacheIsBounded() {
    var cache = RecordCache(limit: 100)
    var random = SplitMix64(seed: 1)
    for number in 0..<10_000 {
      let instance = DomainName("Ghost \(number)._appsync._tcp.local")!
      _ = cache.insert(
        Stage.pointer(instance), from: Stage.address(UInt32(number % 7)), at: .ms(number), &random)
      #expect(cache.load <= 100)
    }
  }

  @Test func aFloodOfInstancesDoesNotPushOthersOut() {
    var browser = Browser(.service(Stage.service), random: SplitMix64(seed: 1), cacheLimit: 400)
    browser.addLink(Stage.link, at: .zero, isStart: true, allowsUnicast: false)
    _ = browser.hear(Stage.announcement(), from: Stage.origin(9), at: .ms(100), until: .ms(150))
    for step in 0..<20 { flood(&browser, from: 66, peers: step * 50..<step * 50 + 50, at: .ms(200 + step)) }
    _ = browser.hear(Stage.announcement(Stage.hall), from: Stage.origin(10), at: .ms(400), until: .ms(500))
    let events = browser.takeEvents()
    let lost = events.contains {
      if case .lost(let peer, _) = $0 { peer.instance == "Kitchen" } else { false }
    }
    let found = events.contains {
      if case .discovered(let peer) = $0 { peer.instance == "Hall" } else { false }
    }
    #expect(!lost && found)
  }

  @Test func recordsThatNobodyAskedForAreNotKept() {
    var querier = Querier(random: SplitMix64(seed: 1), allowsUnicast: false)
    querier.ask([Stage.pointerKey], at: .zero, delayed: false)
    for number in 0..<500 {
      let name = DomainName("x\(number).local")!
      _ = querier.receive(
        response: .response([Stage.place(1, host: name)]), from: Stage.address(66), at: .zero)
    }
    #expect(querier.cache.load == 0)
  }

  @Test func aForgedGoodbyeIsAnsweredByItsOwner() {
    var browser = Stage.browser()
    var advertiser = Stage.readyAdvertiser()
    for item in advertiser.hear(.query([Question(Stage.service.name, .ptr)]), at: Stage.ready) {
      _ = browser.receive(packet: item.outgoing.bytes.span, Stage.origin(1), at: item.at)
    }
    _ = browser.play(from: Stage.ready, until: .seconds(12))
    #expect(browser.takeEvents().count == 1)
    let forged = DNSMessage.response(
      [Stage.pointer(ttl: 0), Stage.location(host: advertiser.host, ttl: 0), Stage.text(ttl: 0)])
    _ = browser.receive(packet: forged.encoded().span, Stage.origin(66), at: .seconds(12))
    for item in advertiser.hear(forged, from: Stage.origin(66), at: .seconds(12)) {
      _ = browser.play(from: .seconds(12), until: item.at)
      _ = browser.receive(packet: item.outgoing.bytes.span, Stage.origin(1), at: item.at)
    }
    _ = browser.play(from: .seconds(12), until: .seconds(20))
    #expect(browser.takeEvents().isEmpty)
  }

  @Test func manyQueriesGetFewAnswers() {
    var advertiser = Stage.readyAdvertiser()
    let query = DNSMessage.query([Question(Stage.service.name, .ptr), Question(Stage.kitchen, .any)])
    var sent: [Sent] = []
    for step in 0..<5_000 {
      let now = Stage.ready + .ms(step)
      sent += advertiser.hear(query, from: Stage.origin(UInt32(step)), at: now, until: now)
    }
    #expect(sent.count <= 12, "about one a second for the pointer, one for the rest")
  }

  @Test func unansweredPointersAskWithinBounds() {
    var browser = Stage.browser()
    var bytes = 0
    for step in 0..<100 {
      let pointers = (0..<20).map {
        Stage.pointer(DomainName("Ghost \(step * 20 + $0)._appsync._tcp.local")!)
      }
      bytes += browser.hear(
        .response(pointers), from: Stage.origin(66), at: .ms(step * 10), until: .ms(step * 10 + 9)
      )
      .reduce(0) { $0 + $1.outgoing.bytes.count }
    }
    #expect(bytes < 400_000, "\(bytes) bytes")
  }

  @Test func packetsOfAnySizeAreTaken() {
    var browser = Stage.browser()
    for size in [0, 1, 11, 12, 8_999, 9_000, 9_001, 65_507] {
      for byte in [0, 1, 0x80, 0xC0, 0xFF] as [UInt8] {
        let bytes = [UInt8](repeating: byte, count: size)
        _ = browser.receive(packet: bytes.span, Stage.origin(), at: .seconds(1))
      }
    }
    _ = browser.hear(Stage.announcement(), at: .seconds(2))
    #expect(browser.takeEvents().count == 1)
  }

  @Test func aLifeOfYearsIsCut() {
    var cache = RecordCache()
    var random = SplitMix64(seed: 1)
    _ = cache.insert(Stage.pointer(ttl: .max >> 1), from: Stage.address(66), at: .zero, &random)
    #expect(cache.entries(Stage.pointerKey)[0].expiry == .seconds(86_400))
  }
}
