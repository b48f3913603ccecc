package import JSONLines

/// An error in the source of a binding, with its line.
package struct BindingError: Error, Equatable, Sendable {
  package var code: ErrorCode
  /// Lower-case, no final period.
  package var message: String
  /// 1-based.
  package var line: Int?
  package var hint: String?

  init(_ code: ErrorCode, _ message: String, line: Int? = nil, hint: String? = nil) {
    (self.code, self.message, self.line, self.hint) = (code, message, line, hint)
  }
}

extension Diagnostic {
  /// `path` is the source.
  package init(_ error: BindingError, source path: String) {
    self.init(error.code, error.message, file: path, line: error.line, hint: error.hint)
  }
}
