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
