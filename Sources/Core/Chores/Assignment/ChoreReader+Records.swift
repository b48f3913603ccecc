import JSONLines

extension ChoreReader {
  func member(_ text: Span<UInt8>, _ id: RecordID, _ spelling: [UInt8]) throws(MemberError) -> Member {
    Member(
      id: id, spelling: spelling, name: try string(.displayName, text),
      color: try string(.accentColorHex, text), joined: try instant(.createdAt, text),
      zoneName: try string(.timeZone, text), quietHours: try quietHours(text))
  }

  func template(_ text: Span<UInt8>, _ id: RecordID, _ spelling: [UInt8]) throws(MemberError) -> Template {
    var anchor = try instant(.startDate, text)
    if anchor == nil { anchor = try instant(.createdAt, text) }
    var template = Template(
      id: id, spelling: spelling, title: try string(.title, text), anchor: try required(anchor, .startDate))
    template.unit = try string(.cadenceUnitRaw, text) ?? "weeks"
    template.value = try required(try wholeNumber(.cadenceValue, text), .cadenceValue)
    template.isActive = try bool(.isActive, text) ?? true
    template.zoneName = try string(.timeZone, text)
    template.rule = try choice(.assignment, text) ?? .alternate
    template.participants = try ids(.participantIDs, text)
    template.skip = try choice(.skip, text) ?? .keep
    template.leadTime = try leadTime(text) ?? template.leadTime
    return template
  }

  func occurrence(_ text: Span<UInt8>, _ id: RecordID) throws(MemberError) -> Occurrence {
    var word = try string(.statusRaw, text)
    if word == nil { word = try string(.status, text) }
    let status: Occurrence.Status =
      switch word {
      case "completed": .completed
      case "skipped": .skipped
      default: .pending
      }
    return Occurrence(
      id: id, template: try requiredID(.templateID, text),
      due: try required(try instant(.dueDate, text), .dueDate), status: status,
      assigned: try self.id(.assignedMemberID, text))
  }

  func absence(_ text: Span<UInt8>, _ id: RecordID) throws(MemberError) -> Absence {
    let first = try day(.firstDay, text) ?? Int.min
    let last = try day(.lastDay, text) ?? Int.max
    guard first <= last else {
      throw MemberError(.wrong("before 'firstDay'", .invalidDate), at: [ChoreMember.lastDay.name])
    }
    return Absence(
      id: id, member: try requiredID(.memberID, text), days: first...last,
      template: try self.id(.templateID, text))
  }

  func summary(_ text: Span<UInt8>, _ id: RecordID) throws(MemberError) -> TurnSummary {
    guard let list = try required(try value(.turns, text), .turns).arrayValue else {
      throw .wrongType("turns", expected: "an array")
    }
    var entries: [TurnSummary.Entry] = []
    for value in list { entries.append(try Self.entry(value)) }
    return TurnSummary(
      id: id, template: try requiredID(.templateID, text),
      before: try required(try day(.before, text), .before),
      entries: entries, last: try self.id(.lastMemberID, text),
      overridesClock: try instant(.overridesAt, text))
  }

  /// A limit far above any real number of turns; the sum of two such numbers cannot overflow.
  private static let mostTurns = 1 << 40

  private static func entry(_ value: JSONValue) throws(MemberError) -> TurnSummary.Entry {
    guard let member = value["memberID"]?.stringValue, let isPresent = value["present"]?.boolValue else {
      throw .wrongType("turns", expected: "an array of objects with memberID, turns, level and present")
    }
    guard let turns = value["turns"]?.intValue, let level = value["level"]?.intValue,
      (0...mostTurns).contains(turns), (0...mostTurns).contains(level)
    else { throw .outOfRange(.turns) }
    return TurnSummary.Entry(member: RecordID(member), turns: turns, level: level, isPresent: isPresent)
  }

  private func wholeNumber(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> Int? {
    guard let value = try value(member, text) else { return nil }
    guard case .number = value else { throw .wrongType(member.name, expected: "a number") }
    guard let number = value.intValue else { throw .outOfRange(member) }
    return number
  }

  private func quietHours(_ text: Span<UInt8>) throws(MemberError) -> QuietHours? {
    guard let value = try string(.quietHours, text) else { return nil }
    guard let hours = QuietHours(value) else {
      throw .wrongType(ChoreMember.quietHours.name, expected: QuietHours.expectation)
    }
    return hours
  }

  /// Reads a number of hours, at most a year; it may have a fraction.
  private func leadTime(_ text: Span<UInt8>) throws(MemberError) -> Duration? {
    guard let value = try value(.leadTimeHours, text) else { return nil }
    guard case .number(let number) = value else {
      throw .wrongType(ChoreMember.leadTimeHours.name, expected: "a number")
    }
    guard let hours = Double(number), (0...8_784).contains(hours) else {
      throw .outOfRange(.leadTimeHours)
    }
    // `rounded()` would need libm, which an app that links this library may lack.
    return .seconds(Int64(hours * 3_600 + 0.5))
  }

  private func bool(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> Bool? {
    guard let value = try value(member, text) else { return nil }
    guard let bool = value.boolValue else { throw .wrongType(member.name, expected: "true or false") }
    return bool
  }

  private func ids(_ member: ChoreMember, _ text: Span<UInt8>) throws(MemberError) -> [RecordID]? {
    guard let value = try value(member, text) else { return nil }
    let strings = value.arrayValue?.compactMap(\.stringValue)
    guard let strings, strings.count == value.arrayValue?.count else {
      throw .wrongType(member.name, expected: "an array of ids")
    }
    return strings.map { RecordID($0) }
  }

  private func choice<Choice: RawRepresentable & CaseIterable>(
    _ member: ChoreMember, _ text: Span<UInt8>
  ) throws(MemberError) -> Choice? where Choice.RawValue == String {
    guard let value = try string(member, text) else { return nil }
    guard let choice = Choice(rawValue: value) else {
      let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw MemberError(.wrong("'\(value)', not one of \(allowed)", .unknownValue), at: [member.name])
    }
    return choice
  }
}
