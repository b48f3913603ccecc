/// Watches that the ends of pages do not go in a circle, with one of them in hand however many there are.
///
/// The one that is kept is replaced after 1, 2, 4, 8 … pages (Brent's method), so that a circle is found before it has
/// been gone through three times.
struct PageProgress: Equatable, Sendable {
  private var kept: [UInt8]?
  private var count = 0
  private var limit = 1

  /// False where this was the end of an earlier page.
  mutating func advance(to token: [UInt8]) -> Bool {
    guard token != kept else { return false }
    count += 1
    if count == limit { (kept, count, limit) = (token, 0, limit * 2) }
    return true
  }
}
