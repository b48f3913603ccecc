package import JSONLines
package import SyncCore

/// Reads the records of a household from lines that have been validated and merged.
package struct ChoreReader: Sendable {
  private var line = ChoreMembers()
  private var fields = ChoreMembers()

  package init() {}

  /// Parses a line; nil if its entity does not affect turns.
  ///
  /// `key` is the canonical key of the line, and `change` is the result of a `LineReader`.
  package mutating func read(
    _ text: Span<UInt8>, _ change: ChangeLine, key: [UInt8], _ lines: inout ChangeReader
  ) throws(MemberError) -> ChoreRecord? {
    guard change.kind != .checkpoint,
      let (entity, opening) = ChoreEntity.openings.first(where: { key.starts(with: $0.bytes) })
    else { return nil }
    let (id, _) = try Self.id(key.span, opening.count)
    if change.isTombstone { return .tombstone(entity, id) }
    line.read(text, text.onlyValue)
    fields.clear()
    if change.kind == .change, let range = try line.find(.fields, in: text), text.isObject(range) {
      fields.read(text, range)
    }
    return switch entity {
    case .member: .member(try member(text, id, try Self.spelling(text, opening.count, &lines)))
    case .template: .template(try template(text, id, try Self.spelling(text, opening.count, &lines)))
    case .occurrence: .occurrence(try occurrence(text, id))
    case .completion:
      .completion(
        Completion(
          id: id, occurrence: try requiredID(.occurrenceID, text), member: try requiredID(.memberID, text),
          time: try required(try instant(.timestamp, text) ?? change.clock, .timestamp)))
    case .override:
      .override(
        Override(
          id: id, occurrence: try requiredID(.occurrenceID, text), member: try requiredID(.memberID, text)))
    case .absence: .absence(try absence(text, id))
    case .summary: .summary(try summary(text, id))
    }
  }

  /// The id in a canonical key, which must be the only member of the identity, and a string.
  private static func id(_ key: Span<UInt8>, _ start: Int) throws(MemberError) -> (RecordID, [UInt8]) {
    var cursor = ContainerCursor(opening: start)
    if cursor.hasNext(in: key) {
      _ = cursor.readName(in: key)
      let value = cursor.passValue(in: key)
      if !cursor.hasNext(in: key), key.isString(value) {
        var (decoded, spelling): ([UInt8], [UInt8]) = ([], [])
        JSONString.appendDecoded(key, value.lowerBound + 1..<value.upperBound - 1, to: &decoded)
        spelling.append(key.extracting(value))
        return (RecordID(decoded), spelling)
      }
    }
    throw .wrongType("id", expected: "a string")
  }

  /// The id as the line spells it, for other lines; the key has UUIDs in lower case.
  private static func spelling(
    _ text: Span<UInt8>, _ start: Int, _ lines: inout ChangeReader
  ) throws(MemberError) -> [UInt8] {
    try id(lines.ownKey(of: text).span, start).1
  }

  // MARK: Values

  /// The raw value of a member, from the fields or else from the line; nil if it is absent or null.
  func raw(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> Range<Int>? {
    if let range = try fields.find(member, in: text) { return range }
    return try line.find(member, in: text)
  }

  func required<Value>(_ value: Value?, _ member: ChoreMember) throws(MemberError) -> Value {
    guard let value else { throw MemberError(.wrong("missing", .missingMember), at: [member.name]) }
    return value
  }

  func decoded(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> [UInt8]? {
    guard let range = try raw(member, text) else { return nil }
    guard text.isString(range) else { throw .wrongType(member.name, expected: "a string") }
    var bytes: [UInt8] = []
    JSONString.appendDecoded(text, range.lowerBound + 1..<range.upperBound - 1, to: &bytes)
    return bytes
  }

  func string(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> String? {
    try decoded(member, text).map { String(decoding: $0, as: UTF8.self) }
  }

  func id(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> RecordID? {
    try decoded(member, text).map { RecordID($0) }
  }

  func requiredID(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> RecordID {
    try required(try id(member, text), member)
  }

  /// An instant, given as a clock with an offset or as a number.
  func instant(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> Instant? {
    guard let range = try raw(member, text) else { return nil }
    guard let instant = Clock.rfc3339Instant(text, range) else { throw .invalidDate(member) }
    return instant
  }

  /// A date without a time.
  func day(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> Int? {
    guard let decoded = try decoded(member, text) else { return nil }
    guard let day = CivilText.day(decoded.span) else { throw .invalidDate(member) }
    return day
  }

  func value(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> JSONValue? {
    guard let range = try raw(member, text) else { return nil }
    return try? JSONValue(parsing: text.extracting(range))
  }
}

/// The members of records that affect turns.
enum ChoreMember: Int, CaseIterable, PlacedName {
  case displayName, accentColorHex, createdAt
  case title, cadenceUnitRaw, cadenceValue, startDate, isActive, timeZone, assignment, participantIDs, skip
  case leadTimeHours, quietHours
  case templateID, dueDate, statusRaw, status, assignedMemberID
  case occurrenceID, memberID, timestamp
  case firstDay, lastDay
  case before, turns, lastMemberID, overridesAt
  case fields

  static let spellings = PlacedSpellings(allCases.map { "\($0)" })
}

/// The places of each `ChoreMember` in one object.
typealias ChoreMembers = PlacedMembers<ChoreMember, MemberError>

extension MemberError {
  static func invalidDate(_ member: ChoreMember) -> MemberError {
    MemberError(.wrong("not a valid date", .invalidDate), at: [member.name])
  }

  static func outOfRange(_ member: ChoreMember) -> MemberError {
    let flaw = "out of range, or not a whole number where one is required"
    return MemberError(.wrong(flaw, .numberOutOfRange), at: [member.name])
  }
}
