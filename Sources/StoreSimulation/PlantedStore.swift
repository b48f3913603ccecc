import JSONLines
package import SyncCore

/// A store with one mistake, around one that has none.
package struct PlantedStore: SimulatedStore {
  private let base: HistoryStore
  private let fault: PlantedFault
  private var reader: ChangeReader
  /// For asymmetric ties: what is shown in place of a stored line.
  private var shown: [[UInt8]: [UInt8]] = [:]
  /// Lines that a peer has had, or has given.
  private var exchanged: [String: Set<[UInt8]>] = [:]
  /// Lines that are kept from a peer.
  private var withheld: [String: Set<[UInt8]>] = [:]

  package init(_ base: HistoryStore, _ fault: PlantedFault) {
    (self.base, self.fault) = (base, fault)
    reader = ChangeReader(base.shape)
  }

  package var now: Instant {
    get { base.now }
    set { base.now = newValue }
  }

  package var breaksOff: Bool {
    get { base.breaksOff }
    set { base.breaksOff = newValue }
  }

  // MARK: Answering

  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    guard case .page(var page) = try base.page(request, forPeer: peer) else {
      return try base.page(request, forPeer: peer)
    }
    page.lines = showing(page.lines) { withheld[peer]?.contains($0) != true }
    if fault == .loserUnanswered { exchanged[peer, default: []].formUnion(Self.lines(of: page.lines)) }
    return .page(page)
  }

  package mutating func disownChanges(fromPeer peer: String) throws {
    if fault != .echoWithheld { try base.disownChanges(fromPeer: peer) }
  }

  package mutating func compact() throws {
    guard fault == .tombstoneDroppedEarly else { return try base.compact() }
    let now = base.now
    base.now = now.advanced(by: HistoryStore.retireAfter * 2)
    defer { base.now = now }
    try base.compact()
  }

  // MARK: Applying

  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    switch fault {
    case .checkpointFirst: return try applyAfterCheckpoint(page, peer)
    case .asymmetricTie: return try applyFavouringIncoming(page, peer)
    case .loserUnanswered: return try applyWithoutAnswers(page, peer)
    case .unpushedRemoved: return try applyRemoving(page, peer)
    default: return try base.apply(page, fromPeer: peer)
    }
  }

  private func applyAfterCheckpoint(_ page: ReceivedPage, _ peer: String) throws -> ApplyAnswer {
    guard page.mode == .merge, !page.token.isEmpty else { return try base.apply(page, fromPeer: peer) }
    let isCrash = base.breaksOff
    base.breaksOff = false
    _ = try base.apply(ReceivedPage(lines: [], token: page.token), fromPeer: peer)
    base.breaksOff = isCrash
    var rest = page
    rest.token = []
    return try base.apply(rest, fromPeer: peer)
  }

  private mutating func applyFavouringIncoming(_ page: ReceivedPage, _ peer: String) throws -> ApplyAnswer {
    let before = try stored()
    let answer = try base.apply(page, fromPeer: peer)
    for line in Self.lines(of: page.lines) {
      guard let old = before[reader.key(of: line.span)] else { continue }
      let (order, step) = MergeOrder.compare(reader.change(line.span), line.span, reader.change(old.span), old.span)
      if order < 0, [.version, .content, .bytes].contains(step) { shown[old] = line }
    }
    return answer
  }

  private mutating func applyWithoutAnswers(_ page: ReceivedPage, _ peer: String) throws -> ApplyAnswer {
    let before = try stored()
    let answer = try base.apply(page, fromPeer: peer)
    for line in Self.lines(of: page.lines) {
      if let old = before[reader.key(of: line.span)], old != line, exchanged[peer]?.contains(old) == true,
        MergeOrder.compare(reader.change(line.span), line.span, reader.change(old.span), old.span).order < 0
      {
        withheld[peer, default: []].insert(old)
      }
      exchanged[peer, default: []].insert(line)
    }
    return answer
  }

  /// As if everything that is here had been pushed and acknowledged.
  private func applyRemoving(_ page: ReceivedPage, _ peer: String) throws -> ApplyAnswer {
    var page = page
    guard let facts = page.mode.facts,
      case .page(let own) = try base.page(PageRequest(since: nil, limit: nil), forPeer: peer)
    else { return try base.apply(page, fromPeer: peer) }
    try base.acknowledge(own.token, byPeer: peer)
    page.mode = page.mode.with(ResyncFacts(heldToken: own.token, quarantinedKeys: facts.quarantinedKeys))
    return try base.apply(page, fromPeer: peer)
  }

  // MARK: Lines

  private static func lines(of text: [UInt8]) -> [[UInt8]] { text.split(separator: 10).map { Array($0) } }

  private mutating func stored() throws -> [[UInt8]: [UInt8]] {
    var stored: [[UInt8]: [UInt8]] = [:]
    for line in Self.lines(of: try base.dump()) { stored[reader.key(of: line.span)] = line }
    return stored
  }

  private func showing(_ text: [UInt8], where isShown: ([UInt8]) -> Bool = { _ in true }) -> [UInt8] {
    guard !shown.isEmpty || !withheld.isEmpty else { return text }
    return Self.lines(of: text).filter(isShown).reduce(into: []) { $0 += (shown[$1] ?? $1) + [10] }
  }

  // MARK: As the store does it

  package func checkpoint(onPeer peer: String) throws -> [UInt8]? { try base.checkpoint(onPeer: peer) }
  package func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    try base.acknowledge(token, byPeer: peer)
  }
  package func put(_ lines: [UInt8]) throws { try base.put(lines) }
  package func record(_ snapshot: [UInt8]) throws { try base.record(snapshot) }
  package func takeSnapshot() throws -> [UInt8] { try base.takeSnapshot() }
  package func dump() throws -> [UInt8] { showing(try base.dump()) }
  package func backup() throws -> [UInt8] { try base.backup() }
  package func restore(_ backup: [UInt8]) throws { try base.restore(backup) }
  package func verify() throws -> [String] { try base.verify() }
  package func quarantineCount() throws -> Int { try base.quarantineCount() }
  package func lastSequence() throws -> Int64 { try base.lastSequence() }
  package func activePeers() throws -> Set<String> { try base.activePeers() }
}

extension ReceivedPage.Mode {
  /// What the first page of a resync tells.
  var facts: ResyncFacts? {
    switch self {
    case .merge: nil
    case .resync(let facts), .resyncEnd(let facts): facts
    }
  }

  fileprivate func with(_ facts: ResyncFacts) -> Self {
    switch self {
    case .merge: self
    case .resync: .resync(facts: facts)
    case .resyncEnd: .resyncEnd(facts: facts)
    }
  }
}
