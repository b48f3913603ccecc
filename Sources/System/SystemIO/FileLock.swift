/// An advisory lock that one process at a time holds; it ends with the value, or with the process.
///
/// The file that carries the lock stays: taking it away would let two processes hold locks on two files of one name.
package struct FileLock: ~Copyable {
  private let raw: CInt

  /// Waits for the lock.
  ///
  /// After `patience` it fails as `isHeld`, after SIGINT or SIGTERM with EINTR.
  package init(_ path: String, patience: Duration = .seconds(10)) throws(SystemError) {
    raw = systemOpen(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    let deadline = SystemClock.monotonic() + patience
    while flock(raw, LOCK_EX | LOCK_NB) != 0 {
      var code = errno
      if code == EWOULDBLOCK, Interruption.pending != nil { code = EINTR }
      guard code == EWOULDBLOCK, SystemClock.monotonic() < deadline else {
        _ = systemClose(raw)
        throw SystemError(.lock, path, code: code)
      }
      // flock(2) has no time-out; a lock is held for a few milliseconds.
      var entry = pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&entry, 1, 10)
    }
  }

  /// Lets the next one in.
  package consuming func release() {}

  deinit { _ = systemClose(raw) }
}
