import CommandLineTool
import JSONLines
import SyncCore
import SystemIO
import Transport

extension Diagnostic {
  /// Why a link failed; `remote` is the address of the other side.
  init(_ failure: LinkFailure, from remote: String) {
    switch failure {
    case .untrustedPeer(nil): self.init(.untrustedPeer, "the other side shows no key", file: remote)
    case .untrustedPeer(let key?):
      self.init(
        .untrustedPeer, "the other side's key is not trusted: \(key.text)", file: remote,
        hint: "pair with it first, or check that this is the device you mean")
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

  init(_ error: TransportError) {
    switch error {
    case .library(let function, let reason): self.init(.systemFailure, "\(function): \(reason)")
    case .system(let error): self.init(error)
    case .noIdentity(let path): self.init(.fileNotFound, "there is no identity here yet", file: path)
    case .damagedIdentity(let path, let reason), .damagedFile(let path, let reason):
      self.init(
        .damagedFile, reason, file: path, hint: "nothing has been changed: put a copy back, or move it away")
    case .looseFile(let path, let problem, let remedy):
      self.init(.looseSecretFile, problem, file: path, hint: remedy)
    case .invalidDeviceName(let name, let reason):
      self.init(.invalidOptionValue, "device name '\(name.escapingControls)': \(reason)")
    case .unknownPeer(let name):
      self.init(.unknownPeer, "no trusted peer is called '\(name.escapingControls)'")
    case .ambiguousPeer(let name, let count):
      self.init(
        .unknownPeer, "\(count) trusted peers are called '\(name.escapingControls)'", hint: "give the id")
    }
  }
}
