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
}
