import CommandLineTool
import SyncCore
import SystemIO
import Transport
import Trust

extension PeerpairTool {
  /// Runs a command; errors of the modules below become diagnostics.
  static func reporting(_ body: () throws -> ExitStatus) throws -> ExitStatus {
    do {
      return try body()
    } catch let error as TransportError {
      throw Diagnostic(error)
    } catch let error as TrustError {
      throw Diagnostic(error)
    } catch let error as PeerlinkVariables.Missing {
      throw Diagnostic(
        .noConnectionFacts, "\(error.name) is not \(error.expected)", hint: "let peerlink run this command")
    }
  }
}

extension Diagnostic {
  init(_ error: TransportError) {
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

  init(_ error: TrustError) {
    switch error {
    case .transport(let error): self.init(error)
    case .damaged(let path, let line, let message):
      self.init(
        .damagedRecord, message, file: path, line: line,
        hint: "mend or remove the line; nobody is trusted until then")
    case .conflict(let conflict): self.init(conflict)
    }
  }

  init(_ conflict: TrustConflict) {
    let remedy = conflict.record.map { "if that is right: peerpair forget \($0.peerId)" }
    self.init(.untrustedPeer, conflict.message, hint: remedy)
  }

  /// Why a pairing has ended without trust.
  init(_ machine: PairingMachine) {
    let event = machine.last ?? .end
    let (code, matter) = event == .peerRefuses ? Self.refusal(machine.refusal) : Self.reason(event)
    self.init(code, machine.detail.map { "\(matter): \($0)" } ?? matter)
    if event == .wrongFingerprint {
      hint = "this is another device, or somebody in between: try the next one"
    }
    // A payload that has expired is no mere answer here.
    if code.exit == .no { exit = .refused }
  }

  private static func refusal(_ code: PeerErrorCode?) -> (DiagnosticCode, String) {
    let known: DiagnosticCode? =
      switch code {
      case .incompatibleProtocolVersion: .otherProtocolVersion
      case .frameTooLarge: .messageTooLarge
      default: code.flatMap { DiagnosticCode(rawValue: $0.rawValue) }
      }
    return (known ?? .peerError, "the other side refuses")
  }

  private static func reason(_ event: PairingEvent) -> (DiagnosticCode, String) {
    switch event {
    case .wrongFingerprint: (.wrongFingerprint, "the other side's key is not the one of the payload")
    case .wrongProof: (.invalidPairingSecret, "the other side does not know the secret of this pairing")
    case .secretInClear: (.invalidPairingSecret, "the other side has sent the secret in clear")
    case .wrongSession: (.invalidPairingSession, "the other side is not in this pairing session")
    case .expired: (.expiredPairingPayload, "the payload has expired")
    case .wrongVersion: (.otherProtocolVersion, "the other side speaks another protocol version")
    case .stranger: (.untrustedPeer, "the other side must not be trusted")
    case .tooLarge: (.messageTooLarge, "a message has more than \(PairingLines.longest) bytes")
    case .unreadable: (.protocolBroken, "the other side has sent no message")
    case .peerIsBusy: (.peerBusy, "the other side has no time")
    case .end: (.connectionClosed, "the other side has gone away")
    case .timeOut: (.timedOut, "the other side has said too little for too long")
    default: (.protocolBroken, "the other side has sent a message that has no place here")
    }
  }
}
