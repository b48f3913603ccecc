import History
import StoreFiles
import SyncCore
import Testing

@testable import CommandLineTool
@testable import Syncing

/// How long the other side, a signal and another process may hold a session.
@Suite struct DialogueSpeakerTests {
  // MARK: The other side

  @Test func aByteNowAndThenIsNoMessage() throws {
    let trial = try SpeakerTrial(.init(.acceptor))
    let frame = SpeakerTrial.frame(SpeakerTrial.request())
    for byte in frame.prefix(10) {
      trial.pass(.seconds(20))
      guard !trial.speaker.isDone else { break }
      trial.speaker.hear([byte].span, at: trial.now)
    }
    #expect(trial.speaker.end == .timedOut)
    #expect(trial.now <= .seconds(1_040))
  }

  @Test func aSlowPeerThatGoesOnIsWaitedFor() throws {
    let trial = try SpeakerTrial(.init(.connector(.pull)))
    let question = trial.said()
    let text = String(repeating: "x", count: 500_000)
    let line = #"{"entityName":"","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00Z","x":"\#(text)"}"#
    let page = SyncResponse(
      peerId: "phone", deviceName: "Phone", content: .lines(Array((line + "\n").utf8)), token: [1])
    var rest = SpeakerTrial.frame(.syncResponse(page), inReplyTo: question[0].id)[...]
    while !rest.isEmpty {
      trial.pass(.seconds(1))
      #expect(!trial.speaker.isDone)
      trial.speaker.hear(Array(rest.prefix(5_000)).span, at: trial.now)
      rest = rest.dropFirst(5_000)
    }
    #expect(trial.speaker.end == .done(setAside: 0))
    #expect(trial.now > .seconds(1_090), "longer than the patience")
  }

  @Test func aReaderWhoTakesAByteNowAndThenIsGivenUp() throws {
    let trial = try SpeakerTrial(.init(.connector(.pull)))
    while !trial.speaker.isDone, trial.now < .seconds(5_000) {
      trial.pass(.seconds(20))
      _ = trial.speaker.takeOutput(1, at: trial.now)
    }
    #expect(trial.speaker.end == .timedOut && trial.now <= .seconds(1_040))
  }

  @Test func pagesWithoutEndEndARunAfterAnHour() throws {
    let trial = try SpeakerTrial(.init(.connector(.pull)))
    for number in 1...1_000 {
      trial.pass(.seconds(10))
      guard !trial.speaker.isDone, let question = trial.said().last else { break }
      trial.say(SpeakerTrial.page(number, hasMore: true), inReplyTo: question.id)
    }
    #expect((trial.speaker.failure as? Diagnostic)?.code == .timedOut)
    #expect(trial.now == .seconds(1_000 + 3_600))
    #expect(trial.speaker.tally.received == 359, "what has come is stored")
  }

  @Test func whoFollowsMayGoOn() throws {
    var part = DialogueSpeaker.Part(.connector(.pull))
    part.waitSeconds = 60
    let trial = try SpeakerTrial(part)
    for number in 1...500 {
      trial.pass(.seconds(10))
      let question = try #require(trial.said().last)
      trial.say(SpeakerTrial.page(number, hasMore: true), inReplyTo: question.id)
    }
    #expect(!trial.speaker.isDone)
  }

  // MARK: A signal

  @Test func afterASignalAPeerIsServedForThePatienceAndNoLonger() throws {
    let trial = try SpeakerTrial(.init(.acceptor))
    trial.say(SpeakerTrial.request())
    trial.speaker.stop(at: trial.now)
    for _ in 1...2 {
      guard case .syncResponse(let page)? = trial.said().last?.body else {
        Issue.record("no answer")
        return
      }
      trial.pass(.seconds(14))
      trial.say(SpeakerTrial.ack(page.token))
      trial.say(SpeakerTrial.request())
      #expect(!trial.speaker.isDone)
    }
    trial.pass(.seconds(2))
    #expect(trial.speaker.end == .stopped && trial.speaker.isCutShort)
  }

  // MARK: Another process

  @Test func aStoreInUseHoldsNobodyAndIsAskedAgain() throws {
    let trial = try SpeakerTrial(.init(.acceptor))
    let other = try trial.otherConnection()
    trial.say(SpeakerTrial.request())
    guard case .syncResponse(let page)? = trial.said().last?.body else {
      Issue.record("no answer")
      return
    }
    try other.run("BEGIN IMMEDIATE")
    trial.say(SpeakerTrial.ack(page.token, yourTurn: true))
    #expect(!trial.speaker.isListening && !trial.speaker.isDone && trial.said().isEmpty)
    #expect(try #require(trial.speaker.deadline) <= trial.now + .milliseconds(100))
    trial.speaker.hearEnd(at: trial.now)
    trial.pass(.seconds(5))
    #expect(!trial.speaker.isListening)
    try other.run("COMMIT")
    trial.pass(.seconds(1))
    #expect(trial.speaker.isListening && trial.said().count == 1)
    #expect(trial.speaker.end == .closed, "what came meanwhile is heard then")
  }

  @Test func aStoreInUseForTooLongIsBusyAndThePeerIsTold() throws {
    let trial = try SpeakerTrial(.init(.acceptor))
    let other = try trial.otherConnection()
    trial.say(SpeakerTrial.request())
    guard case .syncResponse(let page)? = trial.said().last?.body else {
      Issue.record("no answer")
      return
    }
    try other.run("BEGIN IMMEDIATE")
    trial.say(SpeakerTrial.ack(page.token))
    trial.pass(.seconds(9))
    #expect(!trial.speaker.isDone)
    trial.pass(.seconds(1))
    #expect(trial.speaker.end == .busy)
    guard case .error(let error)? = trial.said().last?.body else {
      Issue.record("nobody is told")
      return
    }
    #expect(error.known == .busy)
  }
}
