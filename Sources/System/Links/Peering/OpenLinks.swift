import Crypto
package import SyncCore
import SystemIO

/// Which links are open, and whether there is room for one more.
package final class OpenLinks {
  private let limit: Int
  /// How many one peer may have; nil for as many as there are places.
  private let limitOfPeer: Int?
  /// The oldest first.
  private var links: [Link] = []

  package init(limit: Int) { (self.limit, limitOfPeer) = (limit, nil) }

  /// With a share of the places for each peer: where it opens more links than that, its oldest makes room.
  ///
  /// That is for links whose sessions can be taken up again.
  package init(sharing limit: Int) {
    (self.limit, limitOfPeer) = (limit, limit < 3 ? 1 : max(2, limit / 4))
  }

  package func take(_ event: LinkLoop.Event) {
    switch event {
    case .opened(let link):
      links.append(link)
      makeRoom(for: link.peer)
    case .closed(let link): links.removeAll { $0 === link }
    case .refused: break
    }
  }

  /// Why a peer cannot have one more link; nil where it can, or over version 1 where it is not known yet.
  package func refusal(of peer: LinkPeer?) -> PeerError? {
    if let limitOfPeer, count(of: peer) >= limitOfPeer { return nil }
    return links.count < limit ? nil : PeerError(.busy, "all \(limit) places are taken, try again later")
  }

  private func makeRoom(for peer: LinkPeer?) {
    guard let limitOfPeer, count(of: peer) > limitOfPeer else { return }
    let oldest = links.first { $0.peer?.peerId == peer?.peerId && $0.phase == .open }
    oldest?.fail(.crowdedOut, at: SystemClock.monotonic())
  }

  /// Those that have ended are about to go.
  private func count(of peer: LinkPeer?) -> Int {
    guard let peer else { return 0 }
    return links.count { $0.peer?.peerId == peer.peerId && $0.phase == .open }
  }
}
