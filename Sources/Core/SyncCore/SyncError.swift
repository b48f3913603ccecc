public import JSONLines
// Apps use only this type of JSONLines; the module itself is not a product.
@_exported public import enum JSONLines.ErrorCode

/// Why a call of the library failed; unless stated otherwise, the call did not change anything.
public struct SyncError: Error, Equatable, Sendable {
  /// The stable name of the error; docs/exit-status.md lists them.
  public let code: ErrorCode
  /// The error in words: lower-case, no final period; foreign text has its control characters escaped.
  public let message: String
  /// The remedy, if any; in terms of the tools, which use the same files.
  public let remedy: String?
  /// The file, peer or address concerned, or the JSON Pointer in a profile.
  public let place: String?
  /// The number of the text concerned, counted from 0 in the order given.
  public let text: Int?
  /// The line of the text or of the file, counted from 1.
  public let line: Int?

  /// Whether the same call may succeed later.
  public var isRetryable: Bool { code.isRetryable }

  package init(_ diagnostic: Diagnostic, text: Int? = nil) {
    (code, message, remedy) = (diagnostic.code, diagnostic.message, diagnostic.hint)
    (place, line, self.text) = (diagnostic.file, diagnostic.line, text)
  }

  package init(_ error: some Explained, place: String? = nil, text: Int? = nil, line: Int? = nil) {
    self.init(Diagnostic(error, file: place, line: line), text: text)
  }
}

extension SyncError {
  /// Converts the errors of `body`, which have one type, to errors of the library.
  package static func of<Failure: Explained, Value>(
    _: Failure.Type, _ body: () throws(Failure) -> Value
  ) throws(SyncError) -> Value {
    do throws(Failure) { return try body() } catch { throw SyncError(error) }
  }
}

extension SyncError: CustomStringConvertible {
  /// `line 3: no key: 'id' is missing`; the remedy, if any, follows after a semicolon.
  public var description: String {
    let places = [place, text.map { "text \($0)" }, line.map { "line \($0)" }].compactMap { $0 }
    return (places + [message]).joined(separator: ": ") + (remedy.map { "; \($0)" } ?? "")
  }
}
