import JSONLines
package import SyncCore

/// Reads the records of a household from lines that have been validated and merged.
package struct ChoreReader: Sendable {
  private var line = ChoreMembers()
  private var fields = ChoreMembers()
  /// Where `fields` begins in the line.
  private var start = 0

  package init() {}

  /// What a line says; nil where its entity has no part in turns.
  ///
  /// `key` is its canonical key, `change` what a `LineReader` made of it; `lines` reads such lines.
  package mutating func read(
    _ text: Span<UInt8>, _ change: ChangeLine, key: [UInt8], _ lines: inout ChangeReader
  ) throws(ChoreError) -> ChoreRecord? {
    guard change.kind != .checkpoint,
      let (entity, opening) = ChoreEntity.openings.first(where: { key.starts(with: $0.bytes) })
    else { return nil }
    let (id, _) = try Self.id(key.span, opening.count)
    if change.isTombstone { return .tombstone(entity, id) }
    start = 0
    line.clear()
    fields.clear()
    // The line has been validated, so neither can fail.
    _ = try? JSONScanner.scan(text, from: 0, into: &line)
    if change.kind == .change, let range = try line.value(.fields, in: text) {
      start = range.lowerBound
      if text[start] == UInt8(ascii: "{") {
        _ = try? JSONScanner.scan(text.extracting(range), from: 0, into: &fields)
      }
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
  private static func id(_ key: Span<UInt8>, _ start: Int) throws(ChoreError) -> (RecordID, [UInt8]) {
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

  /// The id as the line has it, to be written elsewhere; in the key, a UUID is in lower case.
  private static func spelling(
    _ text: Span<UInt8>, _ start: Int, _ lines: inout ChangeReader
  ) throws(ChoreError) -> [UInt8] {
    try id(lines.ownKey(of: text).span, start).1
  }

  // MARK: Values

  /// The raw value of a member, in the fields or else in the line; nil where it is absent or null.
  func raw(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> Range<Int>? {
    if start > 0, let range = try fields.value(member, in: text.extracting(start...)) {
      return range.lowerBound + start..<range.upperBound + start
    }
    return try line.value(member, in: text)
  }

  func required<Value>(_ value: Value?, _ member: ChoreMember) throws(ChoreError) -> Value {
    guard let value else { throw .missingMember(member.name) }
    return value
  }

  func decoded(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> [UInt8]? {
    guard let range = try raw(member, text) else { return nil }
    guard text.isString(range) else { throw .wrongType(member.name, expected: "a string") }
    var bytes: [UInt8] = []
    JSONString.appendDecoded(text, range.lowerBound + 1..<range.upperBound - 1, to: &bytes)
    return bytes
  }

  func string(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> String? {
    try decoded(member, text).map { String(decoding: $0, as: UTF8.self) }
  }

  func id(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> RecordID? {
    try decoded(member, text).map { RecordID($0) }
  }

  func requiredID(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> RecordID {
    try required(try id(member, text), member)
  }

  /// A moment, as a clock with an offset or as a number.
  func instant(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> Instant? {
    guard let range = try raw(member, text) else { return nil }
    guard let instant = Clock.rfc3339Instant(text, range) else { throw .invalidDate(member.name) }
    return instant
  }

  /// A date without a time.
  func day(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> Int? {
    guard let decoded = try decoded(member, text) else { return nil }
    guard let day = CivilText.day(decoded.span) else { throw .invalidDate(member.name) }
    return day
  }

  func value(_ member: ChoreMember, _ text: Span<UInt8>) throws(ChoreError) -> JSONValue? {
    guard let range = try raw(member, text) else { return nil }
    return try? JSONValue(parsing: text.extracting(range))
  }
}

/// The members of records that turns depend on.
enum ChoreMember: Int, CaseIterable {
  case displayName, accentColorHex, createdAt
  case title, cadenceUnitRaw, cadenceValue, startDate, isActive, timeZone, assignment, participantIDs, skip
  case leadTimeHours, quietHours
  case templateID, dueDate, statusRaw, status, assignedMemberID
  case occurrenceID, memberID, timestamp
  case firstDay, lastDay
  case before, turns, lastMemberID, overridesAt
  case fields

  var name: String { "\(self)" }

  static let names = allCases.map { Array($0.name.utf8) }
}

/// Where those members stand in one object; the first of a name, and which stand again.
struct ChoreMembers: MemberSink {
  private var places = [Range<Int>?](repeating: nil, count: ChoreMember.names.count)
  private var repeated: Set<Int> = []

  mutating func clear() {
    for index in places.indices { places[index] = nil }
    if !repeated.isEmpty { repeated = [] }
  }

  mutating func member(in text: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    let names = ChoreMember.names
    for index in names.indices where JSONString.isEqual(text, name, to: names[index]) {
      if places[index] == nil { places[index] = value } else { repeated.insert(index) }
      return
    }
  }

  /// The raw value; nil where it is absent or null.
  func value(_ member: ChoreMember, in text: Span<UInt8>) throws(ChoreError) -> Range<Int>? {
    if !repeated.isEmpty, repeated.contains(member.rawValue) { throw .duplicateMember(member.name) }
    guard let range = places[member.rawValue], !text.isNull(range) else { return nil }
    return range
  }
}
