/// An advisory lock that one process at a time holds; it ends with the value, or with the process.
///
/// The lock file is never removed: otherwise two processes could hold locks on two files of the same name.
package struct FileLock: ~Copyable {
  private let raw: CInt
  /// The default time to wait for a lock.
  package static let patience = Duration.seconds(10)

  /// Waits for the lock.
  ///
  /// After `patience` it fails as `isHeld`, after SIGINT or SIGTERM with EINTR. A link at the path is not
  /// followed, because other users of the folder could have made it.
  package init(_ path: String, patience: Duration = FileLock.patience) throws(SystemError) {
    raw = systemOpen(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    let deadline = SystemClock.monotonic() + patience
    while flock(raw, LOCK_EX | LOCK_NB) != 0 {
      var code = errno
      if code == EWOULDBLOCK, Interruption.pending != nil { code = EINTR }
      guard code == EWOULDBLOCK, SystemClock.monotonic() < deadline else {
        // deinit closes the descriptor.
        throw SystemError(.lock, path, code: code)
      }
      // flock(2) does not have a time-out, so it is retried; a lock is held for a few milliseconds.
      var entry = pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&entry, 1, 10)
    }
  }

  /// Waits for the lock on a file; the lock file is beside it, and errors in making it name the file.
  package init(on path: String, patience: Duration = FileLock.patience) throws(SystemError) {
    do throws(SystemError) {
      try self.init("\(FileMode.destination(of: path).path).lock", patience: patience)
    } catch {
      throw error.action == .create ? SystemError(.create, path, code: error.code) : error
    }
  }

  /// Releases the lock for the next process.
  package consuming func release() {}

  deinit { _ = systemClose(raw) }

  /// The process that has the lock on a file, if the system shows it; the process may have ended by now.
  ///
  /// It is found in `/proc/locks` (proc_locks(5)), where a line is `1: FLOCK  ADVISORY  WRITE 4711 fd:00:1234
  /// 0 EOF`.
  package static func holder(of path: String) -> (process: Int, name: String)? {
    var file = stat()
    guard unsafe stat(path, &file) == 0, let table = text("/proc/locks") else { return nil }
    let place = place(device: UInt64(file.st_dev), number: UInt64(file.st_ino))
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[5] == place, let process = Int(words[4]),
        let name = text("/proc/\(process)/comm")
      else { continue }
      return (process, String(name.prefix { $0 != "\n" }))
    }
    return nil
  }

  /// A file in the form of the table: the device's two numbers in hex digits, and the file's number.
  private static func place(device: UInt64, number: UInt64) -> String {
    let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
    let minor = device & 0xff | device >> 12 & 0xfff_ff00
    func hex(_ value: UInt64) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
    return "\(hex(major)):\(hex(minor)):\(number)"
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? ByteInput.contents(of: path, heedingSignals: false) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
