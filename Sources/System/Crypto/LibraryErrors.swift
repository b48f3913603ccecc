internal import COpenSSL

/// The queue of errors that OpenSSL keeps for each thread.
package enum LibraryErrors {
  /// The first reason in the queue, which is then empty; nil where nothing went wrong.
  package static func take() -> String? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return nil }
    // A static text of the library, or nil for a code that it does not know.
    guard let reason = unsafe ERR_reason_error_string(code) else { return "error \(code)" }
    return unsafe String(cString: reason)
  }
}
