/// When a question is asked again: after 1 s, then 2 s, 4 s and so on up to an hour (RFC 6762 §5.2).
struct QuestionSchedule: Sendable {
  private(set) var next: Duration
  private(set) var sent = 0
  private var last: Duration?
  private var interval = Duration.seconds(1)

  static let longestInterval = Duration.seconds(3_600)

  init(first: Duration) { next = first }

  /// It has been asked, by us or by another host for all of the link (§7.3).
  mutating func noteAsked(at now: Duration) {
    sent += 1
    last = now
    next = now + interval
    interval = min(interval * 2, Self.longestInterval)
  }

  /// Whether somebody else's question is as good as the next of ours: never right after ours.
  func canBeAnswered(byQuestionAt now: Duration) -> Bool {
    guard let last else { return true }
    return now - last >= interval / 4
  }

  /// A record has to be refreshed: asked now, but not within a second of the time before.
  mutating func refresh(at now: Duration) {
    next = min(next, max(now, (last ?? now - .seconds(1)) + .seconds(1)))
  }
}
