/// When a question is asked again: after 1 s, then 2 s, 4 s and so on up to an hour (RFC 6762 §5.2).
///
/// That would be four times in eight seconds, and a link that loses three packets of ten loses all four now and then.
/// So, as long as nothing has been heard, one-shot queries (§5.1) fill the first gaps: the question goes out once a second.
struct QuestionSchedule: Sendable {
  private(set) var next: Duration
  private(set) var sent = 0
  private var last: Duration?
  private var interval = Duration.seconds(1)
  /// When one-shot queries are due.
  private var oneShots: [Duration]

  /// So long after the first query.
  private static let gaps = [2, 4, 5, 6].map { Duration.seconds($0) }

  static let longestInterval = Duration.seconds(3_600)

  init(first: Duration) {
    next = first
    oneShots = Self.gaps.map { first + $0 }
  }

  /// When there is something to do.
  var deadline: Duration { min(next, oneShots.first ?? next) }

  /// Whether a one-shot query is due now, which counts as done then.
  mutating func takeOneShot(at now: Duration) -> Bool {
    let left = oneShots.filter { $0 > now }
    defer { oneShots = left }
    return left.count < oneShots.count
  }

  /// Something has been heard.
  mutating func endOneShots() { oneShots = [] }

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
