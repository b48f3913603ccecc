import JSONLines

/// Reads lines as changes: kind, key and clock.
package struct LineReader: Sendable {
  private let shape: RecordShape
  private(set) var members = LineMembers()
  private var fields = LineMembers()
  /// The line without the white space around it.
  private(set) var object = 0..<0
  private(set) var entity = Profile.Entity()

  package init(_ shape: RecordShape) { self.shape = shape }

  /// Validates one line, and appends its canonical key to `key` unless it is a checkpoint.
  ///
  /// Keys are ordered by their bytes.
  package mutating func read(_ line: Span<UInt8>, key: inout [UInt8]) throws(ChangeError) -> ChangeLine {
    let kind = try scan(line)
    switch kind {
    case .checkpoint: return ChangeLine(kind: .checkpoint)
    case .change:
      try changeKey(line).appendCanonical(line, else: shape.entityName, to: &key)
      var change = try readChange(line)
      try readFacts(line, members[.fields], into: &change)
      return change
    case .record:
      try recordKey(line).appendCanonical(line, else: shape.entityName, to: &key)
      var change = try readRecord(line)
      try readFacts(line, object, into: &change)
      return change
    }
  }

  /// Appends `"entityName":…,"identity":…` of a line that has been read before, spelled as in the line.
  package mutating func appendKeyMembers(of line: Span<UInt8>, to bytes: inout [UInt8]) throws(ChangeError) {
    let key = try scan(line) == .change ? changeKey(line) : recordKey(line)
    key.appendMembers(line, else: shape.entityName, to: &bytes)
  }

  /// Validates the line, remembers where its members are, and tells its kind.
  private mutating func scan(_ line: Span<UInt8>) throws(ChangeError) -> ChangeLine.Kind {
    members.clear()
    do throws(JSONError) {
      try JSONScanner.validate(line, into: &members)
    } catch {
      throw .json(error)
    }
    object = line.onlyValue
    guard line[object.lowerBound] == UInt8(ascii: "{") else { throw .notAnObject }
    if members.has(.identity) { return .change }
    guard let token = try member(.newTokenData), line.isString(token), try !hasRecordKey(line) else {
      return .record
    }
    return .checkpoint
  }

  /// Anything at all of what makes the key of a plain record.
  private func hasRecordKey(_ line: Span<UInt8>) throws(ChangeError) -> Bool {
    if shape.keys.isEmpty { return members.has(.id) }
    for pointer in shape.keys where try value(pointer, line) != nil { return true }
    return false
  }

  // MARK: Change lines

  private mutating func changeKey(_ line: Span<UInt8>) throws(ChangeError) -> Key {
    try members.requireSingle(.identity, .entityName)
    guard let name = members[.entityName], line.isString(name) else {
      throw .noKey("'entityName' is missing or no string")
    }
    guard let identity = members[.identity], line[identity.lowerBound] == UInt8(ascii: "{") else {
      throw .noKey("'identity' is no object")
    }
    try requireUniqueNames(line, identity)
    enter(line, name)
    return Key(entityName: name, identity: .object(identity))
  }

  private mutating func readChange(_ line: Span<UInt8>) throws(ChangeError) -> ChangeLine {
    try members.requireSingle(.deletedAt, .modifiedAt, .updatedAt, .timestamp, .version)
    var change = ChangeLine(kind: .change)
    if let version = members[.version], !line.isNull(version) {
      guard line.isNumber(version) else { throw .invalidVersion }
      change.version = version
    }
    if try !members.readClock(line, into: &change), let range = members[.fields] {
      try readFieldsClock(line.extracting(range), into: &change)
    }
    return change
  }

  /// A change line without a clock of its own takes that of its fields.
  private mutating func readFieldsClock(
    _ text: Span<UInt8>, into change: inout ChangeLine
  ) throws(ChangeError) {
    try members.requireSingle(.fields)
    fields.clear()
    // The text is part of a line that has been validated, so this cannot fail.
    _ = try? JSONScanner.scan(text, from: 0, into: &fields)
    try fields.requireSingle(.deletedAt, .modifiedAt, .updatedAt, .timestamp)
    _ = try fields.readClock(text, into: &change)
  }

  // MARK: Plain records

  private mutating func recordKey(_ line: Span<UInt8>) throws(ChangeError) -> Key {
    let pointer = shape.profile.entity ?? shape.entity
    let found = if let pointer { try value(pointer, line) } else { try member(.entity) }
    let name = found.flatMap { line.isNull($0) ? nil : $0 }
    if let name, !line.isString(name) { throw .noKey("the entity is no string") }
    enter(line, name)
    var parts: [(name: String, value: Range<Int>)] = []
    for pointer in entity.keys {
      guard let part = try value(pointer, line), !line.isNull(part) else {
        throw .noKey("nothing at '\(pointer.text)'")
      }
      parts.append((pointer.tokens.last ?? "", part))
    }
    if parts.isEmpty {
      guard let id = try member(.id), !line.isNull(id) else { throw .noKey("'id' is missing") }
      parts = [("id", id)]
    }
    return Key(entityName: name, identity: .members(parts))
  }

  private func readRecord(_ line: Span<UInt8>) throws(ChangeError) -> ChangeLine {
    var change = ChangeLine(kind: .record)
    if let version = try member(.version), line.isNumber(version) { change.version = version }
    if entity.clock == nil, entity.tombstone == nil {
      try members.requireSingle(.deletedAt, .modifiedAt, .updatedAt, .timestamp)
      _ = try members.readClock(line, into: &change)
    } else {
      try readPointedClock(line, into: &change)
    }
    return change
  }

  /// Pointers to the clock and the tombstone; where only one is given, the other is looked for as ever.
  private func readPointedClock(
    _ line: Span<UInt8>, into change: inout ChangeLine
  ) throws(ChangeError) {
    let tombstone = try place(entity.tombstone, line, else: .deletedAt)
    // A mere mark says that the record is deleted, not when; without a pointer to it, it is a clock gone wrong.
    let isMark = entity.tombstone != nil
    if let (range, name) = tombstone, !line.isNull(range), !(isMark && line.isFalse(range)) {
      change.isTombstone = true
      if !(isMark && line.isTrue(range)) {
        change.clock = try members.clock(line, range, name)
        return
      }
    }
    if let pointer = entity.clock {
      guard let range = try value(pointer, line), !line.isNull(range) else { return }
      change.clock = try members.clock(line, range, pointer.text)
    } else {
      try members.requireSingle(.modifiedAt, .updatedAt, .timestamp)
      change.clock = try members.liveClock(line)
    }
  }

  /// From here on the line is read as one of this entity.
  private mutating func enter(_ line: Span<UInt8>, _ name: Range<Int>?) {
    var decoded = Array(shape.entityName.utf8)
    if let name {
      decoded.removeAll(keepingCapacity: true)
      JSONString.appendDecoded(line, name.lowerBound + 1..<name.upperBound - 1, to: &decoded)
    }
    entity = shape.profile[decoded]
    if entity.keys.isEmpty { entity.keys = shape.keys }
    entity.clock = entity.clock ?? shape.clock
    entity.tombstone = entity.tombstone ?? shape.tombstone
  }

  private func place(
    _ pointer: JSONPointer?, _ line: Span<UInt8>, else name: MemberName
  ) throws(ChangeError) -> (Range<Int>, String)? {
    if let pointer { return try value(pointer, line).map { ($0, pointer.text) } }
    return try member(name).map { ($0, name.spelling.description) }
  }

  private func member(_ name: MemberName) throws(ChangeError) -> Range<Int>? {
    try members.requireSingle(name)
    return members[name]
  }

  private func value(_ pointer: JSONPointer, _ line: Span<UInt8>) throws(ChangeError) -> Range<Int>? {
    try value(pointer, line, in: object)
  }

  func value(
    _ pointer: JSONPointer, _ line: Span<UInt8>, in place: Range<Int>
  ) throws(ChangeError) -> Range<Int>? {
    switch pointer.find(in: line, place) {
    case .absent: nil
    case .found(let range): range
    case .duplicate(let name): throw .duplicateMember(name)
    }
  }
}
