import JSONLines

extension WirePacker {
  /// The object that becomes the fields, and its place in the line.
  struct Fields {
    var raw: Range<Int>?
    var place: [String] = []
  }

  /// Finds the fields; a change line must not have members that the wire cannot carry.
  mutating func fields(of line: Span<UInt8>, _ change: ChangeLine) throws(WireFailure) -> Fields {
    guard change.kind == .change else { return Fields(raw: line.onlyValue) }
    var fields = Fields(place: ["fields"])
    var clocks: [MemberName] = []
    var cursor = ContainerCursor(opening: line.onlyValue.lowerBound)
    while cursor.hasNext(in: line) {
      let name = cursor.readName(in: line)
      let value = cursor.passValue(in: line)
      switch MemberName(line, name) {
      case .identity, .entityName, .version, .deletedAt: break
      case .fields: fields.raw = line.isNull(value) ? nil : value
      case let clock? where MemberName.liveClocks.contains(clock):
        if !line.isNull(value) { clocks.append(clock) }
      default: try passOver(JSONString.decoded(line, name))
      }
    }
    guard !change.isTombstone else { return fields }
    if let raw = fields.raw, !line.isObject(raw) { throw WireFailure(.notAnObject, at: fields.place) }
    try passOver(clocks)
    return fields
  }

  /// Counts or rejects all clocks but the first, because only one is used.
  private mutating func passOver(_ clocks: [MemberName]) throws(WireFailure) {
    for name in MemberName.liveClocks.filter(clocks.contains).dropFirst() {
      try passOver(name.spelling.description)
    }
  }

  private mutating func passOver(_ name: String) throws(WireFailure) {
    guard encoder.isLossy else { throw WireFailure(.unknownMember(name)) }
    encoder.losses.members += 1
  }

  // MARK: Clock

  mutating func appendClock(
    _ change: ChangeLine, _ line: Span<UInt8>, to entry: inout [UInt8]
  ) throws(WireFailure) {
    guard let clock = change.clock else { throw WireFailure(.missingClock) }
    entry.append(contentsOf: change.isTombstone ? ",\"deletedAt\":".utf8 : ",\"modifiedAt\":".utf8)
    do throws(WireError) {
      try encoder.append(clock, to: &entry)
    } catch {
      throw WireFailure(error, at: clockPlace(change, line))
    }
  }

  /// The place of the line's clock.
  private func clockPlace(_ change: ChangeLine, _ line: Span<UInt8>) -> [String] {
    if change.kind == .record,
      let pointer = change.isTombstone ? reader.entity.tombstone : reader.entity.clock
    {
      return pointer.tokens
    }
    var members = LineMembers()
    _ = try? JSONScanner.validate(line, into: &members)
    let names = change.isTombstone ? [.deletedAt] : MemberName.liveClocks
    let name = names.first { name in members[name].map { !line.isNull($0) } ?? false }
    return name.map { [$0.spelling.description] } ?? ["fields"]
  }
}
