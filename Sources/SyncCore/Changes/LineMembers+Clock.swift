import JSONLines

extension LineMembers {
  /// Finds the clock among the members; false where there is none.
  ///
  /// It is a `deletedAt` that is not null, which makes the line a tombstone, else `modifiedAt`, `updatedAt` or
  /// `timestamp`.
  func readClock(_ text: Span<UInt8>, into change: inout ChangeLine) throws(ChangeError) -> Bool {
    if let range = self[.deletedAt], !text.isNull(range) {
      change.isTombstone = true
      change.clock = try clock(text, range, MemberName.deletedAt.spelling.description)
    } else {
      change.clock = try liveClock(text)
    }
    return change.clock != nil
  }

  /// The first of the three clocks of a line that is no tombstone; null is as good as absent.
  func liveClock(_ text: Span<UInt8>) throws(ChangeError) -> Instant? {
    for name in [MemberName.modifiedAt, .updatedAt, .timestamp] {
      guard let range = self[name], !text.isNull(range) else { continue }
      return try clock(text, range, name.spelling.description)
    }
    return nil
  }

  func clock(_ text: Span<UInt8>, _ range: Range<Int>, _ name: String) throws(ChangeError) -> Instant {
    guard let instant = Clock.instant(text, range) else { throw .invalidClock(member: name) }
    return instant
  }
}

/// The kind of a raw value, told by its first byte.
extension Span<UInt8> {
  func isNull(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "n") }

  func isTrue(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "t") }

  func isFalse(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "f") }

  func isNumber(_ raw: Range<Int>) -> Bool { JSONKind(firstByte: self[raw.lowerBound]) == .number }

  func isString(_ raw: Range<Int>) -> Bool { self[raw.lowerBound] == UInt8(ascii: "\"") }

  /// Where the one value of a validated text lies, without the white space around it.
  var onlyValue: Range<Int> {
    var start = 0
    var end = count
    while self[start] <= 32 { start += 1 }
    while self[end - 1] <= 32 { end -= 1 }
    return start..<end
  }
}
