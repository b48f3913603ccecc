package import JSONLines

/// An exit status: a number of sysexits, or the status of a command that the tool ran.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let done = ExitStatus(rawValue: 0)
  package static let no = ExitStatus(rawValue: 1)
  package static let usage = ExitStatus(rawValue: 64)
  package static let badData = ExitStatus(rawValue: 65)
  package static let noInput = ExitStatus(rawValue: 66)
  package static let unavailable = ExitStatus(rawValue: 69)
  package static let bug = ExitStatus(rawValue: 70)
  package static let system = ExitStatus(rawValue: 71)
  package static let cannotCreate = ExitStatus(rawValue: 73)
  package static let inputOutput = ExitStatus(rawValue: 74)
  package static let tryAgain = ExitStatus(rawValue: 75)
  package static let protocolBroken = ExitStatus(rawValue: 76)
  package static let refused = ExitStatus(rawValue: 77)
  package static let configuration = ExitStatus(rawValue: 78)
  /// In a command's list: any status of the program that the command runs.
  package static let ofProgram = ExitStatus(rawValue: 256)

  /// Every status with its meaning, the source of help pages, man pages and docs/exit-status.md.
  package static let table: [(status: ExitStatus, meaning: String)] = [
    (.done, "Done, with or without differences."),
    (.no, "The answer is no: differences with --exit-code, nothing found, an invalid payload."),
    (.usage, "The command line is wrong."),
    (.badData, "The input has bad data, or a run succeeded only in part."),
    (.noInput, "An input file is missing or cannot be read."),
    (.unavailable, "A required service or program is not available."),
    (.bug, "A bug in the tool."),
    (.system, "The operating system refused a call."),
    (.cannotCreate, "An output file cannot be created."),
    (.inputOutput, "Reading or writing failed."),
    (.tryAgain, "A temporary failure: try again."),
    (.protocolBroken, "The other side broke the protocol."),
    (.refused, "Refused: trust, a key or a safety limit does not allow it."),
    (.configuration, "The configuration is wrong."),
  ]

  package var meaning: String {
    Self.table.first { $0.status == self }?.meaning ?? "The exit status of COMMAND; 128 + n after signal n."
  }

  /// The name in a table of statuses.
  var name: String { self == .ofProgram ? "other" : "\(rawValue)" }
}

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
