import JSONLines
package import CommandLine
package import Pairing
package import SyncCore
import SystemIO

/// The text of a QR symbol, as the scanning side reads it.
package enum PairingText {
  /// Reads a payload (from standard input one line, until `deadline`), and checks that it is valid now.
  package static func read(
    _ source: SecretSource, until deadline: Duration, now: Instant, over version: ProtocolVersion
  ) throws -> PairingPayload {
    let text = try source.place == .standardInput ? line(until: deadline) : source.read().bytes
    do {
      let payload = try PairingPayload(parsing: text.span)
      guard let problem = payload.problems(at: now, version: version).first else { return payload }
      var diagnostic = refusal(problem)
      if let other = payload.version, other != version {
        diagnostic.hint = "use --protocol \(other.rawValue) with this pairing code"
      }
      throw diagnostic
    } catch let problem as PairingPayloadProblem {
      throw refusal(problem)
    }
  }

  private static func refusal(_ problem: PairingPayloadProblem) -> Diagnostic {
    refusal(problem.code, problem.message)
  }

  /// An invalid payload as an error; for `qrpayload read` it is an answer with status 1.
  private static func refusal(_ code: ErrorCode, _ message: String) -> Diagnostic {
    var diagnostic = Diagnostic(code, message)
    diagnostic.ending = .refused
    if code == .invalidQRCodePayload { diagnostic.hint = "type or scan the whole code again" }
    return diagnostic
  }

  private static func line(until deadline: Duration) throws -> [UInt8] {
    var lines = LineChannel(.standardInput, .standardOutput, limit: PairingPayload.longestText)
    switch try lines.receive(until: deadline) {
    case .line(let line): return line
    case .tooLong: throw refusal(.invalidQRCodePayload, "the line is longer than the text of a QR symbol")
    case .end: throw refusal(.invalidQRCodePayload, "the text is missing")
    case .timeOut: throw Diagnostic(.timedOut, "the text did not arrive in time", file: "-")
    }
  }
}
