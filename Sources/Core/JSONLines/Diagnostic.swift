/// Something to tell the user: a stable code, a place, the matter, and a remedy where there is one.
package struct Diagnostic: Explained, Equatable, Sendable {
  package var code: ErrorCode
  /// Lower-case, no final period.
  package var message: String
  package var file: String?
  /// 1-based.
  package var line: Int?
  /// Byte offset in the file or stream, 0-based.
  package var offset: Int?
  package var hint: String?
  /// How the process ends where the code's own status does not say it.
  package var ending = Ending.ofCode
  /// Members that the JSON form has besides.
  package var facts: [JSONMember] = []

  package enum Ending: Sendable {
    case ofCode
    /// A payload that is not valid is an answer.
    case no
    /// What would be an answer elsewhere stops a pairing.
    case refused
  }

  package init(
    _ code: ErrorCode, _ message: String, file: String? = nil, line: Int? = nil, offset: Int? = nil,
    hint: String? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.line = line
    self.offset = offset
    self.hint = hint
  }

  /// What an error says, and where.
  package init(_ error: some Explained, file: String? = nil, line: Int? = nil, offset: Int? = nil) {
    self.init(error.code, error.message, file: file, line: line, offset: offset, hint: error.remedy)
  }

  package var remedy: String? { hint }

  /// `capture.bin: offset 12: truncated header: need 4 bytes, have 2`.
  package var text: String {
    var parts: [String] = []
    if let file { parts.append(file.isEmpty ? "''" : file) }
    if let line { parts.append("line \(line)") } else if let offset { parts.append("offset \(offset)") }
    return (parts + [message]).joined(separator: ": ")
  }
}
