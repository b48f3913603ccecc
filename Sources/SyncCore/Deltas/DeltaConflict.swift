/// Why a line of a delta does not fit the base that it is applied to.
package enum DeltaConflict: Equatable, Sendable {
  /// It deletes what the base does not have.
  case deleteOfAbsent
  /// The base has a later version.
  case newerInBase

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .deleteOfAbsent: "deletes what the base does not have"
    case .newerInBase: "is older than what the base has"
    }
  }
}

extension Delta {
  /// What a strict application finds wrong with one line; nil where it fits.
  package static func conflict(of change: ChangeSet.Entry, with base: ChangeSet.Entry?) -> DeltaConflict? {
    guard let base, !base.line.isTombstone else { return change.line.isTombstone ? .deleteOfAbsent : nil }
    guard let baseClock = base.line.clock else { return nil }
    guard let clock = change.line.clock else { return .newerInBase }
    return clock < baseClock ? .newerInBase : nil
  }
}
