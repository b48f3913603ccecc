import Crypto
import JSONLines
package import SyncCore
import SystemIO

/// The open links, and the limit of their number.
package final class OpenLinks {
  private let limit: Int
  /// The maximum number of links of one peer; nil without such a limit.
  private let limitOfPeer: Int?
  /// The links, the oldest first.
  private var links: [Link] = []

  package init(limit: Int) { (self.limit, limitOfPeer) = (limit, nil) }

  /// Limits the links of each peer too: if a peer opens more links, its oldest link is closed.
  ///
  /// Use it for links with resumable sessions.
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

  /// The reason to refuse one more link; nil if it is accepted.
  ///
  /// In version 1, `peer` is nil until the peer is known.
  package func refusal(of peer: LinkPeer?) -> PeerError? {
    if let limitOfPeer, count(of: peer) >= limitOfPeer { return nil }
    guard links.count(where: { !$0.isClosed }) >= limit else { return nil }
    let count = limit == 1 ? "1 link is" : "\(limit) links are"
    return PeerError(.busy, "\(count) in use: try again later")
  }

  private func makeRoom(for peer: LinkPeer?) {
    guard let limitOfPeer, let peer, count(of: peer) > limitOfPeer else { return }
    let used = links.filter { isUsed($0, by: peer) }
    guard let oldest = used.first(where: { !$0.isOpen }) ?? used.first else { return }
    let now = SystemClock.monotonic()
    // A link that only waits for the end of the other side's stream has not failed.
    if oldest.isOpen { oldest.fail(.crowdedOut, at: now) } else { oldest.endConnection(at: now) }
  }

  /// The number of a peer's links, without closed links, which will be removed soon.
  private func count(of peer: LinkPeer?) -> Int {
    guard let peer else { return 0 }
    return links.count { isUsed($0, by: peer) }
  }

  /// Whether a link uses a connection of this peer; a link that waits for the other side's end does so too.
  private func isUsed(_ link: Link, by peer: LinkPeer) -> Bool {
    !link.isClosed && link.peer?.isSame(as: peer) == true
  }
}

extension Diagnostic {
  /// The diagnostic for a failed link; `remote` is the address of the other side.
  package init(_ failure: LinkFailure, from remote: String) {
    switch failure {
    case .untrustedPeer(nil): self.init(.untrustedPeer, "the other side does not show a key", file: remote)
    case .untrustedPeer(let key?):
      self.init(
        .untrustedPeer, "the other side's key is not trusted: \(key.text)", file: remote,
        hint: "pair with it first, or check that this is the right device")
    case .untrustedSender(let objection): self.init(.untrustedPeer, objection, file: remote)
    case .refusedByPeer(let reason):
      self.init(
        .refusedByPeer, "the other side refuses this device: \(reason)", file: remote,
        hint: "pair with it, or pair again if it has forgotten this device; with --peer it accepts only "
          + "another peer")
    case .busyPeer(let error): self.init(.peerBusy, error.message.escapingControls, file: remote)
    case .protocolBroken(let reason): self.init(.protocolBroken, reason, file: remote)
    case .connectionLost(let reason): self.init(.connectionLost, reason, file: remote)
    case .timedOut(let reason): self.init(.timedOut, reason, file: remote)
    case .crowdedOut: self.init(.peerBusy, "replaced by newer connections", file: remote)
    case .stopped: self.init(.peerBusy, "this side is ending and does not accept connections", file: remote)
    case .local(let error): self.init(error)
    }
  }
}
