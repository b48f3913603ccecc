/// How long the other side may take for what is waited for, be it to come or to go; times are of the monotonic clock.
///
/// Something has to move within the patience, and a whole message within the patience and a second more for each
/// ``slowest`` bytes of it: a byte now and then keeps nobody waiting.
package struct MessagePace: Sendable {
  /// In bytes a second.
  package static let slowest = 4 << 10

  private let patience: Duration
  /// When what is waited for was begun.
  private var start = Duration.zero
  /// When something moved last.
  private var last = Duration.zero
  private var moved = 0
  /// What is granted beyond the patience.
  private var extra = Duration.zero

  package init(patience: Duration) { self.patience = patience }

  /// The next message is waited for.
  package mutating func begin(extra: Duration = .zero, at now: Duration) {
    (start, last, moved, self.extra) = (now, now, 0, extra)
  }

  /// So many bytes have come or gone.
  package mutating func move(_ count: Int, at now: Duration) {
    guard count > 0 else { return }
    moved += count
    last = now
  }

  /// When it has been too long.
  package var limit: Duration { min(last, start + .seconds(moved) / Self.slowest) + patience + extra }
}
