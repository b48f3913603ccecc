package import CommandLineTool
package import SyncCore
package import Transport

extension Diagnostic {
  package init(_ error: TransportError) {
    switch error {
    case .system(let error): self.init(error)
    case .library(let function, let reason): self.init(.systemFailure, "\(function): \(reason)")
    case .noIdentity(let path):
      self.init(
        .noIdentity, "this device has no identity yet", file: path, hint: "make one with: peerpair identity")
    case .damagedIdentity(let path, let reason): self.init(.damagedRecord, reason, file: path)
    case .looseFile(let path, let problem, let remedy):
      self.init(.looseSecretFile, problem, file: path, hint: remedy)
    case .invalidDeviceName(let name, let reason):
      self.init(.invalidOptionValue, "device name '\(name)': \(reason)")
    }
  }

  package init(_ error: TrustError) {
    switch error {
    case .transport(let error): self.init(error)
    case .damaged(let path, let line, let message):
      self.init(
        .damagedRecord, message, file: path, line: line,
        hint: "mend or remove the line; nobody is trusted until then")
    case .conflict(let conflict): self.init(conflict)
    }
  }

  package init(_ conflict: TrustConflict) {
    let remedy = conflict.record.map { "if that is right: peerpair forget \($0.peerId)" }
    self.init(.untrustedPeer, conflict.message, hint: remedy)
  }
}
