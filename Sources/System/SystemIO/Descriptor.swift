internal import JSONLines

/// A file descriptor that is closed exactly once, or a standard stream that is never closed.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: CInt
  /// The file's path, or `-` for a standard stream; diagnostics use this name.
  package let name: String
  private var isOwned: Bool
  /// Whether the open file is unshared and non-blocking, so that a write may have any size.
  private let isNonBlocking: Bool
  /// Whether control sequences are removed from what is written.
  private let isFiltered: Bool

  package init(owning raw: CInt, name: String, isNonBlocking: Bool = false) {
    self.raw = raw
    self.name = name
    self.isNonBlocking = isNonBlocking
    isFiltered = isatty(raw) == 1
    isOwned = true
  }

  private init(borrowing raw: CInt, isFiltered: Bool = false) {
    self.raw = raw
    name = "-"
    isNonBlocking = false
    self.isFiltered = isFiltered
    isOwned = false
  }

  package static var standardInput: Descriptor { Descriptor(borrowing: STDIN_FILENO) }
  package static var standardOutput: Descriptor {
    Descriptor(borrowing: STDOUT_FILENO, isFiltered: isOutputTerminal)
  }
  package static var standardError: Descriptor { Descriptor(borrowing: STDERR_FILENO) }

  /// Opens a file for reading; `-` is standard input.
  ///
  /// A folder is refused here (EISDIR), not at the first read, so that output is not started.
  package static func reading(_ path: String) throws(SystemError) -> Descriptor {
    if path == "-" {
      guard Descriptor.standardInput.kind != .folder else { throw SystemError(.open, path, code: EISDIR) }
      return .standardInput
    }
    try OpenStream.requireInherited(path, for: .open)
    let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError(.open, path, code: errno) }
    let descriptor = Descriptor(owning: raw, name: path)
    guard descriptor.kind != .folder else { throw SystemError(.open, path, code: EISDIR) }
    return descriptor
  }

  /// Opens a regular file for reading, without waiting for the other end of a pipe; nil for other kinds of files.
  package static func readingFile(_ path: String) throws(SystemError) -> Descriptor? {
    var raw = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    // Another process holds a lease on the file. This open waits for it; that of a pipe would have succeeded.
    if raw < 0, errno == EWOULDBLOCK { raw = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    // A socket cannot be opened, nor can some devices.
    if raw < 0, errno == ENXIO || errno == ENODEV { return nil }
    guard raw >= 0 else { throw SystemError(.open, path, code: errno) }
    let descriptor = Descriptor(owning: raw, name: path)
    guard descriptor.kind == .regular else { return nil }
    return descriptor
  }

  /// Opens a file, a pipe or an open stream for appending; a new file gets mode 0600.
  package static func appending(to path: String) throws(SystemError) -> Descriptor {
    try OpenStream.requireInherited(path, for: .create)
    let raw = systemOpen(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    return Descriptor(owning: raw, name: path)
  }

  /// Makes a new file, with mode 0666 less the umask.
  package static func creating(_ path: String) throws(SystemError) -> Descriptor {
    let raw = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard raw >= 0 else { throw SystemError(.create, path, code: errno) }
    return Descriptor(owning: raw, name: path)
  }

  package enum Kind: Sendable { case regular, folder, stream }

  /// Whether a read can block (`stream`) or not (`regular`).
  package var kind: Kind {
    var information = stat()
    guard unsafe fstat(raw, &information) == 0 else { return .stream }
    switch information.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .folder
    default: return .stream
    }
  }

  /// The size in bytes of a regular file; nil for other files.
  package var length: Int? {
    var information = stat()
    guard unsafe fstat(raw, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(information.st_size)
  }

  /// The size in bytes of a regular file; 0 for other files.
  package var size: Int { length ?? 0 }

  /// Whether one of the standard streams is a terminal, which sends its signals to the complete job.
  package static var isAnyTerminal: Bool { (0...2).contains { isatty($0) == 1 } }

  package var isTerminal: Bool { isatty(raw) == 1 }

  /// Drops unread input of this terminal, because it cannot be the answer to a later prompt.
  package func forgetTyped() { tcflush(raw, TCIFLUSH) }

  /// Whether a read would return immediately, with data or the end.
  package var isReadable: Bool { Readiness.isReadable(raw) }

  /// Whether a write of up to 4 KiB would return immediately, with success or an error.
  package var isWritable: Bool { Readiness.isWritable(raw) }

  /// Reads available bytes, at most `bytes.count`; 0 is the end.
  package borrowing func read(into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = unsafe systemRead(raw, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno == EAGAIN {
        Readiness.wait(raw, for: POLLIN)
      } else if errno != EINTR {
        throw SystemError(.read, name, code: errno)
      }
    }
  }

  private static let isOutputTerminal = isatty(STDOUT_FILENO) == 1

  /// Writes all of `bytes`, in as many calls as necessary.
  ///
  /// On a terminal, control sequences are removed, because the data can be from other devices. Elsewhere, and
  /// to standard error, each byte is written unchanged: diagnostics are escaped already.
  package borrowing func write(_ bytes: Span<UInt8>) throws(SystemError) {
    guard isFiltered else { return try writeAsIs(bytes) }
    let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    try writeAsIs(Array(text.shownOnTerminal.utf8).span)
  }

  /// The same as ``write(_:)``, but keeps control sequences, such as the colours of a drawing.
  package borrowing func write(drawing bytes: Span<UInt8>) throws(SystemError) { try writeAsIs(bytes) }

  private borrowing func writeAsIs(_ bytes: Span<UInt8>) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe systemWrite(raw, $0.baseAddress! + done, $0.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        Readiness.wait(raw, for: POLLOUT)
      } else if errno != EINTR {
        throw SystemError(.write, name, code: errno)
      }
    }
  }

  package borrowing func write(_ text: String) throws(SystemError) {
    try write(Array(text.utf8).span)
  }

  /// Writes as many bytes as fit, after poll(2) has reported room; 0 if the room has been used in the
  /// meantime.
  ///
  /// An inherited descriptor may be shared, so it is not made non-blocking. Instead a socket has a flag for
  /// each call, and a writable pipe accepts PIPE_BUF bytes at once (POSIX, write).
  package borrowing func writeWithoutBlocking(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    let count = unsafe bytes.withUnsafeBytes {
      if isNonBlocking { return unsafe systemWrite(raw, $0.baseAddress, $0.count) }
      let sent = unsafe send(raw, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT))
      return sent < 0 && errno == ENOTSOCK
        ? unsafe systemWrite(raw, $0.baseAddress, min($0.count, Int(PIPE_BUF))) : sent
    }
    if count >= 0 { return count }
    if errno == EAGAIN || errno == EINTR { return 0 }
    throw SystemError(.write, name, code: errno == ECONNRESET ? EPIPE : errno)
  }

  /// Waits until the file's data are on the disk.
  package borrowing func sync() throws(SystemError) {
    guard fsync(raw) == 0 else { throw SystemError(.write, name, code: errno) }
  }

  /// Closes the descriptor and throws errors that only close(2) reports, such as a full quota on a network
  /// file system.
  package mutating func close() throws(SystemError) {
    guard isOwned else { return }
    isOwned = false
    guard systemClose(raw) == 0 else { throw SystemError(.write, name, code: errno) }
  }

  deinit { if isOwned { _ = systemClose(raw) } }
}
