internal import COpenSSL
package import JSONLines
package import SystemIO

/// An error of keys, certificates and streams.
package enum TransportError: Error, Equatable, Sendable {
  /// A function of the library failed, with the reason that the library reports.
  case library(function: String, reason: String)
  case system(SystemError)
  /// The identity at this path does not exist yet; `obstacle` is the error that would prevent making one.
  case noIdentity(path: String, obstacle: SystemError? = nil)
  /// The file exists but does not contain an identity.
  case damagedIdentity(path: String, reason: String)
  /// Others can read or replace the file.
  case looseFile(path: String, problem: String, remedy: String)
  /// The path is a FIFO, a socket or a device instead of a regular file.
  case notRegular(path: String)
  case invalidDeviceName(String, reason: String)
}

extension TransportError {
  /// The error of a library function that just failed; the library's queue of errors is empty afterwards.
  package init(library function: String) {
    self = .library(function: function, reason: LibraryErrors.take() ?? "unknown error")
  }

  /// Rethrows errors of `body` as errors of this module.
  package static func wrapping<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(TransportError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }
}

extension Diagnostic {
  package init(_ error: TransportError) {
    switch error {
    case .system(let error): self.init(error)
    case .library(let function, let reason): self.init(.systemFailure, "\(function): \(reason)")
    case .noIdentity(let path, let obstacle?):
      self.init(
        .cannotCreate, "this device does not have an identity yet, and cannot make one: \(obstacle.reason)",
        file: path,
        hint: "set PEERSYNC_HOME to a writable folder")
    case .noIdentity(let path, nil):
      self.init(
        .noIdentity, "this device does not have an identity yet", file: path,
        hint: "make an identity with: peerpair identity")
    case .damagedIdentity(let path, let reason): self.init(.damagedRecord, reason, file: path)
    case .looseFile(let path, let problem, let remedy):
      self.init(.looseSecretFile, problem, file: path, hint: remedy)
    case .notRegular(let path):
      self.init(
        .notReadable, "not a regular file", file: path,
        hint: "remove it, and restore the file from a backup")
    case .invalidDeviceName(let name, let reason):
      self.init(.invalidOptionValue, "invalid device name '\(name)': \(reason)")
    }
  }
}

/// The queue of errors that OpenSSL keeps for each thread.
package enum LibraryErrors {
  /// The first reason in the queue; empties the queue.
  ///
  /// The result is nil without an error.
  package static func take() -> String? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return nil }
    // The library returns a static text, or nil for an unknown code.
    guard let reason = unsafe ERR_reason_error_string(code) else { return "error \(code)" }
    return unsafe String(cString: reason)
  }
}
