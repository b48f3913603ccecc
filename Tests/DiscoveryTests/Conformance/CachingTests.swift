@testable import Discovery
import SyncCore
import SystemIO
import Testing

/// RFC 6762 §10 and §11: how long a record is valid, and whose records are accepted.
@Suite struct CachingTests {
  /// A browser that has found Kitchen 100 s after its start.
  private func informed() -> Browser {
    var browser = Stage.browser()
    _ = browser.hear(Stage.announcement(), at: .seconds(100))
    #expect(browser.takeEvents().count == 1)
    return browser
  }

  @Test("RFC 6762 §10 SHOULD: host records have a lifetime of 120 s, other records of 75 minutes")
  func livesAreRecommended() {
    var advertiser = Stage.advertiser()
    let answers = advertiser.play(until: .seconds(20)).responses.flatMap(\.message.answers)
    #expect(answers.allSatisfy { $0.ttl == ([.srv, .a].contains($0.type) ? 120 : 4_500) })
  }

  @Test("RFC 6762 §10 MUST: a record is removed when its lifetime ends")
  func recordsExpire() {
    var browser = informed()
    _ = browser.play(from: .seconds(103), until: .seconds(221))
    guard case .lost(_, .expired)? = browser.takeEvents().first else {
      Issue.record("not lost")
      return
    }
  }

  @Test("RFC 6762 §10.1 SHOULD: a host that leaves announces its records with a lifetime of 0")
  func goodbyeIsSaid() {
    var advertiser = Stage.readyAdvertiser()
    let records = advertiser.end(at: Stage.ready).flatMap(\.message.answers)
    #expect(records.allSatisfy { $0.ttl == 0 })
    #expect(Set(records.map(\.type)) == [.ptr, .srv, .txt, .a])
    #expect(!records.contains { $0.name == DNSServiceType.enumeration }, "others may have the type, too")
  }

  @Test("RFC 6762 §10.1 SHOULD: an address that no longer exists is withdrawn")
  func goneAddressesAreTakenBack() {
    var advertiser = Stage.readyAdvertiser()
    let six = IPAddress.v6(0xFE80 << 48, 7)
    advertiser.setAddresses([Stage.address(1), six], on: Stage.link, at: Stage.ready)
    _ = advertiser.play(from: Stage.ready, until: .seconds(20))
    advertiser.setAddresses([Stage.address(1)], on: Stage.link, at: .seconds(20))
    let answers = advertiser.play(from: .seconds(20), until: .seconds(30)).flatMap(\.message.answers)
    let gone = answers.filter { $0.data == .address(six) }
    #expect(gone.map(\.ttl) == [0])
  }

  @Test("RFC 6762 §10.1 MUST: after a goodbye a record is kept for one more second")
  func goodbyeTakesASecond() {
    var browser = informed()
    _ = browser.hear(.response([Stage.pointer(ttl: 0)]), at: .seconds(110), until: .ms(110_990))
    #expect(browser.takeEvents().isEmpty)
    _ = browser.play(from: .ms(110_990), until: .ms(111_010))
    guard case .lost(_, .goodbye)? = browser.takeEvents().first else {
      Issue.record("not lost")
      return
    }
  }

  @Test("RFC 6762 §10.1 MUST: after a goodbye a record that is received again within a second stays")
  func goodbyeCanBeTakenBack() {
    var browser = informed()
    _ = browser.hear(.response([Stage.pointer(ttl: 0)]), at: .seconds(110), until: .ms(110_500))
    _ = browser.hear(.response([Stage.pointer()]), at: .ms(110_500), until: .seconds(115))
    #expect(browser.takeEvents().isEmpty)
  }

  @Test(
    "RFC 6762 §10.2 MUST: a record with the cache-flush bit removes older records of its set after a second")
  func olderRecordsAreFlushed() {
    var browser = informed()
    _ = browser.hear(.response([Stage.place(10)]), at: .seconds(110), until: .ms(110_500))
    _ = browser.play(from: .ms(110_500), until: .seconds(112))
    guard case .updated(let peer)? = browser.takeEvents().last else {
      Issue.record("not updated")
      return
    }
    #expect(peer.addresses.map(\.address) == [Stage.address(10)])
  }

  @Test("RFC 6762 §10.2 MUST: records of the last second are not flushed")
  func youngRecordsAreNotFlushed() {
    var browser = informed()
    _ = browser.hear(.response([Stage.place(10)]), at: .ms(110_000), until: .ms(110_400))
    _ = browser.hear(.response([Stage.place(11)]), at: .ms(110_400), until: .seconds(113))
    guard case .updated(let peer)? = browser.takeEvents().last else {
      Issue.record("not updated")
      return
    }
    #expect(peer.addresses.map(\.address) == [Stage.address(10), Stage.address(11)])
  }

  @Test("RFC 6762 §10.2 MUST: a shared record does not flush other records")
  func sharedRecordsFlushNothing() {
    var browser = informed()
    _ = browser.hear(Stage.announcement(Stage.hall), at: .seconds(110), until: .seconds(115))
    let events = browser.takeEvents()
    #expect(events.count == 1)
    guard case .discovered(let peer)? = events.first else {
      Issue.record("not discovered")
      return
    }
    #expect(peer.instance == "Hall")
  }

  @Test("RFC 6762 §11 MUST: a unicast response from outside the link is ignored")
  func strangersAreIgnored() {
    var browser = Stage.browser()
    _ = browser.hear(
      Stage.announcement(), from: Stage.origin(isMulticast: false, isOnLink: false), at: .seconds(1))
    #expect(browser.takeEvents().isEmpty)
    _ = browser.hear(Stage.announcement(), from: Stage.origin(isMulticast: false), at: .seconds(5))
    #expect(browser.takeEvents().count == 1)
  }

  @Test("RFC 6762 §11 MUST: the group's packets are accepted from any address")
  func groupPacketsAreHeard() {
    var browser = Stage.browser()
    _ = browser.hear(Stage.announcement(), from: Stage.origin(isOnLink: false), at: .seconds(1))
    #expect(browser.takeEvents().count == 1)
  }

  @Test("RFC 6762 §5.5 MUST: a unicast query from outside the link is not answered")
  func strangersAreNotAnswered() {
    var advertiser = Stage.readyAdvertiser()
    let origin = Stage.origin(isMulticast: false, isOnLink: false)
    #expect(advertiser.hear(.query([Question(Stage.kitchen, .srv)]), from: origin, at: Stage.ready).isEmpty)
  }

  /// What another device says on the other link, under the name of ours.
  private func namesake(port: UInt16 = 7_001) -> DNSMessage {
    let host = DomainName("other.local")!
    return .response([
      Stage.pointer(), Stage.location(port: port, host: host), Stage.text(Stage.kitchen, ["id=K2"]),
      Stage.place(66, host: host),
    ])
  }

  @Test("RFC 6762 §14 MUST: devices that have one name on different links are different peers")
  func namesakesAreTwo() {
    var browser = informed()
    browser.addLink(Stage.other, at: .seconds(110), isStart: false, allowsUnicast: false)
    let origin = Stage.origin(66, on: Stage.other)
    _ = browser.hear(namesake(), from: origin, at: .seconds(111))
    guard case .discovered(let peer)? = browser.takeEvents().last else {
      Issue.record("not discovered")
      return
    }
    #expect(peer.number == 1 && peer.port == 7_001)
    #expect(peer.addresses == [Peer.Address(address: Stage.address(66), link: Stage.other)])
    _ = browser.hear(namesake(port: 7_002), from: origin, at: .seconds(115))
    guard case .updated(let moved)? = browser.takeEvents().last else {
      Issue.record("not updated")
      return
    }
    #expect(moved.number == 1 && moved.port == 7_002)
    browser.removeLink(Stage.link, at: .seconds(120))
    guard case .lost(let first, .interface)? = browser.takeEvents().last else {
      Issue.record("not lost")
      return
    }
    #expect(first.number == 0 && first.port == 7_000)
  }

  @Test("RFC 6762 §14 MUST: links are handled separately, and a peer on two links is reported as one")
  func linksAreApart() {
    var browser = informed()
    browser.addLink(Stage.other, at: .seconds(110), isStart: false, allowsUnicast: false)
    _ = browser.hear(Stage.announcement(), from: Stage.origin(on: Stage.other), at: .seconds(111))
    guard case .updated(let peer)? = browser.takeEvents().last else {
      Issue.record("not updated")
      return
    }
    #expect(peer.addresses.map(\.link) == [Stage.link, Stage.other])
    browser.removeLink(Stage.link, at: .seconds(120))
    guard case .updated? = browser.takeEvents().last else {
      Issue.record("not updated")
      return
    }
    browser.removeLink(Stage.other, at: .seconds(121))
    guard case .lost(_, .interface)? = browser.takeEvents().last else {
      Issue.record("not lost")
      return
    }
  }
}
