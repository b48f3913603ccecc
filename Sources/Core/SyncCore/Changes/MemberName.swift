import JSONLines

/// The known member names of a change line or a plain record.
package enum MemberName: Int, CaseIterable, LineMemberName {
  case identity, entityName, entity, id, deletedAt, modifiedAt, modified_at, updatedAt, updated_at, timestamp,
    version, fields, newTokenData, delta

  /// The possible clocks of a line other than a tombstone; the first that is present and not null is used.
  package static let liveClocks: [MemberName] = [
    .modifiedAt, .modified_at, .updatedAt, .updated_at, .timestamp,
  ]
  package static let clocks: [MemberName] = [.deletedAt] + liveClocks

  /// The member that the raw name decodes to; nil for an unknown name.
  package init?(_ text: Span<UInt8>, _ raw: Range<Int>) {
    guard let name = Self.plain(text, raw) ?? Self.escaped(text, raw) else { return nil }
    self = name
  }

  /// The member that a name with escapes decodes to.
  ///
  /// The name is compared in place: a decoded copy may contain a backslash, which must not be decoded again.
  private static func escaped(_ text: Span<UInt8>, _ raw: Range<Int>) -> MemberName? {
    // Most members of a line are unknown, and few names contain an escape.
    guard ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: text, raw) != nil else { return nil }
    return allCases.first { JSONString.isEqual(text, raw, to: $0.spelling) }
  }

  /// The member with this name, found by its length first; known names do not contain a backslash.
  private static func plain(_ text: Span<UInt8>, _ raw: Range<Int>) -> MemberName? {
    func among(_ name: MemberName) -> MemberName? {
      JSONString.isEqual(text, raw, to: name.spelling) ? name : nil
    }
    return switch raw.count {
    case 2: among(.id)
    case 5: among(.delta)
    case 6: among(.fields) ?? among(.entity)
    case 7: among(.version)
    case 8: among(.identity)
    case 9: among(.updatedAt) ?? among(.deletedAt) ?? among(.timestamp)
    case 10: among(.modifiedAt) ?? among(.entityName) ?? among(.updated_at)
    case 11: among(.modified_at)
    case 12: among(.newTokenData)
    default: nil
    }
  }

  package var spelling: StaticString {
    switch self {
    case .identity: "identity"
    case .entityName: "entityName"
    case .entity: "entity"
    case .id: "id"
    case .deletedAt: "deletedAt"
    case .modifiedAt: "modifiedAt"
    case .modified_at: "modified_at"
    case .updatedAt: "updatedAt"
    case .updated_at: "updated_at"
    case .timestamp: "timestamp"
    case .version: "version"
    case .fields: "fields"
    case .newTokenData: "newTokenData"
    case .delta: "delta"
    }
  }
}
