import History
import JSONLines
package import SyncCore

extension HistoryStore {
  package func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    try write {
      guard let text = try store.checkpoint(store.peer(seen: peer, now: now), .outgoing) else { return nil }
      return StoreToken(text)?.bytes
    }
  }

  package func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    var token: StoreToken?
    if let since = request.since {
      token = StoreToken(bytes: since)
      if token == nil { return .tokenForeign }
    }
    let asker = try write { try store.peer(seen: peer, now: now) }
    var page = StorePage(lines: [], token: [])
    do {
      let end = try store.changes(
        after: token, for: asker, limits: ChangeStore.PageLimits(bytes: request.limit)
      ) { line in
        page.lines.append(line)
        page.lines.append(10)
      }
      (page.token, page.hasMore) = (end.token.bytes, end.hasMore)
    } catch StoreError.foreignToken {
      return .tokenForeign
    } catch StoreError.expiredToken {
      return .tokenExpired
    }
    if request.isResync {
      let held = try store.checkpoint(asker, .outgoing).flatMap { StoreToken($0)?.bytes }
      page.resync = ResyncFacts(
        heldToken: held ?? [],
        quarantinedKeys: try store.quarantinedKeys().map { String(decoding: $0, as: UTF8.self) })
    }
    return .page(page)
  }

  package func apply(_ page: ReceivedPage, fromPeer id: String) throws -> ApplyAnswer {
    do {
      return try write {
        let peer = try store.peer(seen: id, now: now)
        _ = try store.retryQuarantine(shape, drift, .usual)
        if let facts = page.mode.facts {
          try store.beginReplacement(from: peer)
          for key in facts.quarantinedKeys {
            let bytes = Array(key.utf8)
            try store.noteSeen(bytes.span, from: peer)
          }
          pending[id] = facts
        }
        var intake = try PeerIntake(store, from: peer, shape)
        try intake.take(page: page.lines.span, drift: drift, now: now, notingSeen: page.mode != .merge)
        try intake.check(.usual)
        if case .resyncEnd = page.mode {
          let theirs = pending[id].flatMap { StoreToken(bytes: $0.heldToken) }
          _ = try store.finishReplacement(from: peer, theirs: theirs, shape, .usual)
        }
        if !page.token.isEmpty, page.mode.movesCheckpoint, let token = StoreToken(bytes: page.token) {
          try store.setCheckpoint(peer, .outgoing, token.text, now: now)
        }
        return .applied(quarantined: intake.counts.quarantined)
      }
    } catch StoreError.tooManyDeletions {
      return .refused
    }
  }

  package func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    guard let token = StoreToken(bytes: token) else { return }
    try write {
      let peer = try store.peer(seen: peer, now: now)
      if try store.standing(of: token) != .foreign {
        try store.setCheckpoint(peer, .incoming, token.text, now: now)
      }
    }
  }

  package func disownChanges(fromPeer peer: String) throws {
    try write { try store.resend(to: store.peer(seen: peer, now: now)) }
  }
}

extension ReceivedPage.Mode {
  fileprivate var movesCheckpoint: Bool {
    if case .resync = self { false } else { true }
  }
}
