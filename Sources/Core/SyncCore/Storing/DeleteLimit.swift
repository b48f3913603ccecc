/// How many live records one run may delete before it is thought to be a mistake.
package enum DeleteLimit: Equatable, Sendable {
  /// The larger of 100 and 20 % of the live records.
  case usual
  case count(Int)
  case percent(Int)
  case off

  /// `live` is how many records there were before.
  package func allows(_ deletions: Int, of live: Int) -> Bool {
    switch self {
    case .usual: deletions <= max(100, live / 5)
    case .count(let count): deletions <= count
    case .percent(let percent): deletions * 100 <= live * percent
    case .off: true
    }
  }
}
