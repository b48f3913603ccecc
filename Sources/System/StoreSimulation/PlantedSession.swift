import Simulation
package import SyncCore

/// A store with one mistake in one dialogue.
package struct PlantedSession: SimulatedStoreSession {
  private let device: PlantedStore
  private var base: HistorySession

  init(_ device: PlantedStore) throws { (self.device, base) = (device, try device.base.session()) }

  // MARK: Answering

  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    let answer = try base.page(planted(request, peer), forPeer: peer)
    guard case .page(var page) = answer else { return answer }
    page.lines = device.showing(page.lines, to: peer)
    // Every page before the last must have a line.
    while page.lines.isEmpty, page.hasMore {
      let following = PageRequest(since: page.token, limit: request.limit, acked: request.acked)
      guard case .page(let next) = try base.page(following, forPeer: peer) else { break }
      page.lines = device.showing(next.lines, to: peer)
      (page.token, page.hasMore) = (next.token, next.hasMore)
    }
    if device.fault == .entityLost { page.lines = PlantedStore.withoutEntities(page.lines) }
    if device.fault == .loserUnanswered || device.fault == .editIgnored {
      device.exchanged[peer, default: []].formUnion(PlantedStore.lines(of: page.lines))
    }
    return .page(page)
  }

  /// Applies the mistake to a request: the requester's acknowledgement replaces its token.
  private mutating func planted(_ request: PageRequest, _ peer: String) throws -> PageRequest {
    var request = request
    let namesAck =
      device.fault == .echoLeftOutOfResync && request.isResync
      || device.fault == .echoWithheld && request.since != nil
      || device.fault == .ackedNotCompared && request.acked != nil
    if namesAck { request.acked = try base.checkpoint(onPeer: peer) }
    return request
  }

  package mutating func disownChanges(fromPeer peer: String) throws {
    if device.fault != .echoWithheld { try base.disownChanges(fromPeer: peer) }
  }

  // MARK: Applying

  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    switch device.fault {
    case .checkpointFirst:
      try moveCheckpoint(page, peer)
      return try base.apply(page, fromPeer: peer)
    case .asymmetricTie: return try applyFavouringIncoming(page, peer)
    case .loserUnanswered: return try applyWithoutAnswers(page, peer)
    case .unpushedRemoved: return try applyRemoving(page, peer)
    default: return try base.apply(page, fromPeer: peer)
    }
  }

  package mutating func breakOff(_ request: StoreRequest, aboutPeer peer: String) {
    if case .apply(let page) = request, device.fault == .checkpointFirst { try? moveCheckpoint(page, peer) }
    base.breakOff(request, aboutPeer: peer)
  }

  private mutating func moveCheckpoint(_ page: ReceivedPage, _ peer: String) throws {
    guard page.mode == .merge, !page.token.isEmpty else { return }
    _ = try base.apply(ReceivedPage(lines: [], token: page.token), fromPeer: peer)
  }

  private mutating func applyFavouringIncoming(_ page: ReceivedPage, _ peer: String) throws -> ApplyAnswer {
    let before = try device.stored()
    let answer = try base.apply(page, fromPeer: peer)
    for line in PlantedStore.lines(of: page.lines) {
      guard let old = before[device.reader.key(of: line.span)] else { continue }
      let (order, step) = device.compare(line, old)
      if order < 0, [.version, .content, .bytes].contains(step) { device.shown[old] = line }
    }
    return answer
  }

  private mutating func applyWithoutAnswers(_ page: ReceivedPage, _ peer: String) throws -> ApplyAnswer {
    let before = try device.stored()
    let answer = try base.apply(page, fromPeer: peer)
    for line in PlantedStore.lines(of: page.lines) {
      if let old = before[device.reader.key(of: line.span)], device.exchanged[peer]?.contains(old) == true,
        device.compare(line, old).order < 0
      {
        device.withheld[peer, default: []].insert(old)
      }
      device.exchanged[peer, default: []].insert(line)
    }
    return answer
  }

  /// Applies a page as if all records here had been pushed and acknowledged.
  private mutating func applyRemoving(_ page: ReceivedPage, _ peer: String) throws -> ApplyAnswer {
    var page = page
    guard let facts = page.mode.facts,
      case .page(let own) = try base.page(PageRequest(since: nil, limit: nil), forPeer: peer)
    else { return try base.apply(page, fromPeer: peer) }
    try base.acknowledge(own.token, byPeer: peer)
    page.mode = page.mode.with(ResyncFacts(heldToken: own.token, quarantinedKeys: facts.quarantinedKeys))
    return try base.apply(page, fromPeer: peer)
  }

  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    try base.checkpoint(onPeer: peer)
  }
  package mutating func acknowledged(byPeer peer: String) throws -> [UInt8]? {
    try base.acknowledged(byPeer: peer)
  }
  package mutating func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    try base.acknowledge(token, byPeer: peer)
  }
}

extension ReceivedPage.Mode {
  fileprivate func with(_ facts: ResyncFacts) -> Self {
    switch self {
    case .merge: self
    case .resync: .resync(facts: facts)
    case .resyncEnd: .resyncEnd(facts: facts)
    }
  }
}
