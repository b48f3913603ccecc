/// poll(2) on one descriptor and on the arrival of a signal.
enum Readiness {
  /// A read will not block; it may find the end.
  static func isReadable(_ raw: CInt) -> Bool { events(raw, POLLIN) != 0 }

  static func isWritable(_ raw: CInt) -> Bool { events(raw, POLLOUT) != 0 }

  /// The other end has gone away.
  static func isBroken(_ raw: CInt) -> Bool { events(raw, 0) & (POLLERR | POLLNVAL) != 0 }

  /// The other end of a connection will send nothing any more, also where what it sent has not been read yet.
  static func isEnded(_ raw: CInt) -> Bool { events(raw, ending) & (ending | POLLHUP) != 0 }

  #if os(Linux)
    /// POLLRDHUP, which the C library hides behind _GNU_SOURCE.
    static let ending: CInt = 0x2000
  #else
    /// Seen without being asked for.
    static let ending: CInt = 0
  #endif

  private static func events(_ raw: CInt, _ wanted: CInt) -> CInt {
    var entry = pollfd(fd: raw, events: Int16(wanted), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 ? CInt(entry.revents) : 0
  }

  /// Waits for a descriptor that somebody else has made non-blocking.
  static func wait(_ raw: CInt, for events: CInt) {
    var entry = pollfd(fd: raw, events: Int16(events), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }

  static func waitUntilReadable(_ raw: CInt) { _ = waitUntilReadable(raw, for: -1) }

  /// Waits so many milliseconds at most; false where nothing came, neither bytes nor a signal.
  static func waitUntilReadable(_ raw: CInt, for milliseconds: CInt) -> Bool {
    var entries = [
      pollfd(fd: raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return unsafe poll(&entries, 2, milliseconds) != 0
  }

  /// Asks for a pipe that holds 1 MiB, so that the two ends take turns less often; what is no pipe stays as it is.
  static func widenPipe(_ raw: CInt) {
    #if os(Linux)
      // F_SETPIPE_SZ, which the C library hides behind _GNU_SOURCE.
      _ = fcntl(raw, 1_031, 1 << 20)
    #endif
  }
}
