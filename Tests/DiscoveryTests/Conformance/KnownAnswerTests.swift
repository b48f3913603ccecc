@testable import Discovery
import SyncCore
import Testing

/// RFC 6762 §7: what keeps traffic low.
@Suite struct KnownAnswerTests {
  private func question(_ unicast: Bool = false) -> Question {
    Question(Stage.service.name, .ptr, wantsUnicast: unicast)
  }

  @Test("RFC 6762 §7.1 MUST: a known answer with at least half of its lifetime is not sent again")
  func knownAnswerIsNotGiven() {
    var advertiser = Stage.readyAdvertiser()
    let query = DNSMessage.query([question()], knowing: [Stage.pointer(ttl: 2_250)])
    #expect(advertiser.hear(query, at: Stage.ready).isEmpty)
  }

  @Test("RFC 6762 §7.1 MUST: a known answer with less than half of its lifetime is sent again")
  func oldKnownAnswerIsGiven() {
    var advertiser = Stage.readyAdvertiser()
    let query = DNSMessage.query([question()], knowing: [Stage.pointer(ttl: 2_249)])
    let sent = advertiser.hear(query, at: Stage.ready)
    #expect(sent.times(of: Stage.pointer()).count == 1)
  }

  @Test("RFC 6762 §7.1 MUST: a querier does not list a known answer with less than half of its lifetime")
  func queriesNameFreshAnswersOnly() {
    var browser = Stage.browser()
    _ = browser.play(until: .zero)
    _ = browser.hear(.response([Stage.pointer(ttl: 20)]), at: .ms(500), until: .ms(2_900))
    let fresh = browser.play(from: .ms(2_900), until: .ms(3_100)).queries
    _ = browser.play(from: .ms(3_100), until: .ms(10_600))
    let stale = browser.play(from: .ms(10_600), until: .ms(15_100)).queries.filter {
      $0.message.questions[0].type == .ptr
    }
    #expect(fresh.flatMap(\.message.answers).map(\.name) == [Stage.service.name])
    #expect(!stale.isEmpty && stale.allSatisfy { $0.message.answers.isEmpty })
  }

  @Test("RFC 6762 §7.1 MUST: known answers in queries of other hosts are not cached")
  func knownAnswersAreNotCached() {
    var browser = Stage.browser()
    var query = DNSMessage.query([question()], knowing: [Stage.pointer()])
    query.additionals = [Stage.location(), Stage.text(), Stage.place()]
    _ = browser.hear(query, at: .ms(500))
    #expect(browser.takeEvents().isEmpty)
    let next = browser.play(from: .ms(3_500), until: .seconds(8)).queries
    #expect(next.flatMap(\.message.answers).isEmpty)
  }

  @Test("RFC 6762 §10.2 MUST: known answers do not have the cache-flush bit")
  func knownAnswersHaveNoFlushBit() {
    var browser = Stage.browser()
    var pointer = Stage.pointer()
    pointer.isUnique = true
    _ = browser.hear(.response([pointer]), at: .ms(500))
    let answers = browser.play(from: .ms(3_500), until: .seconds(8)).queries.flatMap(\.message.answers)
    #expect(!answers.isEmpty && answers.allSatisfy { !$0.isUnique })
  }

  @Test(
    "RFC 6762 §7.2 MUST: more known answers follow immediately in further packets; all but the last have the TC bit"
  )
  func manyKnownAnswersAreCut() {
    var browser = Stage.browser()
    _ = browser.play(until: .zero)
    let pointers = (0..<200).map { Stage.pointer(DomainName("Peer number \($0)._appsync._tcp.local")!) }
    for message in MessagePacker.responses(pointers) {
      _ = browser.hear(message, at: .ms(900), until: .ms(900))
    }
    let queries = browser.play(from: .ms(900), until: .ms(1_000)).queries.filter {
      $0.message.questions.isEmpty || $0.message.questions[0].type == .ptr
    }
    #expect(queries.count > 1)
    #expect(queries.dropLast().allSatisfy { $0.message.isTruncated })
    #expect(queries.last?.message.isTruncated == false)
    #expect(queries.dropFirst().allSatisfy { $0.message.questions.isEmpty })
    #expect(queries.reduce(0) { $0 + $1.message.answers.count } == 200)
    #expect(queries.allSatisfy { $0.outgoing.bytes.count <= 1_452 })
  }

  @Test("RFC 6762 §7.2 SHOULD: the answer to a query with the TC bit waits 400 to 500 ms")
  func cutQueryIsAnsweredLate() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var advertiser = Stage.readyAdvertiser(seed: seed)
      var query = DNSMessage.query([question()])
      query.isTruncated = true
      let sent = advertiser.hear(query, at: Stage.ready)
      let delays = sent.times(of: Stage.pointer()).map { $0 - Stage.ready }
      #expect(delays.count == 1 && delays[0] >= .ms(400) && delays[0] <= .ms(500), "\(delays)")
    }
  }

  @Test("RFC 6762 §7.2 MUST: known answers in a further packet count")
  func furtherKnownAnswersCount() {
    var advertiser = Stage.readyAdvertiser()
    var query = DNSMessage.query([question()])
    query.isTruncated = true
    _ = advertiser.hear(query, at: Stage.ready, until: Stage.ready + .ms(10))
    let sent = advertiser.hear(.query([], knowing: [Stage.pointer()]), at: Stage.ready + .ms(10))
    #expect(sent.isEmpty)
  }

  @Test("RFC 6762 §7.2 MUST: known answers in a packet of another host do not count")
  func strangersKnownAnswersDoNotCount() {
    var advertiser = Stage.readyAdvertiser()
    var query = DNSMessage.query([question()])
    query.isTruncated = true
    _ = advertiser.hear(query, at: Stage.ready, until: Stage.ready + .ms(10))
    let sent = advertiser.hear(
      .query([], knowing: [Stage.pointer()]), from: Stage.origin(8), at: Stage.ready + .ms(10))
    #expect(sent.times(of: Stage.pointer()).count == 1)
  }

  @Test("RFC 6762 §7.3 SHOULD: a question that another host has just asked is not asked again")
  func duplicateQuestionIsNotAsked() {
    var browser = Stage.browser()
    _ = browser.play(until: .ms(900))
    let sent = browser.hear(.query([question()]), at: .ms(950), until: .ms(2_500)).queries
    #expect(sent.isEmpty)
  }

  @Test("RFC 6762 §7.3 MUST: a question is asked again if the other host lists answers that we do not have")
  func questionWithStrangeAnswersIsAsked() {
    var browser = Stage.browser()
    _ = browser.play(until: .ms(900))
    let sent = browser.hear(.query([question()], knowing: [Stage.pointer()]), at: .ms(950), until: .ms(2_500))
      .queries
    #expect(sent.map(\.at) == [.seconds(1)])
  }

  @Test("RFC 6762 §7.3 MUST: a question is asked again if the other query is not from port 5353")
  func questionOfAOneShotQueryIsAsked() {
    var browser = Stage.browser()
    _ = browser.play(until: .ms(900))
    let sent = browser.hear(
      .query([question()]), from: Stage.origin(port: 40_000), at: .ms(950), until: .ms(2_500)
    ).queries
    #expect(sent.map(\.at) == [.seconds(1)])
  }

  @Test("RFC 6762 §7.4 SHOULD: an answer that another host has just sent is not sent again")
  func duplicateAnswerIsNotGiven() {
    var advertiser = Stage.readyAdvertiser()
    _ = advertiser.hear(.query([question()]), at: Stage.ready, until: Stage.ready + .ms(10))
    let sent = advertiser.hear(.response([Stage.pointer()]), at: Stage.ready + .ms(10))
    #expect(sent.times(of: Stage.pointer()).isEmpty)
  }

  @Test("RFC 6762 §7.4 MUST: an answer is sent again if that of the other host has a shorter lifetime")
  func shortLivedDuplicateDoesNotCount() {
    var advertiser = Stage.readyAdvertiser()
    _ = advertiser.hear(.query([question()]), at: Stage.ready, until: Stage.ready + .ms(10))
    let sent = advertiser.hear(.response([Stage.pointer(ttl: 4_000)]), at: Stage.ready + .ms(10))
    #expect(sent.times(of: Stage.pointer()).count == 1)
  }

  @Test("RFC 6762 §7.4 MUST: an answer that another host has sent only to us does not replace ours")
  func unicastDuplicateDoesNotCount() {
    var advertiser = Stage.readyAdvertiser()
    _ = advertiser.hear(.query([question()]), at: Stage.ready, until: Stage.ready + .ms(10))
    let origin = Stage.origin(isMulticast: false)
    let sent = advertiser.hear(.response([Stage.pointer()]), from: origin, at: Stage.ready + .ms(10))
    #expect(sent.times(of: Stage.pointer()).count == 1)
  }
}
