/// The names that may stand at one level of a delta.
struct WireNameSet: ExpressibleByArrayLiteral {
  private(set) var bits: UInt32 = 0

  init(arrayLiteral names: WireName...) {
    for name in names { insert(name) }
  }

  mutating func insert(_ name: WireName) { bits |= 1 << UInt32(name.rawValue) }

  func contains(_ name: WireName) -> Bool { bits & 1 << UInt32(name.rawValue) != 0 }

  /// The first name in both sets.
  func common(with other: WireNameSet) -> WireName? {
    let common = bits & other.bits
    return common == 0 ? nil : WireName(rawValue: common.trailingZeroBitCount)
  }

  /// How many names are in this set only.
  func count(without other: WireNameSet) -> Int { (bits & ~other.bits).nonzeroBitCount }

  /// The first name that is in this set only.
  func first(without other: WireNameSet) -> WireName? {
    let rest = bits & ~other.bits
    return rest == 0 ? nil : WireName(rawValue: rest.trailingZeroBitCount)
  }
}

extension WireNameSet {
  static let message: WireNameSet = [.type, .protocolVersion, .delta]
  static let delta: WireNameSet = [.upserts, .deletes, .newTokenData]
  static let upsert: WireNameSet = [.entityName, .identity, .fields, .modifiedAt, .version]
  static let delete: WireNameSet = [.entityName, .identity, .deletedAt]
  static let identity: WireNameSet = [.key, .value]

  /// The members of a value.
  static func value(_ tag: WireTag) -> WireNameSet {
    var names: WireNameSet = [.type]
    if let member = tag.member { names.insert(member) }
    return names
  }
}
