import Synchronization

/// The set of descriptors that a loop waits for: poll(2).
package struct PollSet: ~Copyable {
  private var entries: [pollfd] = []

  package init() {}

  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// Watches a descriptor and returns its place; a broken descriptor is always reported.
  ///
  /// `ending` also reports that the other side has ended its direction, even if data can still be read.
  @discardableResult
  package mutating func add(
    _ raw: CInt, reading: Bool = false, writing: Bool = false, ending: Bool = false
  ) -> Int {
    let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0) | (ending ? Readiness.ending : 0)
    entries.append(pollfd(fd: raw, events: Int16(events), revents: 0))
    return entries.count - 1
  }

  /// Watches for the end of a child process; before the first child, signal handling stays unchanged.
  package mutating func addChildren() { add(ChildSignal.pipe.descriptor, reading: true) }

  /// Watches for a signal to stop; after the signal, every wait ends immediately.
  package mutating func addInterruption() { add(Interruption.descriptor, reading: true) }

  /// Watches for a second signal, if ``Interruption/heedSecond()`` was called.
  package mutating func addInsistence() { add(Interruption.secondDescriptor, reading: true) }

  /// Waits for an event, at most until `deadline` on the monotonic clock.
  package mutating func wait(until deadline: Duration?) {
    var milliseconds: CInt = -1
    if let deadline {
      let left = deadline - SystemClock.monotonic()
      // Round up, because waking a millisecond too early would cause a busy loop; use 0 for work that is
      // already due.
      milliseconds = left <= .zero ? 0 : CInt(clamping: left.wholeMilliseconds + 1)
    }
    _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    ChildSignal.pipe.clear()
  }

  /// Whether the descriptor at that place has an event.
  package func isReady(_ place: Int) -> Bool { entries[place].revents != 0 }
}

/// An object that takes turns in a loop that waits for other events.
package protocol LoopCompanion: AnyObject {
  /// Adds the descriptors that the object waits for.
  func watch(_ polls: inout PollSet)
  /// The time at which the object must run even without an event, on the monotonic clock; nil for never.
  var deadline: Duration? { get }
  /// Does the pending work, without waiting.
  func advance(at now: Duration)
  /// The last call, before the loop or the awaited work ends.
  func end()
}

/// poll(2) on one descriptor and on the arrival of a signal.
enum Readiness {
  /// Whether a read would not block; it may find the end.
  static func isReadable(_ raw: CInt) -> Bool { events(raw, POLLIN) != 0 }

  static func isWritable(_ raw: CInt) -> Bool { events(raw, POLLOUT) != 0 }

  /// Whether the other end is closed.
  ///
  /// A Unix socket reports only POLLHUP if its other end closed without unread data. On macOS, it does so
  /// only if POLLOUT is requested.
  static func isBroken(_ raw: CInt) -> Bool { events(raw, POLLOUT) & (POLLERR | POLLNVAL | POLLHUP) != 0 }

  /// Whether the other end of a connection has ended its sending, even if earlier data are still unread.
  static func isEnded(_ raw: CInt) -> Bool { events(raw, ending) & (ending | POLLHUP) != 0 }

  #if os(Linux)
    /// POLLRDHUP, which the C library hides behind _GNU_SOURCE.
    static let ending: CInt = 0x2000
  #else
    /// On this system, an end is reported only if some event is requested.
    static let ending = POLLHUP
  #endif

  private static func events(_ raw: CInt, _ wanted: CInt) -> CInt {
    var entry = pollfd(fd: raw, events: Int16(wanted), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 ? CInt(entry.revents) : 0
  }

  /// Waits for a descriptor that another process has made non-blocking.
  static func wait(_ raw: CInt, for events: CInt) {
    var entry = pollfd(fd: raw, events: Int16(events), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }

  static func waitUntilReadable(_ raw: CInt) { _ = waitUntilReadable(raw, for: -1) }

  /// Waits at most this many milliseconds; false if neither bytes nor a signal arrived.
  static func waitUntilReadable(_ raw: CInt, for milliseconds: CInt) -> Bool {
    var entries = [
      pollfd(fd: raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return unsafe poll(&entries, 2, milliseconds) != 0
  }

  /// Enlarges a pipe to 1 MiB, so that its two ends switch less often; other descriptors are unchanged.
  static func widenPipe(_ raw: CInt) {
    #if os(Linux)
      // F_SETPIPE_SZ, which the C library hides behind _GNU_SOURCE.
      _ = fcntl(raw, 1_031, 1 << 20)
    #endif
  }
}

/// A pipe to ourselves: a signal handler or another thread writes to it, and poll(2) waits for it.
struct SelfPipe: ~Copyable, Sendable {
  private let readEnd = Atomic<CInt>(-1)
  private let writeEnd = Atomic<CInt>(-1)

  deinit {
    for end in [descriptor, writeEnd.load(ordering: .relaxed)] where end >= 0 { _ = systemClose(end) }
  }

  /// A descriptor that is readable after `wake`; before `open` it is -1, which poll(2) ignores.
  var descriptor: CInt { readEnd.load(ordering: .relaxed) }

  func open() {
    guard descriptor < 0, let ends = SelfPipe.makePipe() else { return }
    _ = fcntl(ends.read, F_SETFL, O_NONBLOCK)
    _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
    readEnd.store(ends.read, ordering: .relaxed)
    writeEnd.store(ends.write, ordering: .relaxed)
  }

  /// Makes the descriptor readable; it is async-signal-safe, and preserves the errno of the interrupted code.
  func wake() {
    let interrupted = errno
    defer { errno = interrupted }
    var byte: UInt8 = 0
    _ = unsafe systemWrite(writeEnd.load(ordering: .relaxed), &byte, 1)
  }

  /// Empties the pipe, so that the next poll waits for the next wake.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe systemRead(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// Two descriptors that children do not inherit; nil, with errno set, if the system has none left.
  static func makePipe() -> (read: CInt, write: CInt)? {
    // Use a tuple, because every start runs this code, and the type of an array would be made at run-time
    // first.
    var ends: (read: CInt, write: CInt) = (-1, -1)
    let status = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      // A tuple of two CInt has the same memory layout as the array of two that pipe(2) fills.
      unsafe pipe(bytes.baseAddress?.assumingMemoryBound(to: CInt.self))
    }
    guard status == 0 else { return nil }
    _ = fcntl(ends.read, F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends.write, F_SETFD, FD_CLOEXEC)
    return ends
  }
}
