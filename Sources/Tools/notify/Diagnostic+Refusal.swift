import JSONLines
import CommandLine
import Push

extension Diagnostic {
  /// Why a run has ended before its time, and what helps.
  init(_ refusal: SendSummary.Refusal, endpoint: Endpoint) {
    switch refusal.cause {
    case .answer:
      self.init(
        .pushRefused, "the push service takes nothing from us: \(refusal.reason)", file: endpoint.text,
        hint: "notify outbox retry sends again what was refused, once that is put right")
    case .stranger:
      self.init(
        .pushRefused, "nothing is sent to what answers there: \(refusal.reason)", file: endpoint.text,
        hint: "check --endpoint and --ca-file; the pushes wait, and the next send tries them again")
    case .devices:
      self.init(
        .pushRefused, "no device is forgotten: \(refusal.reason)", file: endpoint.text,
        hint: "check --endpoint; the pushes wait. notify devices remove forgets devices that are really gone")
    }
  }
}
