import SyncCore
import TestSupport
import Testing

/// Each side of a session sends the bytes of the vector when it is given those of the other side.
@Suite struct SessionVectorTests {
  private static let sides = SessionVector.all.flatMap { [($0, 0), ($0, 1)] }

  @Test(arguments: sides)
  func sendsTheSameBytes(_ vector: SessionVector, side: Int) throws {
    var replay = try SessionReplay(vector, side: side)
    #expect(try replay.state() == vector.sides[side].before)
    try replay.run()
    #expect(replay.sent.map(\.hex) == vector.messages(by: vector.sides[side]).compactMap(\.frame))
    #expect(replay.end == .done(setAside: 0))
    #expect(try replay.state() == vector.sides[side].after)
  }

  /// A length of four bytes and the message, which is written as it was read.
  @Test(arguments: SessionVector.all)
  func framesHoldTheMessages(_ vector: SessionVector) throws {
    for step in vector.steps where step.change == nil {
      let text = try Array(#require(step.message).utf8)
      let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: text.count >> $0) }
      #expect(step.frame == (length + text).hex)
      #expect(try Message(parsing: text.span).line == text)
    }
  }

  @Test func hasAWholeFirstContact() {
    let kinds = SessionVector.all[0].steps.map { $0.change == nil ? "message" : "change" }
    #expect(kinds == ["message", "message", "message", "change", "message", "message", "message"])
  }
}
