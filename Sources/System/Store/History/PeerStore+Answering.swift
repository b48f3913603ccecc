import JSONLines
package import SyncCore

extension PeerStore {
  package mutating func page(_ request: PageRequest, forPeer id: String) throws -> PageAnswer {
    var token: StoreToken?
    if let since = request.since {
      token = StoreToken(bytes: since)
      if token == nil { return .tokenForeign }
    }
    do {
      var page = StorePage(lines: [], token: [])
      // Read the facts first, so that the page contains changes that leave quarantine in the meantime.
      if request.isResync { page.resync = try facts(for: id) }
      let limits = ChangeStore.PageLimits(bytes: request.limit)
      var count = 0
      let requester = try known(id)
      if let requester, !isDryRun { try store.disown(beforeAnswering: requester) }
      if !hasRules, let rules = try store.rules() {
        // The store has received rules in the meantime, and the peer has not compared its own rules with
        // them.
        guard request.wantsRules else { return .busy }
        page.rules = rules.rules
      } else if request.wantsRules, hasRules {
        page.rules = shape.rules
      }
      let hasOwn = try requester.map { try isEcho(request, $0) } ?? false
      let end = try store.changes(
        after: token, for: requester, leavingOutEcho: hasOwn, limits: limits, rules: hasRules ? shape : nil
      ) { line in
        page.lines.append(line)
        page.lines.append(10)
        count += 1
      }
      // Another process has stored rules and records since this session read the rules.
      if request.wantsRules, page.rules == nil, count > 0 { return .busy }
      // Unless the request continues at the end of the pages given so far, it requests their changes again.
      if session.given.last?.end != request.since { session.given = [] }
      if end.hasMore, countsRemaining {
        let before = session.given.last?.remaining ?? 0
        page.remaining = before > 0 ? max(1, before - count) : try store.changeCount(after: end.token)
      }
      session.note(GivenPage(end: end.token.bytes, changes: count, remaining: page.remaining))
      (page.token, page.hasMore) = (end.token.bytes, end.hasMore)
      session.read = end.token.sequence
      return .page(page)
    } catch StoreError.foreignToken {
      return .tokenForeign
    } catch StoreError.expiredToken {
      return .tokenExpired
    } catch StoreError.busy, StoreError.rulesChanged {
      return .busy
    }
  }

  /// Whether a requester has all changes that came from it.
  ///
  /// It is false while the requester is read from the beginning, because changes received so far are past the
  /// checkpoint.
  private func isEcho(_ request: PageRequest, _ requester: StorePeer) throws(StoreError) -> Bool {
    if request.tellsNoAck { return request.since != nil }
    guard let acked = request.acked, !acked.isEmpty, acked == (try checkpoint(requester)) else {
      return false
    }
    return try !store.hasReplacement(from: requester)
  }

  /// The facts for a resync; the checkpoint is read first, so lines quarantined later are above it.
  ///
  /// After pruning the facts are empty, because the peer would treat dropped or refused records as deleted.
  /// They are also empty if the keys in quarantine do not fit into a message.
  private func facts(for id: String) throws(StoreError) -> ResyncFacts {
    guard try store.prunes().isEmpty else { return ResyncFacts() }
    let held = try known(id).flatMap { peer throws(StoreError) in try checkpoint(peer) }
    guard let keys = try store.quarantinedKeys(upTo: Self.longestKeys) else { return ResyncFacts() }
    return ResyncFacts(
      heldToken: held ?? [], quarantinedKeys: keys.map { String(decoding: $0, as: UTF8.self) })
  }

  /// The maximum size in bytes of the keys in a message, in addition to its page.
  private static let longestKeys = 1 << 20

  package mutating func acknowledge(_ token: [UInt8], byPeer id: String) throws {
    try store.write {
      let peer = try store.peer(seen: id, now: now())
      guard let token = StoreToken(bytes: token), try store.standing(of: token) != .foreign else { return }
      try store.setCheckpoint(peer, .incoming, token.text, now: now())
    }
    guard let index = session.given.lastIndex(where: { $0.end == token }) else { return }
    let changes = session.given[...index].reduce(0) { $0 + $1.changes }
    tally.sent += changes
    (tally.moved, tally.left) = (tally.moved + changes, session.given[index].remaining)
    session.given.removeFirst(index)
    session.given[0].changes = 0
  }
}
