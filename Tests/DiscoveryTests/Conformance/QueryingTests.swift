@testable import Discovery
import SyncCore
import Testing

/// RFC 6762 §5: how questions are asked.
@Suite struct QueryingTests {
  private func times(_ sent: [Sent]) -> [Duration] { sent.queries.map(\.at) }

  @Test("RFC 6762 §5.1 MAY: until a response arrives, one-shot queries fill the gaps of the first seconds")
  func oneShotQueriesFillTheGaps() {
    var browser = Stage.browser()
    let sent = browser.play(until: .seconds(30))
    #expect(times(sent.filter { $0.at <= .seconds(7) }) == [0, 1, 3, 7].map { .seconds($0) })
    let oneShots = sent.filter { $0.outgoing.destination == .groupOneShot }
    #expect(oneShots.map(\.at) == [2, 4, 5, 6].map { .seconds($0) })
    #expect(
      oneShots.allSatisfy {
        $0.message.id != 0 && $0.message.questions == [Question(Stage.service.name, .ptr)]
      })
    var answered = Stage.browser()
    let after = answered.hear(Stage.announcement(), at: .ms(1_500), until: .seconds(30))
    #expect(!after.contains { $0.outgoing.destination == .groupOneShot })
  }

  @Test("RFC 6762 §5.1 MUST: a one-shot query is not sent from port 5353, and its answer is accepted")
  func oneShotQueriesAreAnswered() throws {
    var browser = Stage.browser()
    let query = try #require(browser.play(until: .seconds(2)).last)
    #expect(query.outgoing.destination == .groupOneShot)
    var advertiser = Stage.readyAdvertiser()
    let legacy = Stage.origin(7, port: 40_000)
    let answers = advertiser.receive(packet: query.outgoing.bytes.span, legacy, at: Stage.ready)
    #expect(answers.map(\.destination) == [.host(Stage.address(7), port: 40_000)])
    #expect(answers.first?.message.id == query.message.id)
    _ = browser.receive(packet: answers[0].bytes.span, Stage.origin(1, isMulticast: false), at: .seconds(2))
    _ = browser.play(from: .seconds(2), until: .seconds(3))
    #expect(browser.takeEvents().count == 1)
  }

  @Test(
    "RFC 6762 §5.2 MUST: the first two queries are at least a second apart, and intervals at least double")
  func intervalsGrow() {
    var browser = Stage.browser()
    let times = times(browser.play(until: .seconds(200)))
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(gaps.first! >= .seconds(1))
    #expect(zip(gaps.dropFirst(), gaps).allSatisfy { $0 >= $1 * 2 })
  }

  @Test("RFC 6762 §5.2 SHOULD: the interval grows to an hour at most")
  func intervalsEndAtAnHour() {
    var browser = Stage.browser()
    let times = times(browser.play(until: .seconds(5 * 3_600)))
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(gaps.last == .seconds(3_600))
  }

  @Test("RFC 6762 §5.2 SHOULD: the first query after a link appears waits a random 20 to 120 ms")
  func firstQueryIsDelayedOnANewLink() {
    let firsts = (1...60 as ClosedRange<UInt64>).map { seed -> Duration in
      var browser = Stage.browser(seed: seed, isStart: false)
      return times(browser.play(until: .seconds(1)))[0]
    }
    #expect(firsts.allSatisfy { $0 >= .ms(20) && $0 <= .ms(120) })
    #expect(Set(firsts).count > 20)
  }

  @Test("RFC 6762 §5.2 MUST: a record is queried at 80, 85, 90 and 95 % of its lifetime before it expires")
  func recordsAreRefreshed() {
    var browser = Stage.browser()
    _ = browser.hear(Stage.announcement(), at: .seconds(200))
    let asked = browser.play(from: .seconds(203), until: .ms(319_999)).queries
      .filter { $0.message.questions.contains { $0.type == .srv && $0.name == Stage.kitchen } }
      .map { Int(($0.at - .seconds(200)) / .ms(1)) }
    #expect(asked.count == 4)
    for (time, percent) in zip(asked, [80, 85, 90, 95]) {
      #expect((percent * 1_200...(percent + 2) * 1_200).contains(time), "\(time) ms")
    }
  }

  @Test("RFC 6762 §5.2 SHOULD: a refresh query has a random delay of up to 2 %")
  func refreshesDiffer() {
    let times = (1...20 as ClosedRange<UInt64>).map { seed -> Duration in
      var browser = Stage.browser(seed: seed)
      _ = browser.hear(Stage.announcement(), at: .seconds(200))
      let sent = browser.play(from: .seconds(203), until: .seconds(300)).queries
      return sent.first { $0.message.questions.contains { $0.type == .srv } }!.at
    }
    #expect(Set(times).count > 5)
  }

  @Test("RFC 6762 §5.2 MUST: queries for a record stop when the record is received again")
  func refreshEndsWithAnAnswer() {
    var browser = Stage.browser()
    _ = browser.hear(Stage.announcement(), at: .seconds(200), until: .seconds(200 + 98))
    let after = browser.hear(Stage.announcement(), at: .seconds(298), until: .seconds(310)).queries
    #expect(after.isEmpty)
  }

  @Test("RFC 6762 §5.3 MAY: one query may have several questions")
  func questionsAreGathered() {
    var browser = Stage.browser()
    let queries = browser.hear(.response([Stage.pointer(), Stage.location()]), at: .seconds(200)).queries
    #expect(queries.contains { Set($0.message.questions.map(\.type)).isSuperset(of: [.a, .aaaa]) })
  }

  @Test("RFC 6762 §5.4 SHOULD: the first query requests a unicast response, later queries do not")
  func firstQuestionWantsUnicast() {
    var browser = Stage.browser(allowsUnicast: true)
    let wants = browser.play(until: .seconds(5)).queries.map { $0.message.questions[0].wantsUnicast }
    #expect(wants == [true, false, false])
  }

  @Test("RFC 6762 §15.1 SHOULD: unicast responses are not requested if another program uses the port too")
  func sharedPortWantsMulticast() {
    var browser = Stage.browser(allowsUnicast: false)
    let queries = browser.play(until: .seconds(5)).queries
    #expect(queries.allSatisfy { !$0.message.questions[0].wantsUnicast })
  }

  @Test("RFC 6762 §18.1 SHOULD: queries have the identifier 0 and no flags")
  func queriesAreBare() {
    var browser = Stage.browser()
    let message = browser.play(until: .zero)[0].message
    #expect(message.id == 0 && message.flags == 0)
  }
}
