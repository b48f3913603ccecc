import JSONLines

/// The times before which the records of an entity were dropped because of their age, so that they are not
/// accepted again.
package struct Prunes: Sendable {
  /// The limits by the beginning of each entity's canonical keys.
  private var limits: [(opening: [UInt8], before: Instant)] = []

  package init() {}

  package mutating func add(_ entity: String, before: Instant) {
    limits.append((Self.opening(of: entity), before))
  }

  package var isEmpty: Bool { limits.isEmpty }

  /// Whether a change is too old to be stored.
  ///
  /// A deletion is never too old: a device that has not pruned still has the record, and may receive the
  /// deletion only through this store.
  package func refuse(_ key: Span<UInt8>, _ change: ChangeLine) -> Bool {
    guard !change.isTombstone, let clock = change.clock else { return false }
    return limits.contains { limit in
      let opening = limit.opening
      return clock < limit.before && key.count > opening.count
        && ByteSearch.isEqual(key, 0..<opening.count, opening.span, 0..<opening.count)
    }
  }

  /// The bound above all keys that begin with `opening`, which ends with a comma.
  package static func end(of opening: [UInt8]) -> [UInt8] { opening.dropLast() + [UInt8(ascii: ",") + 1] }

  /// `["Task",`: the beginning of all keys of an entity.
  package static func opening(of entity: String) -> [UInt8] {
    var opening = [UInt8(ascii: "[")]
    JSONString.appendQuoted(entity, to: &opening)
    opening.append(UInt8(ascii: ","))
    return opening
  }
}

/// The canonical keys of one entity, or of all entities.
package struct KeyRange: Sendable {
  /// The beginning of each key; empty for all keys.
  package let opening: [UInt8]
  /// The upper bound of the keys, not included.
  package let end: [UInt8]

  /// The keys of an entity; nil means all entities.
  package init(of entity: String?) {
    opening = entity.map(Prunes.opening) ?? []
    // A key is a text in brackets.
    end = opening.isEmpty ? [UInt8(ascii: "]")] : Prunes.end(of: opening)
  }

  package func contains(_ key: Span<UInt8>) -> Bool {
    key.count > opening.count && ByteSearch.isEqual(key, 0..<opening.count, opening.span, 0..<opening.count)
  }
}

/// How many live records one run may delete before this counts as a mistake.
public enum DeleteLimit: Equatable, Sendable {
  /// The larger of 100 and 20 % of the live records.
  case `default`
  case count(Int)
  case percent(Int)
  case off

  /// Whether a run may delete this many records; `live` is the number of live records before the run.
  public func allows(_ deletions: Int, of live: Int) -> Bool {
    switch self {
    case .default: deletions <= max(100, live / 5)
    case .count(let count): deletions <= count
    case .percent(let percent): deletions * 100 <= live * percent
    case .off: true
    }
  }
}
