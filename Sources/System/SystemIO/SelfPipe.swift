import Synchronization

/// A pipe to ourselves: what a signal handler or another thread writes to and poll(2) waits for.
struct SelfPipe: ~Copyable, Sendable {
  private let readEnd = Atomic<CInt>(-1)
  private let writeEnd = Atomic<CInt>(-1)

  deinit {
    for end in [descriptor, writeEnd.load(ordering: .relaxed)] where end >= 0 { _ = systemClose(end) }
  }

  /// Readable after `wake`; -1 before `open`, which poll passes over.
  var descriptor: CInt { readEnd.load(ordering: .relaxed) }

  func open() {
    guard descriptor < 0, let ends = SelfPipe.makePipe() else { return }
    _ = fcntl(ends.read, F_SETFL, O_NONBLOCK)
    _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
    readEnd.store(ends.read, ordering: .relaxed)
    writeEnd.store(ends.write, ordering: .relaxed)
  }

  /// Async-signal-safe: an atomic load and a write, and the errno of whatever was interrupted is kept.
  func wake() {
    let interrupted = errno
    defer { errno = interrupted }
    var byte: UInt8 = 0
    _ = unsafe systemWrite(writeEnd.load(ordering: .relaxed), &byte, 1)
  }

  /// Makes the next poll wait for the next wake.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe systemRead(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// Two descriptors that no child inherits; nil, with errno set, where there are none left.
  static func makePipe() -> (read: CInt, write: CInt)? {
    // Every start comes here: an array would have its type made at run-time first.
    var ends: (read: CInt, write: CInt) = (-1, -1)
    let status = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      // A tuple of two CInt lies in memory as the array of two that pipe(2) fills.
      unsafe pipe(bytes.baseAddress?.assumingMemoryBound(to: CInt.self))
    }
    guard status == 0 else { return nil }
    _ = fcntl(ends.read, F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends.write, F_SETFD, FD_CLOEXEC)
    return ends
  }
}
