package import SyncCore

extension PeerError {
  /// What the other side of a pairing is told with a code; nothing that it could use.
  package init(inPairing code: PeerErrorCode) { self.init(code, code.meaning) }
}

extension PeerErrorCode {
  fileprivate var meaning: String {
    switch self {
    case .invalidPairingSecret: "the pairing secret or proof is wrong"
    case .invalidPairingSession: "there is no such pairing session"
    case .expiredPairingPayload: "the pairing payload has expired"
    case .incompatibleProtocolVersion: "this pairing is of another protocol version"
    case .untrustedPeer: "this peer is not trusted"
    case .frameTooLarge: "a pairing message is smaller"
    default: ""
    }
  }
}
