package import SyncCore

/// The clocks of an app's records, which distinguish an older copy of its source from edits.
package struct Restoration {
  /// Whether the source is a file.
  let isOfFile: Bool
  /// Reads the clock that a change line's record has as a member.
  let clock: (Span<UInt8>) -> Instant?
  /// Reads the clock that such a record would have if it were not marked as deleted.
  let liveClock: (Span<UInt8>) -> Instant?
  /// The latest clock of all records of the source.
  let latest: () -> Instant?

  package init(
    isOfFile: Bool, clock: @escaping (Span<UInt8>) -> Instant?,
    liveClock: @escaping (Span<UInt8>) -> Instant?, latest: @escaping () -> Instant?
  ) {
    self.isOfFile = isOfFile
    (self.clock, self.liveClock, self.latest) = (clock, liveClock, latest)
  }

  /// The number of records with earlier clocks that prove an older copy.
  ///
  /// One or two records of a file may be edits: some apps write an earlier clock when a user undoes an edit.
  var proof: Int { isOfFile ? 3 : 1 }

  /// Negative if the clock of the app's record is earlier than that in the other line, zero if both are
  /// equal.
  func compare(_ own: Instant?, with other: Span<UInt8>) -> Int {
    switch (own, clock(other)) {
    case (let own?, let last?): own < last ? -1 : own == last ? 0 : 1
    case (nil, nil): 0
    default: 1
    }
  }
}
