import Foundation
import Testing

extension Optional where Wrapped == ExitTest.Result {
  /// What the process wrote to standard output.
  var output: String? { map { String(decoding: $0.standardOutputContent, as: UTF8.self) } }

  /// What it wrote to standard error.
  var errors: String? { map { String(decoding: $0.standardErrorContent, as: UTF8.self) } }
}

/// Writes `.` to a stream that should stay empty otherwise.
///
/// Of a process that writes nothing, the library (6.3.1) returns the random bytes with which it marks the end.
func mark(_ stream: Int32) {
  unsafe write(stream, ".", 1)
}
