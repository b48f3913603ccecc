import Foundation
@testable import SystemIO
import TestSupport
import Testing

/// Work that may block is done elsewhere, and its end wakes a thread that polls.
@Suite(.endsHangs) struct ErrandTests {
  private struct Failure: Error {}

  @Test func aLoopIsWokenByTheEnd() throws {
    let gate = Monitor(false)
    let errand = Errand { gate.wait { $0 ? 7 : nil } }
    #expect(errand.outcome == nil)
    #expect(!isReady(errand, within: .milliseconds(20)))
    gate.update { $0 = true }
    #expect(isReady(errand, within: .seconds(30)))
    #expect(try errand.outcome?.get() == 7)
    #expect(try errand.outcome?.get() == 7)
  }

  @Test func whatIsThrownIsAnOutcome() {
    let errand = Errand<Int> { throw Failure() }
    #expect(isReady(errand, within: .seconds(30)))
    #expect(throws: Failure.self) { try errand.outcome?.get() }
  }

  @Test func aPipeIsClosedWithItsOwner() {
    func copyOfReadEnd() -> CInt {
      let pipe = SelfPipe()
      pipe.open()
      return dup(pipe.descriptor)
    }
    let copy = copyOfReadEnd()
    var byte: UInt8 = 0
    #expect(unsafe systemRead(copy, &byte, 1) == 0)
    _ = systemClose(copy)
  }

  private func isReady(_ errand: Errand<Int>, within time: Duration) -> Bool {
    var polls = PollSet()
    errand.watch(&polls)
    polls.wait(until: SystemClock.monotonic() + time)
    return polls.isReady(0)
  }
}
