import Crypto
import JSONLines
package import SyncCore
import SystemIO

/// Which links are open, and whether there is room for one more.
package final class OpenLinks {
  private let limit: Int
  /// The maximum for one peer; nil for all places.
  private let limitOfPeer: Int?
  /// The oldest first.
  private var links: [Link] = []

  package init(limit: Int) { (self.limit, limitOfPeer) = (limit, nil) }

  /// With a share of the places for each peer: if a peer opens more links, its oldest makes room.
  ///
  /// Creates it for links whose sessions can be resumed.
  package init(sharing limit: Int) {
    (self.limit, limitOfPeer) = (limit, limit < 3 ? 1 : max(2, limit / 4))
  }

  package func handle(_ event: LinkLoop.Event) {
    switch event {
    case .opened(let link):
      links.append(link)
      makeRoom(for: link.peer)
    case .closed(let link): links.removeAll { $0 === link }
    case .refused: break
    }
  }

  /// Why a peer cannot have one more link; nil if it can, or over version 1 if it is not known yet.
  package func refusal(of peer: LinkPeer?) -> PeerError? {
    if let limitOfPeer, count(of: peer) >= limitOfPeer { return nil }
    return links.count < limit ? nil : PeerError(.busy, "\(limit) links are in use: try again later")
  }

  private func makeRoom(for peer: LinkPeer?) {
    guard let limitOfPeer, count(of: peer) > limitOfPeer else { return }
    let oldest = links.first { $0.peer?.peerId == peer?.peerId && $0.isOpen }
    oldest?.fail(.crowdedOut, at: SystemClock.monotonic())
  }

  /// Links that have ended will be removed shortly.
  private func count(of peer: LinkPeer?) -> Int {
    guard let peer else { return 0 }
    return links.count { $0.peer?.peerId == peer.peerId && $0.isOpen }
  }
}

extension Diagnostic {
  /// Why a link failed; `remote` is the address of the other side.
  package init(_ failure: LinkFailure, from remote: String) {
    switch failure {
    case .untrustedPeer(nil): self.init(.untrustedPeer, "the other side shows no key", file: remote)
    case .untrustedPeer(let key?):
      self.init(
        .untrustedPeer, "the other side's key is not trusted: \(key.text)", file: remote,
        hint: "pair with it first, or check that this is the right device")
    case .untrustedSender(let objection): self.init(.untrustedPeer, objection, file: remote)
    case .refusedByPeer(let reason):
      self.init(
        .refusedByPeer, "the other side refuses this device: \(reason)", file: remote,
        hint: "pair with it, or pair again if it has forgotten this device")
    case .busyPeer(let error): self.init(.peerBusy, error.message.escapingControls, file: remote)
    case .protocolBroken(let reason): self.init(.protocolBroken, reason, file: remote)
    case .connectionLost(let reason): self.init(.connectionLost, reason, file: remote)
    case .timedOut(let reason): self.init(.timedOut, reason, file: remote)
    case .crowdedOut: self.init(.peerBusy, "replaced by newer connections", file: remote)
    case .stopped: self.init(.peerBusy, "this side is ending and accepts no more connections", file: remote)
    case .local(let error): self.init(error)
    }
  }
}
