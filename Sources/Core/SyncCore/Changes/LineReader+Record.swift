import JSONLines

/// Plain records.
extension LineReader {
  /// Whether a line that has a checkpoint's member is a record.
  ///
  /// It is a record if it names an entity or has any part of a key. A record mistaken for a checkpoint would
  /// be lost, and its absence from a snapshot would be a deletion. A record with an incomplete key is
  /// reported.
  mutating func isOfRecord(_ line: Span<UInt8>) throws(ChangeError) -> Bool {
    let name = try entityName(line)
    enter(line, name)
    if name != nil { return true }
    if form.keys.isEmpty { return members.has(.id) }
    for place in form.keys where try value(place, line) != nil { return true }
    return false
  }

  /// The raw entity that a record names; nil if missing.
  @inline(__always)
  private func entityName(_ line: Span<UInt8>) throws(ChangeError) -> Range<Int>? {
    let found =
      if let entityPlace { try value(entityPlace, line) } else { try members.single(.entity) }
    let name = found.flatMap { line.isNull($0) ? nil : $0 }
    if let name, !line.isString(name) { throw .noKey("the entity is not a string") }
    return name
  }

  mutating func recordKey(_ line: Span<UInt8>) throws(ChangeError) -> Key {
    let name = try entityName(line)
    if name == nil, shape.requiresEntity { throw .missingEntity }
    enter(line, name)
    setOpening(.empty)
    guard form.keys.count <= 1 else { return key(line, .values(try values(form.keys, line)), plain: nil) }
    let value = if let place = form.firstKey { try part(place, line) } else { try id(line) }
    let isPlain = CanonicalJSON.isPlain(line, value)
    return key(line, .value(value, isPlain: isPlain), plain: isPlain ? value : nil)
  }

  @inline(__always)
  private func id(_ line: Span<UInt8>) throws(ChangeError) -> Range<Int> {
    guard let id = try members.single(.id), !line.isNull(id) else { throw .noKey("'id' is missing") }
    return id
  }

  @inline(__always)
  private func values(
    _ places: [Int], _ line: Span<UInt8>
  ) throws(ChangeError) -> [Range<Int>] {
    var values: [Range<Int>] = []
    for place in places { values.append(try part(place, line)) }
    return values
  }

  @inline(__always)
  private func part(_ place: Int, _ line: Span<UInt8>) throws(ChangeError) -> Range<Int> {
    guard let part = try value(place, line), !line.isNull(part) else {
      throw .noKey("'\(molds.pointer(place).text)' is missing")
    }
    return part
  }

  mutating func readRecord(_ line: Span<UInt8>, into change: inout ChangeLine) throws(ChangeError) {
    if let version = try members.single(.version), line.isNumber(version) { change.version = version }
    if form.clock == nil, form.tombstone == nil {
      try members.requireSingle(MemberName.clocks)
      _ = try members.readClock(line, into: &change)
    } else {
      try readPointedClock(line, into: &change)
    }
  }

  /// Reads the clock and the tombstone at pointers; the default members replace a missing pointer.
  private mutating func readPointedClock(
    _ line: Span<UInt8>, into change: inout ChangeLine
  ) throws(ChangeError) {
    let mark = form.tombstone
    let deletion = if let mark { try value(mark, line) } else { try members.single(.deletedAt) }
    // `true` means deleted at an unknown time. Without a pointer to the member, `true` is an invalid clock.
    if let deletion, line.marksDeletion(deletion) {
      change.isTombstone = true
      if mark == nil || !line.isOn(deletion) {
        let name = MemberName.deletedAt.spelling.description
        change.clock = try Clock.require(line, deletion, mark.map { molds.pointer($0).text } ?? name)
        return
      }
    }
    if let place = form.clock {
      guard let range = try value(place, line), !line.isNull(range) else { return }
      change.clock = try Clock.require(line, range, molds.pointer(place).text)
    } else {
      try members.requireSingle(MemberName.liveClocks)
      change.clock = try members.liveClock(line)
    }
  }
}
