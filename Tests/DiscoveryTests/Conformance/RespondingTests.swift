@testable import Discovery
import SyncCore
import SystemIO
import Testing

/// RFC 6762 §6: how answers are given.
@Suite struct RespondingTests {
  private let pointerQuery = DNSMessage.query([Question(Stage.service.name, .ptr)])
  private let locationQuery = DNSMessage.query([Question(Stage.kitchen, .srv)])

  private func delays(_ query: DNSMessage) -> [Duration] {
    (1...60 as ClosedRange<UInt64>).compactMap { seed in
      var advertiser = Stage.readyAdvertiser(seed: seed)
      return advertiser.hear(query, at: Stage.ready).first.map { $0.at - Stage.ready }
    }
  }

  @Test("RFC 6762 §6 SHOULD: an answer with shared records waits a random 20 to 120 ms")
  func sharedAnswersAreDelayed() {
    let delays = delays(pointerQuery)
    #expect(delays.count == 60 && delays.allSatisfy { $0 >= .ms(20) && $0 <= .ms(120) })
    #expect(Set(delays).count > 20)
  }

  @Test("RFC 6762 §6 SHOULD: an answer with our unique records is sent at once")
  func uniqueAnswersAreNotDelayed() {
    #expect(delays(locationQuery).allSatisfy { $0 <= .ms(10) })
  }

  @Test("RFC 6762 §6 MUST: questions about other names or classes are not answered")
  func othersAreNotAnswered() {
    var advertiser = Stage.readyAdvertiser()
    #expect(
      advertiser.hear(.query([Question(DomainName("_other._tcp.local")!, .ptr)]), at: Stage.ready).isEmpty)
    var chaos = Question(Stage.kitchen, .srv)
    chaos.questionClass = 3
    #expect(advertiser.hear(.query([chaos]), at: Stage.ready).isEmpty)
  }

  @Test("RFC 6762 §6 MUST: a record is not multicast again within a second")
  func multicastIsLimited() {
    var advertiser = Stage.readyAdvertiser()
    var sent: [Sent] = []
    for step in 0..<100 {
      let now = Stage.ready + .ms(50 * step)
      sent += advertiser.hear(
        locationQuery, from: Stage.origin(UInt32(step + 10)), at: now, until: now + .ms(49))
    }
    let times = sent.filter { ($0.message.answers + $0.message.additionals).contains { $0.type == .srv } }
      .map(\.at)
    #expect(times.count >= 4)
    #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 >= .seconds(1) })
  }

  /// A host with both families sends its query over each, and gets each answer over each.
  @Test func aQueryOverBothFamiliesIsAnsweredOnce() {
    var advertiser = Stage.readyAdvertiser()
    var sent: [Sent] = []
    let v6 = Origin(link: Stage.link, address: .v6(0xFE80_0000_0000_0000, 9))
    for (origin, late) in [(Stage.origin(), 0), (v6, 5), (Stage.origin(10), 3_000), (v6, 4_000)] {
      let now = Stage.ready + .ms(late)
      sent += advertiser.hear(locationQuery, from: origin, at: now, until: now + .ms(late == 0 ? 4 : 900))
    }
    let times = sent.filter { $0.message.answers.contains { $0.type == .srv } }.map { $0.at - Stage.ready }
    #expect(times.count == 3, "\(times)")
    #expect(times.first.map { $0 < .ms(5) } == true && times.dropFirst().allSatisfy { $0 >= .ms(3_000) })
  }

  @Test("RFC 6762 §6 MUST: additional records are not multicast again within a second either")
  func additionalsAreLimited() {
    var advertiser = Stage.readyAdvertiser()
    _ = advertiser.hear(locationQuery, at: Stage.ready, until: Stage.ready)
    let sent = advertiser.hear(pointerQuery, at: Stage.ready + .ms(100), until: Stage.ready + .ms(500))
    #expect(sent.count == 1 && !sent[0].message.additionals.contains { $0.type == .srv })
  }

  @Test("RFC 6762 §6 MUST: a name is defended against a probe within 250 ms of the last answer")
  func probesAreAnsweredSooner() {
    var advertiser = Stage.readyAdvertiser()
    _ = advertiser.hear(locationQuery, at: Stage.ready, until: Stage.ready)
    var probe = DNSMessage.query([Question(Stage.kitchen, .any)])
    probe.authorities = [Stage.location(port: 1)]
    let sent = advertiser.hear(probe, at: Stage.ready + .ms(100), until: Stage.ready + .ms(900))
    #expect(sent.contains { $0.message.answers.contains { $0.type == .srv } })
    #expect(sent.allSatisfy { $0.at <= Stage.ready + .ms(250) })
  }

  @Test("RFC 6762 §6 MUST: a response has no questions, the identifier 0 and the authoritative bit")
  func responsesAreBare() {
    var advertiser = Stage.readyAdvertiser()
    let message = advertiser.hear(pointerQuery, at: Stage.ready)[0].message
    #expect(message.questions.isEmpty && message.id == 0 && message.flags == 0x8400)
  }

  @Test("RFC 6762 §6 MUST: a response from another port than 5353 is ignored")
  func responsesFromOtherPortsAreIgnored() {
    var browser = Stage.browser()
    _ = browser.hear(Stage.announcement(), from: Stage.origin(port: 5_354), at: .seconds(1))
    #expect(browser.takeEvents().isEmpty)
  }

  @Test("RFC 6762 §6.1 MUST: an NSEC record reports that our name has no record of a type")
  func absenceIsSaid() {
    var advertiser = Stage.readyAdvertiser()
    let sent = advertiser.hear(.query([Question(Stage.kitchen, .a)]), at: Stage.ready)
    #expect(
      sent.first?.message.answers.map(\.data) == [.nextSecure(next: Stage.kitchen, types: [.txt, .srv])])
  }

  @Test(
    "RFC 6762 §6.2 SHOULD: an address answer adds the host's other addresses, or NSEC if it has none")
  func addressesComeTogether() {
    var advertiser = Stage.readyAdvertiser()
    let host = advertiser.host
    let denied = advertiser.hear(.query([Question(host, .a)]), at: Stage.ready)[0].message
    #expect(denied.additionals.map(\.type) == [.nsec])
    let six = IPAddress.v6(0xFE80 << 48, 7)
    advertiser.setAddresses([Stage.address(1), six], on: Stage.link, at: .seconds(20))
    _ = advertiser.play(from: .seconds(20), until: .seconds(30))
    let given = advertiser.hear(.query([Question(host, .a)]), at: .seconds(30))[0].message
    #expect(given.additionals.map(\.data) == [.address(six)])
  }

  @Test("RFC 6762 §6.3 MUST: each question of a query is answered")
  func allQuestionsAreAnswered() {
    var advertiser = Stage.readyAdvertiser()
    let query = DNSMessage.query([
      Question(Stage.kitchen, .srv), Question(Stage.kitchen, .txt), Question(Stage.service.name, .ptr),
    ])
    let answers = advertiser.hear(query, at: Stage.ready).flatMap(\.message.answers)
    #expect(Set(answers.map(\.type)) == [.srv, .txt, .ptr])
  }

  @Test("RFC 6762 §6.4 SHOULD: answers to several queries are sent in one packet")
  func answersAreGathered() {
    var advertiser = Stage.readyAdvertiser()
    _ = advertiser.hear(pointerQuery, at: Stage.ready, until: Stage.ready)
    let types = DNSMessage.query([Question(DNSServiceType.enumeration, .ptr)])
    let sent = advertiser.hear(types, from: Stage.origin(8), at: Stage.ready + .ms(5))
    #expect(sent.count == 1 && sent[0].message.answers.count == 2)
  }

  @Test("RFC 6762 §6.5 MUST: a question for any type gets all records of the name")
  func anyGetsAll() {
    var advertiser = Stage.readyAdvertiser()
    let sent = advertiser.hear(.query([Question(Stage.kitchen, .any)]), at: Stage.ready)
    #expect(Set(sent.flatMap(\.message.answers).map(\.type)) == [.srv, .txt])
  }

  @Test(
    "RFC 6762 §6.6 MUST: our record is announced again if others send it with less than half of its lifetime")
  func shortLivesAreCorrected() {
    var advertiser = Stage.readyAdvertiser()
    let sent = advertiser.hear(.response([Stage.pointer(ttl: 0)]), from: Stage.origin(66), at: Stage.ready)
    #expect(sent.times(of: Stage.pointer()).count == 1)
    #expect(sent.allSatisfy { $0.at < Stage.ready + .seconds(1) }, "before caches forget it")
  }

  @Test("RFC 6762 §6.7 MUST: a legacy query is answered by unicast, with its identifier and question")
  func legacyQueriesAreAnswered() {
    var advertiser = Stage.readyAdvertiser()
    var query = locationQuery
    query.id = 77
    let sent = advertiser.hear(query, from: Stage.origin(port: 40_000), at: Stage.ready)
    #expect(sent.map(\.outgoing.destination) == [.host(Stage.address(9), port: 40_000)])
    #expect(sent[0].message.id == 77 && sent[0].message.questions == query.questions)
  }

  @Test("RFC 6762 §6.7 SHOULD: a legacy answer has a lifetime of at most 10 s")
  func legacyAnswersAreBrief() {
    var advertiser = Stage.readyAdvertiser()
    let message = advertiser.hear(pointerQuery, from: Stage.origin(port: 40_000), at: Stage.ready)[0].message
    #expect((message.answers + message.additionals).allSatisfy { $0.ttl <= 10 })
  }

  @Test("RFC 6762 §6.7 MUST: a legacy answer does not have the cache-flush bit")
  func legacyAnswersDoNotFlush() {
    var advertiser = Stage.readyAdvertiser()
    let message = advertiser.hear(locationQuery, from: Stage.origin(port: 40_000), at: Stage.ready)[0].message
    #expect((message.answers + message.additionals).allSatisfy { !$0.isUnique })
  }

  @Test("RFC 6762 §18.14 MUST: the host in a legacy answer's SRV record is not compressed")
  func legacyHostsAreInFull() throws {
    var advertiser = Stage.readyAdvertiser()
    let sent = advertiser.hear(locationQuery, from: Stage.origin(port: 40_000), at: Stage.ready)[0]
    let host = Array(advertiser.host.wire)
    let places = sent.outgoing.bytes.indices.filter { sent.outgoing.bytes[$0...].starts(with: host) }
    #expect(places.count == 1, "in the SRV record; the address record after it may point there")
  }

  @Test("RFC 6762 §5.4 SHOULD: a QU question is answered by unicast if the record was multicast recently")
  func unicastIsAnsweredByUnicast() {
    var advertiser = Stage.readyAdvertiser()
    let query = DNSMessage.query([Question(Stage.service.name, .ptr, wantsUnicast: true)])
    let sent = advertiser.hear(query, at: Stage.ready)
    #expect(sent.map(\.outgoing.destination) == [.host(Stage.address(9), port: 5_353)])
  }

  @Test("RFC 6762 §5.4 SHOULD: after a quarter of a lifetime without multicast, a QU answer is multicast")
  func oldRecordsAreMulticast() {
    var advertiser = Stage.readyAdvertiser()
    let query = DNSMessage.query([Question(Stage.kitchen, .srv, wantsUnicast: true)])
    let sent = advertiser.hear(query, at: .seconds(60))
    #expect(sent.count == 1 && sent[0].isMulticast)
  }

  @Test("RFC 6762 §5.5 SHOULD: a unicast query is answered if it comes from the link")
  func directQueriesAreAnswered() {
    var advertiser = Stage.readyAdvertiser()
    let near = advertiser.hear(locationQuery, from: Stage.origin(isMulticast: false), at: Stage.ready)
    #expect(near.map(\.outgoing.destination) == [.host(Stage.address(9), port: 5_353)])
  }
}
