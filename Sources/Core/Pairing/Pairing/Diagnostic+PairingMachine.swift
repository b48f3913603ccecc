package import JSONLines
import SyncCore

extension Diagnostic {
  /// Why a pairing has ended without trust.
  package init(_ machine: PairingMachine) {
    let event = machine.last ?? .end
    let (code, matter) = event == .peerRefuses ? Self.refusal(machine.refusal) : Self.reason(event)
    self.init(code, machine.detail.map { "\(matter): \($0)" } ?? matter)
    if event == .wrongFingerprint {
      hint = "another device or an attacker may have answered: try the next one"
    }
    // An expired or invalid payload is an error here, not an answer.
    if code == .expiredPairingPayload || code == .invalidQRCodePayload { ending = .refused }
  }

  private static func refusal(_ code: PeerErrorCode?) -> (ErrorCode, String) {
    let known: ErrorCode? =
      switch code {
      case .incompatibleProtocolVersion: .otherProtocolVersion
      case .frameTooLarge: .messageTooLarge
      case .invalidQRCodePayload: .invalidQRCodePayload
      case .expiredPairingPayload: .expiredPairingPayload
      case .invalidPairingSession: .invalidPairingSession
      case .invalidPairingSecret: .invalidPairingSecret
      case .untrustedPeer: .untrustedPeer
      default: nil
      }
    return (known ?? .peerError, "the other side refused")
  }

  private static func reason(_ event: PairingEvent) -> (ErrorCode, String) {
    switch event {
    case .wrongFingerprint: (.wrongFingerprint, "the other side's key is not that of the pairing code")
    case .wrongProof: (.invalidPairingSecret, "the other side does not have the secret of this pairing")
    case .secretInClear: (.invalidPairingSecret, "the other side sent the secret unencrypted")
    case .wrongSession: (.invalidPairingSession, "the other side is not in this pairing session")
    case .expired: (.expiredPairingPayload, "the pairing code has expired")
    case .wrongVersion: (.otherProtocolVersion, "the other side uses another protocol version")
    case .stranger: (.untrustedPeer, "the other side must not be trusted")
    case .tooLarge: (.messageTooLarge, "a message has more than \(PairingGate.limit) bytes")
    case .unreadable: (.protocolBroken, "the other side sent bytes that are not a message")
    case .peerIsBusy: (.peerBusy, "the other side is busy")
    case .end: (.connectionClosed, "the other side closed the connection")
    case .timeOut: (.timedOut, "the other side did not send a message in time")
    default: (.protocolBroken, "the other side sent an unexpected message")
    }
  }
}
