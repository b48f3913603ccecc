import CommandLine
import CommonInputs
import JSONLines
import PairingInputs
import Pairing
import SyncCore
import SystemIO

extension QrpayloadTool {
  static func runRead(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let text = try contents(of: settings.file)
    let (payload, problems) = check(text, settings)
    if let problem = problems.first, settings.verifies {
      let diagnostic = Diagnostic(problem)
      throw payload == nil ? diagnostic.hinting(atEncodingOf: text.span, in: settings.file) : diagnostic
    }
    let line = settings.verifies ? payload?.json ?? .null : report(payload, problems)
    if payload != nil { try SecretSource.checkStandardOutput() }
    try Descriptor.standardOutput.write(line: line)
    return payload == nil ? .no : .done
  }

  /// The content of an open stream, or of a file that only its owner can read.
  static func contents(of path: String) throws -> [UInt8] {
    if path != "-", let looseness = try FileMode.looseness(ofSecret: path) {
      throw Diagnostic(.looseSecretFile, looseness.problem, file: path, hint: looseness.remedy)
    }
    // One byte more than the limit, so that longer input is detected.
    return try ByteInput.beginning(of: path, limit: PairingPayload.longestText + 1)
  }

  private static func check(
    _ text: [UInt8], _ settings: Settings
  ) -> (payload: PairingPayload?, problems: [PairingPayloadProblem]) {
    do throws(PairingPayloadProblem) {
      let payload = try PairingPayload(parsing: text.span)
      let problems = payload.problems(
        at: settings.now ?? .wallClock, service: settings.service.text, version: settings.version)
      return (payload, problems)
    } catch {
      return (nil, [error])
    }
  }

  private static func report(_ payload: PairingPayload?, _ problems: [PairingPayloadProblem]) -> JSONValue {
    let problems = problems.map { problem in
      JSONValue.object(
        [.init("code", .string(problem.code.rawValue)), .init("message", .string(problem.message))]
          + problem.facts)
    }
    return .object([.init("payload", payload?.json ?? .null), .init("problems", .array(problems))])
  }
}

extension Diagnostic {
  init(_ problem: PairingPayloadProblem) {
    self.init(problem.code, problem.message, hint: problem.hint)
    ending = .no
    facts = problem.facts
  }
}

extension PairingPayloadProblem {
  fileprivate var facts: [JSONMember] {
    clockSkewSeconds.map { [JSONMember("clockSkewSeconds", .integer($0))] } ?? []
  }

  fileprivate var hint: String? {
    switch self {
    case .invalid: "type or scan the whole code again"
    case .expired where clockSkewSeconds != nil:
      "compare the clocks of both devices, or make a new pairing code"
    case .expired, .weakSecret: "make a new pairing code on the other device"
    case .incompatibleVersion, .wrongServiceType: nil
    }
  }
}
