package import JSONLines

/// A failed system call: the action, its subject, and the errno.
package struct SystemError: Error, Equatable, Sendable {
  /// The failed action, which determines the diagnostic's code and exit status.
  package enum Action: String, Sendable {
    case open, create, lock, read, write, spawn, listen, connect
    /// The resolution of a host name; the code is an error code of getaddrinfo(3).
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

  /// The error for a path that cannot be reached.
  package static func unreachable(_ path: String) -> SystemError {
    SystemError(.connect, path, code: EHOSTUNREACH)
  }

  /// The error for an input that must be read completely but has more bytes than the limit.
  package static func tooLarge(_ path: String) -> SystemError { SystemError(.read, path, code: EFBIG) }

  /// The error if the folder of this device's files is unknown.
  static var homeless: SystemError { SystemError(.open, "$HOME", code: ENOENT) }

  /// The error after a signal to stop.
  package static var interrupted: SystemError { SystemError(.read, "-", code: EINTR) }

  /// The system's text for the errno, with a lower-case first letter for a diagnostic.
  package var reason: String {
    if action == .resolve, code == EAI_NONAME { return "unknown host name" }
    let text =
      unsafe action == .resolve ? String(cString: gai_strerror(code)) : String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Whether the reader has closed our output; this is not reported as an error.
  package var isBrokenPipe: Bool { action == .write && code == EPIPE }

  /// Whether SIGINT or SIGTERM ended a blocking call.
  package var isInterruption: Bool { action != .resolve && code == EINTR }

  /// Whether the device, or the connection to it, is faulty.
  package var isOfDevice: Bool { [EIO, ENXIO, ERANGE].contains(code) }

  /// Whether descriptors or memory are used up, which may be temporary.
  package var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }

  /// Whether the permissions do not allow the access; EPERM has other causes, such as macOS privacy settings.
  package var isDenied: Bool { action != .resolve && code == EACCES }

  /// Whether the permissions do not allow to make a file.
  package var isUnwritable: Bool { action == .create && isDenied }

  /// Whether a firewall has refused a connection that was to be accepted.
  package var isForbidden: Bool { action == .listen && code == EPERM }

  /// Whether another process has held a lock for too long.
  package var isHeld: Bool { action == .lock && code == EWOULDBLOCK }

  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  package var isReadOnly: Bool { code == EROFS }

  package var isMissing: Bool { action != .resolve && (code == ENOENT || code == ENOTDIR) }
}

extension Diagnostic {
  package init(_ error: SystemError) {
    if error == .homeless {
      self.init(.fileNotFound, "HOME is not set", hint: "set HOME, or set PEERSYNC_HOME to a folder")
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
  /// The diagnostic about a missing C library that is loaded on demand.
  package static func missing(_ library: String, package: String) -> Diagnostic {
    Diagnostic(
      .commandNotFound, "\(library) is not installed",
      hint: "install the library, for example: apt-get install \(package)")
  }
}
