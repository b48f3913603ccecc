import JSONLines
import StoreFiles
import SyncCore

/// Up to when the records of an entity have been dropped for their age, so that they are not taken in again.
struct Prunes {
  /// By the beginning of the entity's canonical keys.
  private var limits: [(opening: [UInt8], before: Instant)] = []

  mutating func add(_ entity: String, before: Instant) {
    limits.append((Self.opening(of: entity), before))
  }

  var isEmpty: Bool { limits.isEmpty }

  func refuse(_ key: Span<UInt8>, _ clock: Instant?) -> Bool {
    guard let clock else { return false }
    return limits.contains { limit in
      let opening = limit.opening
      return clock < limit.before && key.count > opening.count
        && ByteSearch.isEqual(key, 0..<opening.count, opening.span, 0..<opening.count)
    }
  }

  /// What is after all keys that begin with `opening`, which ends with a comma.
  static func end(of opening: [UInt8]) -> [UInt8] { opening.dropLast() + [UInt8(ascii: ",") + 1] }

  /// `["Task",`: what all keys of an entity begin with.
  static func opening(of entity: String) -> [UInt8] {
    var opening = [UInt8(ascii: "[")]
    JSONString.appendQuoted(entity, to: &opening)
    opening.append(UInt8(ascii: ","))
    return opening
  }
}

extension ChangeStore {
  func prunes() throws(StoreError) -> Prunes {
    var prunes = Prunes()
    let rows = try database.statement("SELECT entity, before FROM prunes")
    while try rows.step() {
      if let before = Instant(rows.text(1)) { prunes.add(rows.text(0), before: before) }
    }
    return prunes
  }
}
