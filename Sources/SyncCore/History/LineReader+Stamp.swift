import JSONLines

extension LineReader {
  /// Appends the line with `clock` for its clock.
  ///
  /// In a change line only the member with the clock is new. A plain record, whose clock may stand anywhere and in
  /// any unit, becomes the `fields` of a change line and is not touched.
  package mutating func appendStamped(
    _ line: Span<UInt8>, _ clock: Instant, to bytes: inout [UInt8]
  ) throws(ChangeError) {
    var key: [UInt8] = []
    let change = try read(line, key: &key)
    let name = change.isTombstone ? "deletedAt" : "modifiedAt"
    guard change.kind == .change else {
      let record = object
      bytes.append(UInt8(ascii: "{"))
      try appendKeyMembers(of: line, to: &bytes)
      bytes.append(contentsOf: ",\"\(name)\":\"\(clock)\",\"fields\":".utf8)
      bytes.append(line.extracting(record))
      return bytes.append(UInt8(ascii: "}"))
    }
    if let place = clockMember(line, isTombstone: change.isTombstone) {
      bytes.append(line.extracting(object.lowerBound..<place.lowerBound))
      bytes.append(contentsOf: "\"\(clock)\"".utf8)
      bytes.append(line.extracting(place.upperBound..<object.upperBound))
    } else {
      bytes.append(contentsOf: "{\"\(name)\":\"\(clock)\",".utf8)
      bytes.append(line.extracting(object.lowerBound + 1..<object.upperBound))
    }
  }

  /// The value that is, or would be, the clock of a change line itself.
  private func clockMember(_ line: Span<UInt8>, isTombstone: Bool) -> Range<Int>? {
    if isTombstone { return members[.deletedAt] }
    for name in MemberName.liveClocks {
      if let place = members[name], !line.isNull(place) { return place }
    }
    return members[.modifiedAt]
  }
}
