/// The clock that a local write gets, so that it wins over what its writer has seen.
package enum LocalClock {
  private static let step = Duration.milliseconds(1)

  /// Of a line that is put, or that `record` finds new or changed: its own or now, and later than `before`.
  ///
  /// `before` is the clock of what the line replaces. A line without a clock gets one even if it replaces nothing:
  /// it would lose against any deletion of its key that was compacted away here.
  package static func edit(own: Instant?, before: Instant?, now: Instant) -> Instant {
    let time = own ?? now
    return before.map { max(time, $0.advanced(by: step)) } ?? time
  }

  /// Of a record that `record` no longer finds; `before` is the clock that the baseline has of it.
  ///
  /// If a peer has changed the record meanwhile, the app that deleted it knew only the baseline.
  package static func deletion(before: Instant?, isChangedSince: Bool, now: Instant) -> Instant {
    guard let before else { return isChangedSince ? .earliest : now }
    let next = before.advanced(by: step)
    return isChangedSince ? next : max(now, next)
  }
}

extension Instant {
  /// The earliest that there is.
  package static let earliest = Instant(rfc3339: Array("0000-01-01T00:00:00Z".utf8).span)!
}
