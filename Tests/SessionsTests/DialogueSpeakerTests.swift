import Foundation
import JSONLines
@testable import Sessions
import Store
import SyncCore
import Testing

/// How long the other side, a signal and another process may delay a session.
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

  @Test(arguments: [1, 3, 40])
  func anEndInTheMiddleOfAMessageIsNoSuccess(count: Int) throws {
    let trial = try SpeakerTrial(.init(.acceptor))
    trial.speaker.hear(Array(SpeakerTrial.frame(SpeakerTrial.request()).prefix(count)).span, at: trial.now)
    trial.speaker.hearEnd(at: trial.now)
    #expect(trial.speaker.end == .closed)
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
    part.follows = true
    let trial = try SpeakerTrial(part)
    for number in 1...500 {
      trial.pass(.seconds(10))
      let question = try #require(trial.said().last)
      trial.say(SpeakerTrial.page(number, hasMore: true), inReplyTo: question.id)
    }
    #expect(!trial.speaker.isDone)
  }

  /// Each answer comes at once, though it was asked to wait.
  @Test func aPeerThatNeverWaitsIsAskedOnceASecond() throws {
    var part = DialogueSpeaker.Part(.connector(.pull))
    part.follows = true
    let trial = try SpeakerTrial(part)
    var requests = 0
    for _ in 0..<60 {
      for message in trial.said() {
        guard case .syncRequest = message.body else { continue }
        requests += 1
        trial.say(SpeakerTrial.page(requests, lines: ""), inReplyTo: message.id)
      }
      trial.pass(.milliseconds(100))
    }
    #expect(!trial.speaker.isDone && (3...9).contains(requests), "\(requests) requests in 6 s")
  }

  // MARK: Changes that no store accepts

  /// Changes that are nested too deep or too long go into quarantine with their key; the rest of the page and
  /// its token are processed.
  @Test(arguments: [511, 512, 5_000])
  func aChangeThatNoStoreTakesKeepsNobodyBack(_ depth: Int) throws {
    let trial = try SpeakerTrial(.init(.connector(.pull)))
    let change = { (id: String, field: String) in
      #"{"entityName":"","identity":{"id":"\#(id)"},"modifiedAt":"2025-05-01T00:00:00.000Z","fields":{"x":\#(field)}}"#
    }
    let deep = String(repeating: "[", count: depth - 2) + "1" + String(repeating: "]", count: depth - 2)
    let long = #"""# + String(repeating: "x", count: 9 << 20) + #"""#
    let lines = [change("1", "1"), change("2", deep), change("3", long), change("4", deep), change("5", "1")]
    trial.say(
      SpeakerTrial.page(1, lines: lines.map { $0 + "\n" }.joined()), inReplyTo: trial.said().last?.id)
    #expect(trial.speaker.end == .done(setAside: 3))
    #expect(trial.speaker.tally.received == 2)
    guard case .ack(let ack)? = trial.said().last?.body else {
      Issue.record("no ack")
      return
    }
    #expect(ack.token == Array("1".utf8))
    let kept = try trial.quarantined()
    #expect(kept.map(\.reason).sorted() == ["lineTooLarge", "nestingTooDeep", "nestingTooDeep"])
    #expect(
      kept.allSatisfy {
        $0.line.count < 70_000 && $0.line.starts(with: Array(#"{"wireEntry":"{\"entityName"#.utf8))
      })
    #expect(
      try trial.quarantinedKeys().map { String(decoding: $0, as: UTF8.self) } == [
        #"["",{"id":"2"}]"#, #"["",{"id":"3"}]"#, #"["",{"id":"4"}]"#,
      ])
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

  @Test(arguments: [DialogueSettings.Role.connector(.pull), .acceptor])
  func aSignalEndsTheWaitForAStoreThatWasReplaced(_ role: DialogueSettings.Role) throws {
    var other: Database?
    let trial = try SpeakerTrial(.init(role), wait: .seconds(300)) { path in
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
      try Data().write(to: URL(filePath: path))
      other = try Database(path, wait: .zero)
      try other?.run("BEGIN EXCLUSIVE")
    }
    trial.pass(.seconds(1))
    #expect(!trial.speaker.isDone && !trial.speaker.isListening)
    trial.speaker.stop(at: trial.now)
    trial.pass(.seconds(31))
    #expect(trial.speaker.end == .stopped && trial.speaker.isCutShort)
    withExtendedLifetime(other) {}
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
