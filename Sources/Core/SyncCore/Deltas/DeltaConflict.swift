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
  /// What a strict application finds wrong with a delta's line of a key; nil where it fits.
  package static func conflict(_ lines: KeyLines, _ reader: inout ChangeReader) -> DeltaConflict? {
    guard let change = lines.last(of: 1) else { return nil }
    guard let live = liveLine(lines) else { return lines[change].isTombstone ? .deleteOfAbsent : nil }
    guard let liveClock = reader.change(lines.text(live)).clock else { return nil }
    guard let clock = reader.change(lines.text(change)).clock else { return .newerInBase }
    return clock < liveClock ? .newerInBase : nil
  }
}
