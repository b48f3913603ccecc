import CommandLine
import CommonInputs
import JSONLines
import Links
import Pairing
import Sessions
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Prints the findings of `peersync doctor` one by one, and counts the problems.
final class Doctor {
  /// The subject of a finding.
  enum Part: String { case device, peers, remotes, store, sources, programs, network, clock }

  private enum State: String { case well, note, problem }

  let settings: PeersyncTool.Settings
  let console: Console
  private let isForPeople: Bool
  private(set) var problems = 0
  /// The notes about earlier runs; empty until the peers have been checked.
  var transfers: [TransferRecord] = []

  init(_ settings: PeersyncTool.Settings, on console: Console) {
    (self.settings, self.console) = (settings, console)
    isForPeople = settings.listing.isForPeople
  }

  // MARK: Findings

  func well(_ part: Part, _ message: String) throws { try tell(part, .well, message) }

  func note(_ part: Part, _ message: String, hint: String) throws {
    try tell(part, .note, message, hint: hint)
  }

  func problem(_ part: Part, _ diagnostic: Diagnostic) throws {
    if Interruption.pending != nil { throw SystemError.interrupted }
    problems += 1
    var diagnostic = diagnostic
    if let line = diagnostic.line { diagnostic.message = "line \(line): \(diagnostic.message)" }
    let file = diagnostic.file.map { "\($0): " } ?? ""
    let hint =
      diagnostic.hint ?? diagnostic.file.flatMap { FileMode.denialHint($0) }
      ?? Self.remedy(part, diagnostic.code)
    try tell(part, .problem, file + diagnostic.message, code: diagnostic.code, hint: hint)
  }

  /// Reports a peer or remote that has answered; an incomplete file of a folder may hold further changes.
  func answered(_ part: Part, _ name: String, _ report: SessionReport) throws {
    let sentence = "\(name) answers; changes to receive: \(report.changesReceived)"
    guard !report.awaited.isEmpty else { return try well(part, sentence) }
    try note(
      part, "\(sentence), and more in files that are missing or incomplete: \(report.awaited.count)",
      hint: "wait until they are copied; if they stay incomplete, run 'peersync run' on the device that "
        + "writes them")
  }

  /// The remedy for an error without a hint.
  private static func remedy(_ part: Part, _ code: ErrorCode) -> String {
    switch (part, code) {
    case (.device, _):
      "restore the file from a backup; without a backup, remove the file, forget the peers and pair again"
    case (.remotes, .fileNotFound): "restore the file, or name another file: peersync remote add"
    case (.remotes, _): "fix or remove the line, or remove the file and add the remotes again"
    case (.sources, _): "fix the file or table; until then it is neither read nor written"
    default: "'synclog verify' and 'peersync status --check' report more"
    }
  }

  /// Prints the message that `body` returns, or the error that it throws.
  func look(_ part: Part, _ body: () throws -> String?) throws {
    do {
      let path = settings.store.path
      if let message = try Diagnostic.naming(store: path, { try Diagnostic.wrapping(body) }) {
        try well(part, message)
      }
    } catch let error as SystemError where error.isInterruption {
      throw error
    } catch {
      try problem(part, SyncRun.diagnostic(error))
    }
  }

  private func tell(
    _ part: Part, _ state: State, _ message: String, code: ErrorCode? = nil, hint: String? = nil
  ) throws {
    guard isForPeople else {
      var members: [JSONMember] = [
        .init("part", .string(part.rawValue)), .init("state", .string(state.rawValue)),
      ]
      if let code { members.append(.init("code", .string(code.rawValue))) }
      members.append(.init("message", .string(message)))
      if let hint { members.append(.init("hint", .string(hint))) }
      return try Descriptor.standardOutput.write(line: .object(members))
    }
    let mark = TextCells.padded(state.rawValue, to: 9) + TextCells.padded(part.rawValue, to: 10)
    var text = mark + message.escapingControls + "\n"
    if let hint { text += TextCells.padded("", to: 19) + "→ " + hint.escapingControls + "\n" }
    try Descriptor.standardOutput.write(text)
  }
}
