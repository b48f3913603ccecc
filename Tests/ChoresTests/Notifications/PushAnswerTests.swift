@testable import Chores
import JSONLines
import SyncCore
import Testing

/// The outcome of a push for each answer of the service.
@Suite struct PushAnswerTests {
  private func verdict(_ status: Int, _ reason: String? = nil, retryAfter: Int = 0) -> PushAnswer.Verdict {
    let body = reason.map { Array("{\"reason\":\"\($0)\"}".utf8) } ?? []
    return PushAnswer(status: status, body: body, retryAfter: retryAfter).verdict
  }

  @Test func whatIsNeverTriedAgain() {
    for reason in [
      "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DeviceTokenNotForTopic",
      "DuplicateHeaders", "InvalidPushType", "MissingDeviceToken", "PayloadEmpty",
    ] {
      #expect(verdict(400, reason) == .failed, "\(reason)")
    }
    #expect(verdict(404, "BadPath") == .failed)
    #expect(verdict(405, "MethodNotAllowed") == .failed)
    #expect(verdict(413, "PayloadTooLarge") == .failed)
    #expect(verdict(302) == .failed)
  }

  @Test func whatIsTriedAgain() {
    #expect(verdict(429, "TooManyRequests") == .again(after: 0))
    #expect(verdict(429, "TooManyProviderTokenUpdates", retryAfter: 7) == .again(after: 7))
    #expect(verdict(500, "InternalServerError") == .again(after: 0))
    #expect(verdict(503, "Shutdown", retryAfter: 900) == .again(after: 900))
    #expect(verdict(502) == .again(after: 0))
    #expect(verdict(400, "IdleTimeout") == .again(after: 0))
    #expect(verdict(503, "ServiceUnavailable", retryAfter: -5) == .again(after: 0))
  }

  @Test func whatConcernsTheDevice() throws {
    #expect(verdict(400, "BadDeviceToken") == .gone(since: nil))
    #expect(verdict(410, "Unregistered") == .gone(since: nil))
    let body = Array(#"{"reason":"Unregistered","timestamp":1767225600123}"#.utf8)
    let answer = PushAnswer(status: 410, body: body, retryAfter: 0)
    #expect(answer.verdict == .gone(since: Instant("2026-01-01T00:00:00Z")))
    #expect(answer.reason == "Unregistered")
  }

  @Test func whatConcernsEveryPush() {
    #expect(verdict(403, "ExpiredProviderToken") == .tokenExpired)
    for reason in ["InvalidProviderToken", "MissingProviderToken", "BadCertificate", "Forbidden"] {
      #expect(verdict(403, reason) == .refused, "\(reason)")
    }
    for reason in ["BadTopic", "MissingTopic", "TopicDisallowed"] {
      #expect(verdict(400, reason) == .refused, "\(reason)")
    }
  }

  @Test func anAnswerThatIsNoJSONHasNoReason() {
    let answer = PushAnswer(status: 500, body: Array("<html>".utf8), retryAfter: 0)
    #expect(answer == PushAnswer(.again(after: 0), status: 500))
  }

  @Test func noServiceIsWaitedForLongerThanADay() {
    let id = UUIDValue(high: 0, low: 0)
    for wish in [86_401, 1 << 40, Int.max] {
      #expect(RetryRules().wait(after: 1, of: id, atLeast: wish) == .seconds(86_400))
    }
    #expect(RetryRules().wait(after: 1, of: id, atLeast: 86_399) == .seconds(86_399))
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
