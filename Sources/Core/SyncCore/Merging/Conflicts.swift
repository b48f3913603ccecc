import JSONLines

/// Keys of append-only entities under which two different records have met, one of which is lost.
package struct Conflicts: Equatable, Sendable {
  /// How many keys are kept; the others are only counted, since a peer may send any number of them.
  private static let limit = 16

  /// How often two such records have met.
  package private(set) var count = 0
  /// The first of the keys, canonical.
  package private(set) var keys: [[UInt8]] = []

  package init() {}

  package mutating func add(_ key: Span<UInt8>) {
    count += 1
    guard keys.count < Self.limit else { return }
    var bytes: [UInt8] = []
    bytes.append(key)
    keys.append(bytes)
  }

  package mutating func add(_ other: Conflicts) {
    count += other.count
    keys += other.keys.prefix(Self.limit - keys.count)
  }
}
