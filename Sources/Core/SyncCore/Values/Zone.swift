/// A time zone: how far its clocks are ahead of UTC at any moment.
///
/// The rules know no zones of their own; whoever calls them brings the conversion.
public struct Zone: Sendable {
  private let offset: (@Sendable (Int64) -> Int)?

  /// `offset` gives the seconds east of UTC at a moment in seconds since 1970.
  public init(offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

  private init() { offset = nil }

  /// The zone in which the offset is always zero.
  public static let utc = Zone()

  /// The day number of the date, and the second of the day, that clocks show.
  package func local(_ instant: Instant) -> (day: Int, second: Int) {
    let seconds = Int(instant.seconds) + (offset?(instant.seconds) ?? 0)
    let day = Civil.floorDivide(seconds, 86_400)
    return (day, seconds - day * 86_400)
  }

  package func day(of instant: Instant) -> Int { local(instant).day }

  /// The moment at which clocks show this date and time, in seconds since 1970.
  ///
  /// Of two such moments the first. Where there is none, as clocks jump over it, the time is as long after the jump
  /// as it would have been without.
  @inline(__always)
  package func seconds(day: Int, second: Int) -> Int {
    let local = day &* 86_400 &+ second
    return offset == nil ? local : converted(local)
  }

  private func converted(_ local: Int) -> Int {
    guard let offset else { return local }
    // No clock is a day off, so these are the offsets before and after any change that is near.
    let before = offset(Int64(local - 86_400))
    let after = offset(Int64(local + 86_400))
    let candidates = [local - before, local - after].sorted()
    return candidates.first { local - $0 == offset(Int64($0)) } ?? local - before
  }
}
