/// The times at which a question is repeated: after 1 s, then 2 s, 4 s and so on up to an hour (RFC 6762
/// §5.2).
///
/// This schedule sends only four queries in eight seconds, and a link that loses three of ten packets
/// sometimes loses all four. So until an answer is received, one-shot queries (§5.1) fill the first gaps, and
/// the question is sent once a second.
struct QuestionSchedule: Sendable {
  private(set) var next: Duration
  private(set) var sent = 0
  private var last: Duration?
  private var interval = Duration.seconds(1)
  private var isUnheard = true
  /// The time when a one-shot query is due; nil without one.
  private var nextOneShot: Duration?

  private static let pause = Duration.seconds(1)
  /// The longest gap between two queries that is filled.
  private static let longestFilled = Duration.seconds(4)
  static let longestInterval = Duration.seconds(3_600)

  init(first: Duration) { next = first }

  /// The time when there is work to do.
  var deadline: Duration { min(next, nextOneShot ?? next) }

  /// Whether a one-shot query is due now, which then counts as sent.
  mutating func takeOneShot(at now: Duration) -> Bool {
    guard let due = nextOneShot, due <= now else { return false }
    planOneShot(after: now)
    return true
  }

  /// Notes that an answer was received, so multicast queries are enough.
  mutating func noteHeard() {
    isUnheard = false
    nextOneShot = nil
  }

  private mutating func planOneShot(after now: Duration) {
    nextOneShot = now + Self.pause < next ? now + Self.pause : nil
  }

  /// Notes that the question was sent, by us or by another host for the entire link (§7.3).
  mutating func noteAsked(at now: Duration) {
    sent += 1
    last = now
    next = now + interval
    nextOneShot = nil
    if isUnheard, interval <= Self.longestFilled { planOneShot(after: now) }
    interval = min(interval * 2, Self.longestInterval)
  }

  /// Whether another host's question can replace our next one; directly after our own question it cannot.
  func canBeAnswered(byQuestionAt now: Duration) -> Bool {
    guard let last else { return true }
    return now - last >= interval / 4
  }

  /// Repeats the question because a record needs a refresh: now, but at least a second after the last time.
  mutating func refresh(at now: Duration) {
    next = min(next, max(now, (last ?? now - .seconds(1)) + .seconds(1)))
  }
}
