import JSONLines

extension LineReader {
  /// Reads the values for the entity's rule, from the fields if they have them, otherwise from the line
  /// itself.
  ///
  /// It does not change the reader; it is mutating only to avoid copying the reader.
  mutating func readFacts(
    _ line: Span<UInt8>, _ fields: Range<Int>?, into change: inout ChangeLine
  ) throws(ChangeError) {
    switch form.entity.rule {
    case .lww: change.facts = .lww
    case .appendOnly: change.facts = .appendOnly
    case .terminal(let places):
      change.facts = .terminal(try TerminalFacts(line, places, fields: fields, object: object, of: change))
    }
  }
}

extension LineReader {
  /// Checks that a live record has all required members; in a change line with `fields`, they must be in
  /// `fields`.
  mutating func requireMembers(_ line: Span<UInt8>, _ change: ChangeLine) throws(ChangeError) {
    var place = object
    if change.kind == .change, let fields = members[.fields], !line.isNull(fields) { place = fields }
    for pointer in entity.required {
      guard let value = try pointer.value(in: line, place), !line.isNull(value) else {
        throw .missingMember(pointer.text)
      }
    }
  }
}

extension TerminalFacts {
  fileprivate init(
    _ line: Span<UInt8>, _ places: TerminalMembers, fields: Range<Int>?, object: Range<Int>,
    of change: ChangeLine
  ) throws(ChangeError) {
    let objects = (fields, object)
    dueDate = try Self.instant(places.dueDate, line, objects)
    guard !change.isTombstone, let rank = try Self.rank(places, line, objects) else { return }
    self.rank = rank
    moment = try Self.instant(places.completedAt, line, objects) ?? change.clock
  }

  private typealias Objects = (fields: Range<Int>?, line: Range<Int>)

  /// Only a string that is listed is a terminal state.
  private static func rank(
    _ places: TerminalMembers, _ line: Span<UInt8>, _ objects: Objects
  ) throws(ChangeError) -> Int? {
    guard let (range, _) = try find(places.status, line, objects), line.isString(range) else { return nil }
    let content = range.lowerBound + 1..<range.upperBound - 1
    return places.states.firstIndex { JSONString.isEqual(line, content, to: $0) }
  }

  private static func instant(
    _ pointers: [JSONPointer], _ line: Span<UInt8>, _ objects: Objects
  ) throws(ChangeError) -> Instant? {
    guard let (range, pointer) = try find(pointers, line, objects) else { return nil }
    return try Clock.require(line, range, pointer.text)
  }

  /// The value at the first of the pointers that leads to something other than null.
  private static func find(
    _ pointers: [JSONPointer], _ line: Span<UInt8>, _ objects: Objects
  ) throws(ChangeError) -> (Range<Int>, JSONPointer)? {
    if let fields = objects.fields, let found = try find(pointers, line, in: fields) { return found }
    return try find(pointers, line, in: objects.line)
  }

  private static func find(
    _ pointers: [JSONPointer], _ line: Span<UInt8>, in place: Range<Int>
  ) throws(ChangeError) -> (Range<Int>, JSONPointer)? {
    for pointer in pointers {
      if let range = try pointer.value(in: line, place), !line.isNull(range) { return (range, pointer) }
    }
    return nil
  }
}
