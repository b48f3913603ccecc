import JSONLines

extension LineMembers {
  /// Finds the clock among the members; false where there is none.
  ///
  /// It is a `deletedAt` that is not null, which makes the line a tombstone, else the first of the live clocks.
  @inline(__always)
  func readClock(_ text: Span<UInt8>, into change: inout ChangeLine) throws(ChangeError) -> Bool {
    if let clock = try clock(.deletedAt, text) {
      change.isTombstone = true
      change.clock = clock
    } else {
      change.clock = try liveClock(text)
    }
    return change.clock != nil
  }

  /// The first of the clocks of a line that is no tombstone.
  @inline(__always)
  func liveClock(_ text: Span<UInt8>) throws(ChangeError) -> Instant? {
    if let clock = try clock(.modifiedAt, text) { return clock }
    if let clock = try clock(.modified_at, text) { return clock }
    if let clock = try clock(.updatedAt, text) { return clock }
    if let clock = try clock(.updated_at, text) { return clock }
    return try clock(.timestamp, text)
  }

  /// Null is as good as absent.
  @inline(__always)
  private func clock(_ name: MemberName, _ text: Span<UInt8>) throws(ChangeError) -> Instant? {
    guard let range = self[name], !text.isNull(range) else { return nil }
    return try Clock.require(text, range, name.spelling.description)
  }
}
