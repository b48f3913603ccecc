import JSONLines

/// Reads lines as changes: kind, key and clock.
package struct LineReader: Sendable {
  private let shape: RecordShape
  private(set) var members = LineMembers()
  private var fields = LineMembers()
  /// The line without the white space around it.
  private(set) var object = 0..<0
  private(set) var entity = Profile.Entity()
  /// The only value in the identity of the line read last, where its raw bytes are those in the key.
  ///
  /// The key is `["E",{"n":V}]` then, and V a string without escapes or an integer in plain digits. An offset
  /// range like those of the result.
  private(set) package var plainIdentity: Range<Int>?

  package init(_ shape: RecordShape) { self.shape = shape }

  /// Validates one line, and appends its canonical key to `key` unless it is a checkpoint.
  ///
  /// Keys are ordered by their bytes.
  package mutating func read(_ line: Span<UInt8>, key: inout [UInt8]) throws(ChangeError) -> ChangeLine {
    try scan(line)
    return try readScanned(line, key: &key)
  }

  /// Reads the line that begins at `start` and ends before the next LF or with the text, in one pass.
  ///
  /// `end` becomes the offset of the LF or the length of the text, whether the line is good or not. Ranges in the
  /// result are offsets into `text`; those in errors are offsets into the line.
  package mutating func read(
    _ text: Span<UInt8>, from start: Int, key: inout [UInt8], end: inout Int
  ) throws(ChangeError) -> ChangeLine {
    try scan(text, from: start, end: &end)
    return try readScanned(text, key: &key)
  }

  private mutating func readScanned(
    _ line: Span<UInt8>, key: inout [UInt8]
  ) throws(ChangeError) -> ChangeLine {
    plainIdentity = nil
    switch try kind(line) {
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
    try scan(line)
    let key = try kind(line) == .change ? changeKey(line) : recordKey(line)
    key.appendMembers(line, else: shape.entityName, to: &bytes)
  }

  /// Validates a line, and remembers where its members are.
  private mutating func scan(_ line: Span<UInt8>) throws(ChangeError) {
    members.clear()
    do throws(JSONError) {
      try JSONScanner.validate(line, into: &members)
    } catch {
      throw .json(error)
    }
    object = line.onlyValue
  }

  /// Validates the line that begins at `start`.
  private mutating func scan(_ text: Span<UInt8>, from start: Int, end: inout Int) throws(ChangeError) {
    members.clear()
    do throws(JSONError) {
      let first = Blanks.line.skip(text, from: start)
      object = first..<(try JSONScanner.scan(text, from: first, blanks: .line, into: &members))
      end = Blanks.line.skip(text, from: object.upperBound)
      guard end < text.count, text[end] != 0x0A else { return }
      throw JSONError(.trailingBytes, at: end - start)
    } catch {
      end = ByteSearch.firstIndex(of: 0x0A, in: text, from: start) ?? text.count
      throw .json(Self.fault(text, start..<end) ?? error)
    }
  }

  /// What is wrong with a line by itself: where its end is the end of the text, more errors are ends.
  private static func fault(_ text: Span<UInt8>, _ line: Range<Int>) -> JSONError? {
    var end = line.upperBound
    while end > line.lowerBound, text[end - 1] == 0x0D { end -= 1 }
    do throws(JSONError) {
      try JSONScanner.validate(text.extracting(line.lowerBound..<end))
      return nil
    } catch {
      return error
    }
  }

  private func kind(_ line: Span<UInt8>) throws(ChangeError) -> ChangeLine.Kind {
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
    plainIdentity = onlyValue(line, of: identity).flatMap { CanonicalJSON.isPlain(line, $0) ? $0 : nil }
    return Key(entityName: name, identity: .object(identity))
  }

  /// The value of the only member of an identity.
  private func onlyValue(_ text: Span<UInt8>, of identity: Range<Int>) -> Range<Int>? {
    var cursor = ContainerCursor(opening: identity.lowerBound)
    guard cursor.hasNext(in: text) else { return nil }
    _ = cursor.readName(in: text)
    let value = cursor.passValue(in: text)
    return cursor.hasNext(in: text) ? nil : value
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
    if parts.count == 1, CanonicalJSON.isPlain(line, parts[0].value) { plainIdentity = parts[0].value }
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
