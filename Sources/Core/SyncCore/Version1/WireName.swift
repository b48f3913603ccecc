import JSONLines

/// The member names of a v1 delta and of the message around it.
enum WireName: Int, CaseIterable {
  case type, protocolVersion, delta
  case upserts, deletes, newTokenData
  case entityName, identity, fields, modifiedAt, version, deletedAt
  case key, value
  case stringValue, int16Value, int32Value, int64Value, doubleValue, boolValue, dateValue

  /// The name that the raw string decodes to.
  init?(_ text: Span<UInt8>, _ raw: Range<Int>) {
    guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, raw) != nil else {
      self.init(plain: text, raw)
      return
    }
    // The name is compared in place: a decoded copy may contain a backslash, which must not be decoded again.
    guard let name = Self.allCases.first(where: { JSONString.isEqual(text, raw, to: $0.spelling) }) else {
      return nil
    }
    self = name
  }

  /// Finds the name by its length first, so that few comparisons are needed.
  private init?(plain text: Span<UInt8>, _ raw: Range<Int>) {
    switch raw.count {
    case 3: self.init(text, raw, among: .key)
    case 4: self.init(text, raw, among: .type)
    case 5: self.init(text, raw, among: .value, .delta)
    case 6: self.init(text, raw, among: .fields)
    case 7: self.init(text, raw, among: .version, .upserts, .deletes)
    case 8: self.init(text, raw, among: .identity)
    case 9: self.init(text, raw, among: .deletedAt, .dateValue, .boolValue)
    case 10: self.init(text, raw, among: .entityName, .modifiedAt, .int16Value, .int32Value, .int64Value)
    case 11: self.init(text, raw, among: .stringValue, .doubleValue)
    case 12: self.init(text, raw, among: .newTokenData)
    case 15: self.init(text, raw, among: .protocolVersion)
    default: return nil
    }
  }

  private init?(_ text: Span<UInt8>, _ raw: Range<Int>, among names: WireName...) {
    guard let name = names.first(where: { JSONString.isEqual(text, raw, to: $0.spelling) }) else {
      return nil
    }
    self = name
  }

  var spelling: StaticString {
    switch self {
    case .type: "type"
    case .protocolVersion: "protocolVersion"
    case .delta: "delta"
    case .upserts: "upserts"
    case .deletes: "deletes"
    case .newTokenData: "newTokenData"
    case .entityName: "entityName"
    case .identity: "identity"
    case .fields: "fields"
    case .modifiedAt: "modifiedAt"
    case .version: "version"
    case .deletedAt: "deletedAt"
    case .key: "key"
    case .value: "value"
    case .stringValue: "stringValue"
    case .int16Value: "int16Value"
    case .int32Value: "int32Value"
    case .int64Value: "int64Value"
    case .doubleValue: "doubleValue"
    case .boolValue: "boolValue"
    case .dateValue: "dateValue"
    }
  }
}

/// The names that may appear at one level of a delta.
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
