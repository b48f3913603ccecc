package import JSONLines

/// A failed system call: which one, on what, and its errno.
package struct SystemError: Error, Equatable, Sendable {
  /// The failed action, which decides the diagnostic's code and exit status.
  package enum Action: String, Sendable {
    case open, create, lock, read, write, spawn, listen, connect
    /// The code is one of getaddrinfo(3).
    case resolve
  }

  package var action: Action
  package var path: String
  package var code: CInt

  package init(_ action: Action, _ path: String, code: CInt) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// The path cannot be reached.
  package static func unreachable(_ path: String) -> SystemError {
    SystemError(.connect, path, code: EHOSTUNREACH)
  }

  /// An input that is read completely has more bytes than the limit.
  package static func tooLarge(_ path: String) -> SystemError { SystemError(.read, path, code: EFBIG) }

  /// The folder of this device's files is unknown.
  static var homeless: SystemError { SystemError(.open, "$HOME", code: ENOENT) }

  /// A signal asks us to stop.
  package static var interrupted: SystemError { SystemError(.read, "-", code: EINTR) }

  /// The system's own words for the errno, lower-cased at the start to fit a diagnostic.
  package var reason: String {
    if action == .resolve, code == EAI_NONAME { return "unknown host name" }
    let text =
      unsafe action == .resolve ? String(cString: gai_strerror(code)) : String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The reader of our output has gone away; this is not reported as an error.
  package var isBrokenPipe: Bool { action == .write && code == EPIPE }

  /// A blocking call was ended by SIGINT or SIGTERM.
  package var isInterruption: Bool { action != .resolve && code == EINTR }

  /// The device, or the connection to it, is faulty.
  package var isOfDevice: Bool { [EIO, ENXIO, ERANGE].contains(code) }

  /// No descriptor or memory is left, which may change in a moment.
  package var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }

  /// Another process has held a lock for too long.
  package var isHeld: Bool { action == .lock && code == EWOULDBLOCK }

  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  package var isReadOnly: Bool { code == EROFS }

  package var isMissing: Bool { action != .resolve && (code == ENOENT || code == ENOTDIR) }
}

extension Diagnostic {
  package init(_ error: SystemError) {
    if error == .homeless {
      self.init(.fileNotFound, "HOME is not set", hint: "PEERSYNC_HOME names a folder in its place")
      return
    }
    if error.isInterruption {
      self.init(.interrupted, "ended early")
      return
    }
    let code: ErrorCode =
      switch error.action {
      case .open: error.isMissing ? .fileNotFound : .notReadable
      case .create: .cannotCreate
      case .lock: error.isHeld ? .storeBusy : .cannotCreate
      case .read: error.code == EFBIG ? .fileTooLarge : .readFailed
      case .write: .writeFailed
      case .listen: .cannotListen
      case .connect, .resolve: .cannotConnect
      case .spawn: error.isMissing || error.code == EACCES ? .commandNotFound : .commandFailed
      }
    self.init(code, error.isHeld ? Self.holder(of: error.path) : error.reason, file: error.path)
  }

  private static func holder(of lock: String) -> String {
    guard let holder = FileLock.holder(of: lock) else { return "another process holds the lock" }
    return "process \(holder.process) (\(holder.name)) holds the lock"
  }
}

extension Diagnostic {
  /// A C library that is loaded on demand is missing.
  package static func missing(_ library: String, package: String) -> Diagnostic {
    Diagnostic(
      .commandNotFound, "\(library) is not installed",
      hint: "install it, such as with: apt-get install \(package)")
  }
}
