import Foundation
@testable import SystemIO
import TestSupport
import Testing

/// Work that may block is done elsewhere, and its end wakes a thread that polls.
@Suite(.endsHangs) struct BackgroundCallTests {
  private struct Failure: Error {}

  @Test func aLoopIsWokenByTheEnd() throws {
    let gate = Monitor(false)
    let call = BackgroundCall { gate.wait { $0 ? 7 : nil } }
    #expect(call.outcome == nil)
    #expect(!isReady(call, within: .milliseconds(20)))
    gate.update { $0 = true }
    #expect(isReady(call, within: .seconds(30)))
    #expect(try call.outcome?.get() == 7)
    #expect(try call.outcome?.get() == 7)
  }

  @Test func whatIsThrownIsAnOutcome() {
    let call = BackgroundCall<Int> { throw Failure() }
    #expect(isReady(call, within: .seconds(30)))
    #expect(throws: Failure.self) { try call.outcome?.get() }
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

  private func isReady(_ call: BackgroundCall<Int>, within time: Duration) -> Bool {
    var polls = PollSet()
    call.watch(&polls)
    polls.wait(until: SystemClock.monotonic() + time)
    return polls.isReady(0)
  }
}
