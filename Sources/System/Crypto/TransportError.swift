package import SystemIO

/// What goes wrong with keys, certificates and streams.
package enum TransportError: Error, Equatable, Sendable {
  /// A function of the library failed, with the library's own reason.
  case library(function: String, reason: String)
  case system(SystemError)
  /// There is no identity at this path yet.
  case noIdentity(path: String)
  /// The file is there and holds no identity.
  case damagedIdentity(path: String, reason: String)
  /// Others can read or replace the file.
  case looseFile(path: String, problem: String, remedy: String)
  case invalidDeviceName(String, reason: String)
}

extension TransportError {
  /// The error of a library function that just failed; the library's queue of errors is empty afterwards.
  package init(library function: String) {
    self = .library(function: function, reason: LibraryErrors.take() ?? "unknown error")
  }

  /// What `body` throws, as an error of this module.
  package static func wrapping<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(TransportError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }
}
