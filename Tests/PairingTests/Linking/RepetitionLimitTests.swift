@testable import SyncCore
import Pairing
import Testing

/// Events caused by strangers are written a limited number of times, and then counted.
struct RepetitionLimitTests {
  @Test func someOfEachKindAreWrittenInAMinute() {
    var limit = RepetitionLimit()
    let written = (0..<1_000).filter { limit.allows("a", at: .milliseconds($0)) }
    #expect(written == Array(0..<RepetitionLimit.limit))
    let isOther = limit.allows("b", at: .seconds(1))
    let held = limit.takeHeld().map { "\($0.kind) \($0.count)" }
    let rest = limit.takeHeld()
    #expect(isOther && held == ["a 980"] && rest.isEmpty)
  }

  @Test func afterAMinuteTheyAreWrittenAgain() {
    var limit = RepetitionLimit()
    for _ in 0..<100 { _ = limit.allows("a", at: .zero) }
    let late = limit.allows("a", at: .seconds(59))
    let later = limit.allows("a", at: .seconds(60))
    #expect(!late && later)
    let held = limit.takeHeld().map(\.count)
    #expect(held == [81])
  }
}
