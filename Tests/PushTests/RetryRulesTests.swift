import Push
import SyncCore
import Testing

@Suite struct RetryRulesTests {
  @Test func noServiceIsWaitedForLongerThanADay() {
    let id = UUIDValue(high: 0, low: 0)
    for wish in [86_401, 1 << 40, Int.max] {
      #expect(RetryRules().wait(after: 1, of: id, atLeast: wish) == .seconds(86_400))
    }
    #expect(RetryRules().wait(after: 1, of: id, atLeast: 86_399) == .seconds(86_399))
  }

  @Test func theLongestFirstWaitIsNoOverflow() {
    var rules = RetryRules()
    rules.first = .seconds(Int64.max)
    let id = UUIDValue(high: 0, low: 0)
    for attempts in [1, 30] {
      #expect(rules.wait(after: attempts, of: id, atLeast: 0) == RetryRules.longest / 2)
    }
  }

  @Test func waitsGrowAndStayBelowTheLongest() {
    let rules = RetryRules()
    for low in [UInt64(0), 0x7FFF, 0xFFFF] {
      let id = UUIDValue(high: 0, low: low)
      let waits = (1...30).map { rules.wait(after: $0, of: id, atLeast: 0) }
      #expect(waits[0] >= .milliseconds(500) && waits[0] <= .seconds(1))
      #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(waits.allSatisfy { $0 <= RetryRules.longest })
      #expect(rules.wait(after: 1, of: id, atLeast: 3_600) == .seconds(3_600))
      let excess = (1...9).map { waits[$0] - waits[$0 - 1] * 2 }
      #expect(excess.allSatisfy { abs($0 / .microseconds(1)) < 1 }, "twice as long each time")
    }
    let waits = [UInt64(0), 0xFFFF].map {
      rules.wait(after: 1, of: UUIDValue(high: 0, low: $0), atLeast: 0)
    }
    #expect(waits[1] - waits[0] > .milliseconds(450), "what failed together does not come back together")
  }
}
