@testable import Discovery
import SyncCore
import SystemIO
import Testing

/// RFC 6762 §8 and §9: how a name becomes ours, and remains so.
@Suite struct ProbingTests {
  @Test("RFC 6762 §8.1 MUST: three probes for all unique names are sent 250 ms apart, before announcements")
  func probesComeFirst() {
    var advertiser = Stage.advertiser()
    let sent = advertiser.play(until: .seconds(10))
    let probes = sent.prefix { !$0.message.isResponse }
    #expect(probes.count == 3 && sent.queries.count == 3)
    #expect(zip(probes.dropFirst(), probes).allSatisfy { $0.at - $1.at == .ms(250) })
    #expect(probes.allSatisfy { $0.message.questions.map(\.name) == [Stage.kitchen, advertiser.host] })
    #expect(probes.allSatisfy { $0.message.questions.allSatisfy { $0.type == .any } })
    #expect(sent[3].at - sent[2].at == .ms(250))
  }

  @Test("RFC 6762 §8.1 MUST: the first probe waits a random 0 to 250 ms")
  func firstProbeIsDelayed() {
    let firsts = (1...60 as ClosedRange<UInt64>).map { seed -> Duration in
      var advertiser = Stage.advertiser(seed: seed)
      return advertiser.play(until: .seconds(1))[0].at
    }
    #expect(firsts.allSatisfy { $0 >= .zero && $0 <= .ms(250) })
    #expect(Set(firsts).count > 30)
  }

  @Test("RFC 6762 §8.1 SHOULD: probes request unicast responses")
  func probesWantUnicast() {
    var advertiser = Stage.advertiser(allowsUnicast: true)
    let probes = advertiser.play(until: .seconds(5)).queries
    #expect(probes.allSatisfy { $0.message.questions.allSatisfy(\.wantsUnicast) })
  }

  @Test("RFC 6762 §8.1 MUST: questions are not answered during probing")
  func nothingIsAnsweredBefore() {
    var advertiser = Stage.advertiser()
    let sent = advertiser.hear(.query([Question(Stage.kitchen, .srv)]), at: .ms(1), until: .ms(700))
    #expect(sent.responses.isEmpty)
  }

  @Test("RFC 6762 §8.2 MUST: a probe has the proposed records in its authority section")
  func probesProposeRecords() {
    var advertiser = Stage.advertiser()
    let probe = advertiser.play(until: .seconds(5))[0].message
    #expect(Set(probe.authorities.map(\.type)) == [.srv, .txt, .a])
    #expect(probe.authorities.allSatisfy { !$0.isUnique })
  }

  /// A probe of another host for our name, with a port above or below ours.
  private func rival(port: UInt16) -> DNSMessage {
    var probe = DNSMessage.query([Question(Stage.kitchen, .any)])
    let host = DomainName("rival.local")!
    probe.authorities = [Stage.location(port: port, host: host), Stage.text()]
    return probe
  }

  @Test(
    "RFC 6762 §8.2 MUST: of two simultaneous probers the one with earlier data waits a second and retries")
  func earlierDataWaits() {
    var advertiser = Stage.advertiser()
    let start = advertiser.play(until: .ms(300)).last!.at
    let sent = advertiser.hear(rival(port: 9_000), at: start + .ms(10), until: .seconds(10))
    #expect(sent[0].at == start + .ms(1_010))
    #expect(sent.prefix { !$0.message.isResponse }.count == 3)
    #expect(advertiser.name == "Kitchen")
  }

  @Test("RFC 6762 §8.2 MUST: of two simultaneous probers the one with later data continues")
  func laterDataGoesOn() {
    var advertiser = Stage.advertiser()
    let start = advertiser.play(until: .ms(300)).last!.at
    let sent = advertiser.hear(rival(port: 5), at: start + .ms(10), until: .seconds(10))
    #expect(sent[0].at <= start + .ms(250))
  }

  @Test("RFC 6762 §8.2 MUST: equal data is not a conflict")
  func equalDataIsNoConflict() {
    var advertiser = Stage.advertiser()
    let first = advertiser.play(until: .ms(250))[0]
    let sent = advertiser.hear(first.message, at: first.at + .ms(10), until: .seconds(10))
    #expect(sent[0].at == first.at + .ms(250))
  }

  @Test(
    "RFC 6762 §8.2.1 MUST: lists of records are compared in order of class, type and data; the longer one wins"
  )
  func listsAreCompared() {
    let (a, b) = (Stage.place(99, host: Stage.host), Stage.place(200, host: Stage.host))
    #expect(Responder.comesLater([b], than: [a]) && !Responder.comesLater([a], than: [b]))
    #expect(!Responder.comesLater([a], than: [a]))
    #expect(Responder.comesLater([a, b], than: [a]))
    #expect(Responder.comesLater([Stage.text(Stage.host)], than: [b]), "TXT is a higher type than A")
    var chaos = a
    chaos.recordClass = 3
    #expect(Responder.comesLater([chaos], than: [Stage.text(Stage.host)]), "the class comes first")
  }

  @Test("RFC 6762 §8.3 MUST: at least two announcements with all records are sent, at least a second apart")
  func announcementsFollow() {
    var advertiser = Stage.advertiser()
    let sent = advertiser.play(until: .seconds(20)).responses
    #expect(sent.count == 2 && sent[1].at - sent[0].at >= .seconds(1))
    #expect(sent.allSatisfy { Set($0.message.answers.map(\.type)) == [.ptr, .srv, .txt, .a] })
  }

  @Test("RFC 6762 §8.3 MUST: unique records have the cache-flush bit, shared ones do not")
  func onlyUniqueRecordsFlush() {
    var advertiser = Stage.advertiser()
    let answers = advertiser.play(until: .seconds(20)).responses.flatMap(\.message.answers)
    #expect(answers.allSatisfy { $0.isUnique == ($0.type != .ptr) })
  }

  @Test("RFC 6762 §8.4 MUST: new data is announced")
  func changesAreAnnounced() {
    var advertiser = Stage.readyAdvertiser()
    advertiser.setAddresses([Stage.address(77)], on: Stage.link, at: Stage.ready)
    let sent = advertiser.play(from: Stage.ready, until: .seconds(20))
    #expect(sent.times(of: Stage.place(77, host: advertiser.host)).count == 2)
  }

  @Test("RFC 6762 §8.1 MUST: a name that is answered during probing is replaced by another name")
  func takenNameIsGivenUp() {
    var advertiser = Stage.advertiser()
    _ = advertiser.play(until: .ms(300))
    let sent = advertiser.hear(.response([Stage.location(port: 1)]), at: .ms(310), until: .seconds(10))
    #expect(advertiser.name == "Kitchen (2)")
    #expect(advertiser.takeEvents().first == .renamed(from: "Kitchen", to: "Kitchen (2)"))
    #expect(sent.queries.count == 3, "the new name is probed for, too")
  }

  @Test("RFC 6762 §9 MUST: after a later conflict the name is probed again")
  func laterConflictProbesAgain() {
    var advertiser = Stage.readyAdvertiser()
    let sent = advertiser.hear(.response([Stage.location(port: 1)]), at: Stage.ready, until: .seconds(20))
    #expect(sent.prefix { !$0.message.isResponse }.count == 3)
    #expect(advertiser.name == "Kitchen", "nobody answered")
  }

  @Test("RFC 6762 §9 MUST: after a later conflict that the other host repeats, another name is used")
  func defendedConflictRenames() {
    var advertiser = Stage.readyAdvertiser()
    let conflict = DNSMessage.response([Stage.location(port: 1)])
    _ = advertiser.hear(conflict, at: Stage.ready, until: Stage.ready + .ms(10))
    _ = advertiser.hear(conflict, at: Stage.ready + .ms(20), until: .seconds(20))
    #expect(advertiser.name == "Kitchen (2)")
  }

  @Test("RFC 6762 §10.1 SHOULD: a name that is changed is withdrawn on the other links")
  func changedNameIsWithdrawn() {
    var advertiser = Stage.readyAdvertiser()
    advertiser.setAddresses([Stage.address(1)], on: Stage.other, at: Stage.ready)
    advertiser.addLink(Stage.other, at: Stage.ready, isStart: false, allowsUnicast: false)
    _ = advertiser.play(from: Stage.ready, until: Stage.ready + .ms(300))
    let sent = advertiser.hear(
      .response([Stage.location(port: 1)]), from: Stage.origin(on: Stage.other), at: Stage.ready + .ms(310),
      until: Stage.ready + .ms(310))
    #expect(advertiser.name == "Kitchen (2)")
    #expect(sent.allSatisfy { $0.outgoing.link == Stage.link })
    let records = sent.responses.flatMap(\.message.answers)
    #expect(Set(records.map(\.type)) == [.ptr, .srv, .txt] && records.allSatisfy { $0.ttl == 0 })
    #expect(records.contains { $0.isSame(as: Stage.pointer()) })
  }

  @Test("RFC 6762 §10.1 SHOULD: a name that is probed again was announced, so its end is announced")
  func disputedNameIsWithdrawn() {
    var advertiser = Stage.readyAdvertiser()
    let origin = Stage.origin(isMulticast: true)
    _ = advertiser.hear(
      .response([Stage.location(port: 1)]), from: origin, at: Stage.ready, until: Stage.ready + .ms(10))
    let goodbye = advertiser.end(at: Stage.ready + .ms(20)).flatMap(\.message.answers)
    #expect(Set(goodbye.map(\.type)) == [.ptr, .srv, .txt, .a] && goodbye.allSatisfy { $0.ttl == 0 })
    var early = Stage.advertiser()
    _ = early.play(until: .ms(500))
    #expect(early.end(at: .ms(500)).isEmpty, "it was not announced")
  }

  @Test("RFC 6762 §9 MUST: equal data of another host is not a conflict")
  func equalDataIsNoLaterConflict() {
    var advertiser = Stage.readyAdvertiser()
    let own = Stage.location(host: advertiser.host)
    #expect(advertiser.hear(.response([own]), at: Stage.ready, until: .seconds(20)).isEmpty)
  }

  @Test("RFC 6762 §8.1 MUST: after fifteen conflicts in ten seconds each attempt waits five seconds")
  func manyConflictsSlowDown() {
    var advertiser = Stage.advertiser()
    for count in 0..<15 {
      let name = DomainName(labels: [advertiser.name, "_appsync", "_tcp", "local"])!
      let now = Duration.ms(300 + count * 300)
      _ = advertiser.play(from: now - .ms(300), until: now)
      _ = advertiser.hear(.response([Stage.location(name, port: 1)]), at: now, until: now)
    }
    let sent = advertiser.play(from: .ms(4_500), until: .seconds(30))
    #expect(advertiser.name == "Kitchen (16)")
    #expect(sent[0].at >= .ms(4_500) + .seconds(5))
  }
}
