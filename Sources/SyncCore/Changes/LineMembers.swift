import JSONLines

/// The names that have a meaning in a change line or a plain record.
enum MemberName: Int, CaseIterable {
  case identity, entityName, entity, id, deletedAt, modifiedAt, updatedAt, timestamp, version, fields,
    newTokenData

  /// The member of this decoded name, told by its length first: most members of a line are none of these.
  init?(_ text: Span<UInt8>, _ raw: Range<Int>) {
    guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, raw) != nil else {
      self.init(plain: text, raw)
      return
    }
    var decoded: [UInt8] = []
    JSONString.appendDecoded(text, raw, to: &decoded)
    guard !decoded.contains(UInt8(ascii: "\\")) else { return nil }
    self.init(plain: decoded.span, 0..<decoded.count)
  }

  private init?(plain text: Span<UInt8>, _ raw: Range<Int>) {
    switch raw.count {
    case 2: self.init(text, raw, among: .id)
    case 6: self.init(text, raw, among: .fields, .entity)
    case 7: self.init(text, raw, among: .version)
    case 8: self.init(text, raw, among: .identity)
    case 9: self.init(text, raw, among: .updatedAt, .deletedAt, .timestamp)
    case 10: self.init(text, raw, among: .modifiedAt, .entityName)
    case 12: self.init(text, raw, among: .newTokenData)
    default: return nil
    }
  }

  private init?(_ text: Span<UInt8>, _ raw: Range<Int>, among names: MemberName...) {
    guard let name = names.first(where: { JSONString.isEqual(text, raw, to: $0.spelling) }) else {
      return nil
    }
    self = name
  }

  var spelling: StaticString {
    switch self {
    case .identity: "identity"
    case .entityName: "entityName"
    case .entity: "entity"
    case .id: "id"
    case .deletedAt: "deletedAt"
    case .modifiedAt: "modifiedAt"
    case .updatedAt: "updatedAt"
    case .timestamp: "timestamp"
    case .version: "version"
    case .fields: "fields"
    case .newTokenData: "newTokenData"
    }
  }
}

/// Where the members with a meaning stand in one object.
struct LineMembers: MemberSink {
  private var values = [Range<Int>](repeating: 0..<0, count: MemberName.allCases.count)
  private var repeated: UInt16 = 0

  mutating func clear() {
    for index in values.indices { values[index] = 0..<0 }
    repeated = 0
  }

  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    guard let known = MemberName(text, name) else { return }
    if values[known.rawValue].isEmpty {
      values[known.rawValue] = value
    } else {
      repeated |= 1 << UInt16(known.rawValue)
    }
  }

  func has(_ name: MemberName) -> Bool { !values[name.rawValue].isEmpty }

  /// The raw value; nil where the member is absent.
  subscript(_ name: MemberName) -> Range<Int>? {
    let value = values[name.rawValue]
    return value.isEmpty ? nil : value
  }

  /// A member that is read must not stand twice: two readers might disagree about it.
  func requireSingle(_ names: MemberName...) throws(ChangeError) {
    for name in names where repeated & 1 << UInt16(name.rawValue) != 0 {
      throw .duplicateMember(name.spelling.description)
    }
  }
}
