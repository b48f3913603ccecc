import JSONLines

extension LineReader {
  /// Reads what the entity's rule needs, from the fields where they have it, else from the line itself.
  func readFacts(
    _ line: Span<UInt8>, _ fields: Range<Int>?, into change: inout ChangeLine
  ) throws(ChangeError) {
    switch entity.rule {
    case .lww: change.facts = .lww
    case .appendOnly: change.facts = .appendOnly
    case .terminal(let places):
      if fields != nil { try members.requireSingle(.fields) }
      var facts = TerminalFacts()
      facts.dueDate = try instant(places.dueDate, line, fields)
      if !change.isTombstone, let rank = try rank(places, line, fields) {
        facts.rank = rank
        facts.moment = try instant(places.completedAt, line, fields) ?? change.clock
      }
      change.facts = .terminal(facts)
    }
  }

  /// A state that is not listed, or no string, is not terminal.
  private func rank(
    _ places: TerminalMembers, _ line: Span<UInt8>, _ fields: Range<Int>?
  ) throws(ChangeError) -> Int? {
    guard let (range, _) = try find(places.status, line, fields), line.isString(range) else { return nil }
    let content = range.lowerBound + 1..<range.upperBound - 1
    return places.states.firstIndex { JSONString.isEqual(line, content, to: Array($0.utf8)) }
  }

  private func instant(
    _ pointers: [JSONPointer], _ line: Span<UInt8>, _ fields: Range<Int>?
  ) throws(ChangeError) -> Instant? {
    guard let (range, pointer) = try find(pointers, line, fields) else { return nil }
    guard let instant = Clock.instant(line, range) else { throw .invalidClock(member: pointer.text) }
    return instant
  }

  /// The first of the pointers that leads to something other than null.
  private func find(
    _ pointers: [JSONPointer], _ line: Span<UInt8>, _ fields: Range<Int>?
  ) throws(ChangeError) -> (Range<Int>, JSONPointer)? {
    for place in [fields, object].compactMap(\.self) {
      for pointer in pointers {
        if let range = try value(pointer, line, in: place), !line.isNull(range) { return (range, pointer) }
      }
    }
    return nil
  }
}
