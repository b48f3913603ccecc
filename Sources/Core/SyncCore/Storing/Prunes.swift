import JSONLines

/// Up to when the records of an entity have been dropped for their age, so that they are not taken in again.
package struct Prunes: Sendable {
  /// By the beginning of the entity's canonical keys.
  private var limits: [(opening: [UInt8], before: Instant)] = []

  package init() {}

  package mutating func add(_ entity: String, before: Instant) {
    limits.append((Self.opening(of: entity), before))
  }

  package var isEmpty: Bool { limits.isEmpty }

  /// Whether a change is too old to be stored.
  ///
  /// A deletion never is: who has not pruned has the record still, and may hear of it through this store only.
  package func refuse(_ key: Span<UInt8>, _ change: ChangeLine) -> Bool {
    guard !change.isTombstone, let clock = change.clock else { return false }
    return limits.contains { limit in
      let opening = limit.opening
      return clock < limit.before && key.count > opening.count
        && ByteSearch.isEqual(key, 0..<opening.count, opening.span, 0..<opening.count)
    }
  }

  /// What is after all keys that begin with `opening`, which ends with a comma.
  package static func end(of opening: [UInt8]) -> [UInt8] { opening.dropLast() + [UInt8(ascii: ",") + 1] }

  /// `["Task",`: what all keys of an entity begin with.
  package static func opening(of entity: String) -> [UInt8] {
    var opening = [UInt8(ascii: "[")]
    JSONString.appendQuoted(entity, to: &opening)
    opening.append(UInt8(ascii: ","))
    return opening
  }
}
