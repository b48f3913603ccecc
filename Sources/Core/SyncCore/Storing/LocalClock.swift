/// The clock that a local write gets, so that it wins over what its writer has seen.
package enum LocalClock {
  private static let step = Duration.milliseconds(1)

  /// Of a line that `record` finds changed: never earlier than what it replaces.
  ///
  /// `base` is the clock of the baseline's change; nil where the baseline has none of that key, and the line stays
  /// as it is.
  package static func edit(own: Instant?, base: Base?, now: Instant) -> Instant? {
    guard let base else { return own }
    guard let before = base.clock else { return own ?? now }
    return max(own ?? now, before.advanced(by: step))
  }

  /// Of a record that `record` no longer finds.
  ///
  /// Where a peer has changed it meanwhile, the deletion happened in knowledge of the baseline only.
  package static func deletion(base: Base, isChangedSince: Bool, now: Instant) -> Instant {
    guard let before = base.clock else { return isChangedSince ? .earliest : now }
    let next = before.advanced(by: step)
    return isChangedSince ? next : max(now, next)
  }

  /// Of a line that is put.
  package static func put(own: Instant?, stored: Instant?, now: Instant) -> Instant {
    let time = own ?? now
    return stored.map { max(time, $0.advanced(by: step)) } ?? time
  }

  /// What the last record knows of a key.
  package struct Base: Equatable, Sendable {
    package var clock: Instant?
    package init(clock: Instant?) { self.clock = clock }
  }
}

extension Instant {
  /// The earliest that there is.
  package static let earliest = Instant(rfc3339: Array("0000-01-01T00:00:00Z".utf8).span)!
}
