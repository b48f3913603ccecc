import JSONLines

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
