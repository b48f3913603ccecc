package import JSONLines

extension Diagnostic {
  package var exit: ExitStatus {
    switch ending {
    case .ofCode: code.exit
    case .no: .no
    case .refused: .refused
    }
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
