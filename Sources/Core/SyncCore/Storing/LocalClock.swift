/// The clock for a local write, so that it wins over the versions that its writer has seen.
public enum LocalClock {
  private static let step = Duration.milliseconds(1)

  /// The clock of a new or edited record: the record's own clock or now, but always later than `before`.
  ///
  /// `before` is the clock of the replaced version. A new record also receives a clock if it lacks one;
  /// otherwise it would lose to a deletion of its key that this store has compacted away and a peer still
  /// has.
  public static func edit(own: Instant?, before: Instant?, now: Instant) -> Instant {
    let time = own ?? now
    return before.map { max(time, $0.advanced(by: step)) } ?? time
  }

  /// The clock of a deletion; `before` is the clock of the version that its author knew.
  ///
  /// With `isChangedSince` a peer has changed the record meanwhile, and the deletion must not win over a
  /// version unknown to its author.
  public static func deletion(before: Instant?, isChangedSince: Bool, now: Instant) -> Instant {
    guard let before else { return isChangedSince ? .earliest : now }
    let next = before.advanced(by: step)
    return isChangedSince ? next : max(now, next)
  }
}

extension Instant {
  /// The earliest instant.
  package static let earliest = Instant(rfc3339: Array("0000-01-01T00:00:00Z".utf8).span)!
}
