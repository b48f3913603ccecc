@testable import Sessions
import Store
import SyncCore
import Testing

/// A peer that asks for pages and does not read them: how much is kept for it, and for how long.
@Suite struct UnreadOutputTests {
  private static let pages = 20
  private static let length = 600_000

  /// A speaker whose store has one large record for each page.
  private func trial() throws -> SpeakerTrial {
    let trial = try SpeakerTrial(.init(.acceptor))
    trial.say(SpeakerTrial.ack(yourTurn: true))
    let text = String(repeating: "x", count: Self.length)
    let lines = (1...Self.pages).map {
      #"{"entityName":"","identity":{"id":"\#($0)"},"modifiedAt":"2025-05-01T00:00:00.000Z","fields":{"x":"\#(text)"}}"#
        + "\n"
    }
    trial.say(SpeakerTrial.page(1, lines: lines.joined()), inReplyTo: trial.said().last?.id)
    #expect(trial.said().count == 1 && trial.speaker.tally.received == Self.pages)
    return trial
  }

  private func drain(_ trial: SpeakerTrial) -> Int {
    var count = 0
    while trial.speaker.hasOutput { count += trial.speaker.takeOutput(1 << 20, at: trial.now).count }
    return count
  }

  @Test func fewPagesWaitForWhoAcknowledgesThemUnread() throws {
    let trial = try trial()
    for _ in 0..<4 {
      trial.say(SpeakerTrial.request(window: 4))
      for _ in 0..<Self.pages { trial.say(SpeakerTrial.ack()) }
    }
    #expect(!trial.speaker.isListening && !trial.speaker.isDone)
    // The loop is not woken for a peer that does not read.
    #expect(try #require(trial.speaker.deadline) > trial.now)
    var total = 0
    while trial.speaker.hasOutput {
      let count = drain(trial)
      #expect(count < 10 << 20)
      total += count
      #expect(try trial.speaker.isListening || #require(trial.speaker.deadline) <= trial.now)
      trial.pass(.zero)
    }
    #expect(total > 4 * Self.pages * Self.length, "whoever reads gets everything")
    #expect(trial.speaker.isListening && !trial.speaker.isDone)
  }

  @Test func messagesDoNotReplaceReading() throws {
    let trial = try trial()
    trial.say(SpeakerTrial.request(window: 4))
    while !trial.speaker.isDone, trial.now < .seconds(5_000) {
      trial.pass(.seconds(10))
      trial.say(SpeakerTrial.ack())
    }
    #expect(trial.speaker.end == .timedOut && trial.now <= .seconds(1_030))
  }

  @Test func aSlowReaderIsWaitedFor() throws {
    let trial = try trial()
    trial.say(SpeakerTrial.request(window: 4))
    for _ in 0..<10 {
      trial.pass(.seconds(20))
      _ = trial.speaker.takeOutput(128 << 10, at: trial.now)
      trial.say(SpeakerTrial.ack())
    }
    #expect(!trial.speaker.isDone)
  }

  /// Other links get their turn between the messages of one.
  @Test func manyMessagesAreHandledInPortions() throws {
    let trial = try trial()
    let round = SpeakerTrial.frame(SpeakerTrial.request()) + SpeakerTrial.frame(SpeakerTrial.ack())
    trial.speaker.hear(Array((0..<10).map { _ in round }.joined()).span, at: trial.now)
    var portions: [Int] = []
    repeat {
      portions.append(drain(trial) / Self.length)
      #expect(try trial.speaker.isListening || #require(trial.speaker.deadline) <= trial.now)
      trial.pass(.zero)
    } while trial.speaker.hasOutput
    #expect(portions == [4, 4, 2])
  }
}
