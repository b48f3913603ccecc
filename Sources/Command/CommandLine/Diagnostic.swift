package import JSONLines

/// Something to tell the user: a stable code, a place, the matter, and a remedy where there is one.
package struct Diagnostic: Error, Equatable, Sendable {
  package var code: DiagnosticCode
  /// Lower-case, no final period.
  package var message: String
  package var file: String?
  /// 1-based.
  package var line: Int?
  /// Byte offset in the file or stream, 0-based.
  package var offset: Int?
  package var hint: String?
  /// How the process ends where the code's own status does not say it: a payload that is not valid is an answer.
  package var exit: ExitStatus
  /// Members that the JSON form has besides.
  package var facts: [JSONMember] = []

  package init(
    _ code: DiagnosticCode, _ message: String, file: String? = nil, line: Int? = nil, offset: Int? = nil,
    hint: String? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.line = line
    self.offset = offset
    self.hint = hint
    exit = code.exit
  }

  /// `capture.bin: offset 12: truncated header: need 4 bytes, have 2`.
  package var text: String {
    var parts: [String] = []
    if let file { parts.append(file.isEmpty ? "''" : file) }
    if let line { parts.append("line \(line)") } else if let offset { parts.append("offset \(offset)") }
    return (parts + [message]).joined(separator: ": ")
  }

  /// The members of the JSON form, in the order in which docs/exit-status.md shows them.
  package func members(tool: String) -> JSONValue {
    var members: [JSONMember] = [
      .init("code", .string(code.rawValue)), .init("message", .string(message)), .init("tool", .string(tool)),
    ]
    if let file { members.append(.init("file", .string(file))) }
    if let line { members.append(.init("line", .integer(line))) }
    if let offset { members.append(.init("offset", .integer(offset))) }
    members.append(.init("exit", .integer(exit.rawValue)))
    if let hint { members.append(.init("hint", .string(hint))) }
    members.append(.init("retryable", .bool(code.isRetryable)))
    return .object(members + facts)
  }
}
