package import SyncCore
package import Transport

/// How many links are open, and whether there is room for one more.
package final class OpenLinks {
  private let limit: Int
  private var count = 0

  package init(limit: Int) { self.limit = limit }

  package func take(_ event: LinkLoop.Event) {
    switch event {
    case .opened: count += 1
    case .closed: count -= 1
    case .refused: break
    }
  }

  package var refusal: PeerError? {
    count < limit ? nil : PeerError(.busy, "all \(limit) places are taken, try again later")
  }
}
