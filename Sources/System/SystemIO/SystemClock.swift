/// The clocks, read here and handed to pure code as values.
package enum SystemClock {
  /// Time since 1970-01-01T00:00:00Z as whole seconds and nanoseconds (0 ..< 10⁹).
  package static func wallTime() -> (seconds: Int64, nanoseconds: Int32) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return (Int64(time.tv_sec), Int32(time.tv_nsec))
  }

  /// Time that never goes back, from an arbitrary start.
  package static func monotonic() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
