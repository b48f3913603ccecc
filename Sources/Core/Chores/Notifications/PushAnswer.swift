import JSONLines
package import SyncCore

/// The outcome of a push that was sent.
package struct PushAnswer: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    case sent
    /// A retry would fail too.
    case failed
    /// The device no longer exists; `since` is the time that the service reported, if any.
    case gone(since: Instant?)
    /// A retry may succeed after at least this many seconds.
    case again(after: Int)
    /// The provider token is too old; a retry with a new token may succeed.
    case tokenExpired
    /// All pushes would fail: the key, topic or connection is wrong.
    case refused
  }

  package var verdict: Verdict
  /// The HTTP status, or the exit status of a program; nil without an answer.
  package var status: Int?
  package var reason: String?

  package init(_ verdict: Verdict, status: Int? = nil, reason: String? = nil) {
    (self.verdict, self.status, self.reason) = (verdict, status, reason)
  }

  /// The connection failed, or ended before an answer.
  package static func unanswered(_ reason: String) -> PushAnswer {
    PushAnswer(.again(after: 0), reason: reason)
  }

  /// An answer of Apple's push service; `retryAfter` is in seconds.
  ///
  /// Source: "Handling notification responses from APNs" in Apple's documentation.
  package init(status: Int, body: [UInt8], retryAfter: Int) {
    let answer = try? JSONValue(parsing: body.span)
    let reason = answer?["reason"]?.stringValue
    self.init(Self.verdict(status, reason, answer, max(0, retryAfter)), status: status, reason: reason)
  }

  private static func verdict(_ status: Int, _ reason: String?, _ answer: JSONValue?, _ retryAfter: Int)
    -> Verdict
  {
    switch (status, reason) {
    case (200, _): return .sent
    case (400, "BadDeviceToken"): return .gone(since: nil)
    case (410, _):
      let milliseconds = answer?["timestamp"]?.intValue.map(Int64.init)
      return .gone(since: milliseconds.flatMap { Instant(seconds: $0 / 1_000) })
    case (403, "ExpiredProviderToken"): return .tokenExpired
    // The service gives the same answer to every request with this key or topic.
    case (403, _), (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"): return .refused
    case (400, "IdleTimeout"), (429, _), (500..., _): return .again(after: retryAfter)
    default: return .failed
    }
  }
}

/// How long to wait before a push is sent again.
package struct RetryRules: Sendable {
  package var first = Duration.seconds(1)
  /// Each wait is twice as long as the previous one, up to this limit.
  package static let longest = Duration.seconds(900)
  /// In seconds; if the service requests a longer wait, the push is retried after a day.
  package static let longestWish = 86_400

  package init() {}

  /// The wait after this many attempts, or the service's requested time of up to a day if that is longer.
  ///
  /// Pushes that failed together are not retried together: up to half of the wait is derived from the id.
  package func wait(after attempts: Int, of id: UUIDValue, atLeast seconds: Int) -> Duration {
    let doubled = first * (1 << min(max(attempts, 1) - 1, 20))
    let full = min(doubled, Self.longest)
    let spread = full / 2 * Double(id.low & 0xFFFF) / 65_536
    return max(full / 2 + spread, .seconds(min(seconds, Self.longestWish)))
  }
}
