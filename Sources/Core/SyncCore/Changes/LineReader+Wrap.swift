import JSONLines

extension LineReader {
  /// Appends the line as a change line whose clock is `clock`.
  ///
  /// A plain record becomes the `fields` of a change line with `modifiedAt` or `deletedAt`; without a clock,
  /// `modifiedAt` is null. If `clock` is not the record's own, the record's clock member is rewritten in the
  /// same form. With `keepingFields`, the record stays the same byte for byte. In a change line only the
  /// clock changes.
  ///
  /// Throws `missingClock` for a tombstone without a clock.
  package mutating func appendChange(
    _ line: Span<UInt8>, clock: Instant?, keepingFields: Bool = false, to bytes: inout [UInt8]
  ) throws(ChangeError) {
    var key: [UInt8] = []
    let change = try read(line, key: &key)
    if change.kind == .change { return appendStamped(line, change, clock, to: &bytes) }
    if change.isTombstone, clock == nil { throw .missingClock }
    bytes.append(UInt8(ascii: "{"))
    try recordKey(line).appendMembers(line, else: shape.entityName, to: &bytes)
    let name = change.isTombstone ? MemberName.deletedAt : .modifiedAt
    bytes.append(contentsOf: ",\"\(name.spelling)\":\(clock.map { "\"\($0)\"" } ?? "null")".utf8)
    if let version = change.version {
      bytes.append(contentsOf: ",\"version\":".utf8)
      bytes.append(line.extracting(version))
    }
    bytes.append(contentsOf: ",\"fields\":".utf8)
    let isOwn = keepingFields || clock == change.clock
    appendRecord(line, clock, at: isOwn ? nil : try ownClock(line, change), to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends a record with its clock member rewritten.
  ///
  /// If the record has another key or lacks a clock member, this returns false and does not append it.
  package mutating func appendRecord(
    _ record: Span<UInt8>, of key: Span<UInt8>, clock: Instant, to bytes: inout [UInt8]
  ) throws(ChangeError) -> Bool {
    var own: [UInt8] = []
    let change = try read(record, key: &own)
    guard change.kind == .record, ByteSearch.isEqual(own.span, 0..<own.count, key, 0..<key.count),
      let place = try ownClock(record, change)
    else { return false }
    appendRecord(record, clock, at: place, to: &bytes)
    return true
  }

  private func appendRecord(
    _ line: Span<UInt8>, _ clock: Instant?, at place: Range<Int>?, to bytes: inout [UInt8]
  ) {
    guard let clock, let place, let own = clock.respelled(like: line, place) else {
      return bytes.append(line.extracting(object))
    }
    bytes.append(line.extracting(object.lowerBound..<place.lowerBound))
    bytes += own
    bytes.append(line.extracting(place.upperBound..<object.upperBound))
  }

  /// The clock's value in the last plain record read; nil if it is missing or part of the key.
  ///
  /// A different value in the key would identify another record.
  private func ownClock(_ line: Span<UInt8>, _ change: ChangeLine) throws(ChangeError) -> Range<Int>? {
    guard let clock = try clockMember(line, change), try !isOfKey(clock, line) else { return nil }
    return clock
  }

  private func isOfKey(_ place: Range<Int>, _ line: Span<UInt8>) throws(ChangeError) -> Bool {
    if form.keys.isEmpty { return members[.id]?.overlaps(place) == true }
    for key in form.keys where try value(key, line)?.overlaps(place) == true { return true }
    return false
  }

  private func clockMember(_ line: Span<UInt8>, _ change: ChangeLine) throws(ChangeError) -> Range<Int>? {
    if change.isTombstone {
      let deletion =
        if let mark = form.tombstone { try value(mark, line) } else { members[.deletedAt] }
      if let deletion, form.tombstone == nil || !line.isOn(deletion) { return deletion }
    }
    if let place = form.clock {
      return try value(place, line).flatMap { line.isNull($0) ? nil : $0 }
    }
    return liveClock(line)
  }

  /// The first of the live clocks that is not null.
  private func liveClock(_ line: Span<UInt8>) -> Range<Int>? {
    for name in MemberName.liveClocks {
      if let place = members[name], !line.isNull(place) { return place }
    }
    return nil
  }

  // MARK: Change lines

  private func appendStamped(
    _ line: Span<UInt8>, _ change: ChangeLine, _ clock: Instant?, to bytes: inout [UInt8]
  ) {
    guard let clock, clock != change.clock else { return bytes.append(line) }
    if let place = change.isTombstone ? members[.deletedAt] : liveClock(line) ?? members[.modifiedAt] {
      bytes.append(line.extracting(object.lowerBound..<place.lowerBound))
      bytes.append(contentsOf: "\"\(clock)\"".utf8)
      bytes.append(line.extracting(place.upperBound..<object.upperBound))
    } else {
      let name = change.isTombstone ? MemberName.deletedAt : .modifiedAt
      bytes.append(contentsOf: "{\"\(name.spelling)\":\"\(clock)\",".utf8)
      bytes.append(line.extracting(object.lowerBound + 1..<object.upperBound))
    }
  }
}
