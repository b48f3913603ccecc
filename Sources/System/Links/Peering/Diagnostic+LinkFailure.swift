import Crypto
import JSONLines
import SyncCore
import SystemIO

extension Diagnostic {
  /// Why a link failed; `remote` is the address of the other side.
  package init(_ failure: LinkFailure, from remote: String) {
    switch failure {
    case .untrustedPeer(nil): self.init(.untrustedPeer, "the other side shows no key", file: remote)
    case .untrustedPeer(let key?):
      self.init(
        .untrustedPeer, "the other side's key is not trusted: \(key.text)", file: remote,
        hint: "pair with it first, or check that this is the device you mean")
    case .untrustedSender(let objection): self.init(.untrustedPeer, objection, file: remote)
    case .refusedByPeer(let reason):
      self.init(
        .refusedByPeer, "the other side refuses this device: \(reason)", file: remote,
        hint: "pair with it, or pair anew where it has forgotten this device")
    case .busyPeer(let error): self.init(.peerBusy, error.message.escapingControls, file: remote)
    case .protocolBroken(let reason): self.init(.protocolBroken, reason, file: remote)
    case .connectionLost(let reason): self.init(.connectionLost, reason, file: remote)
    case .timedOut(let reason): self.init(.timedOut, reason, file: remote)
    case .crowdedOut: self.init(.peerBusy, "pushed out by newer connections", file: remote)
    case .local(let error): self.init(error)
    }
  }
}
