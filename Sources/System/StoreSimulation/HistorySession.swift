import Simulation
import Store
package import SyncCore

/// The store of a device in one dialogue, as `synclog request` and `synclog respond` have it.
package struct HistorySession: SimulatedStoreSession {
  let device: HistoryStore
  /// Those that the store had when the session began.
  private let rules: RecordShape?
  private var peers: PeerStore

  init(_ device: HistoryStore) throws {
    self.device = device
    rules = try device.store.rules()
    peers = Self.peers(device, rules, limit: .usual)
  }

  private static func peers(_ device: HistoryStore, _ rules: RecordShape?, limit: DeleteLimit) -> PeerStore {
    PeerStore(device.store, rules, limit: limit, maximumDrift: HistoryStore.maxDrift) { device.now }
  }

  /// A page is taken in and given back: the transaction ends with a guard that lets nothing through.
  package mutating func breakOff(_ request: StoreRequest, aboutPeer peer: String) {
    guard case .apply(let page) = request else { return }
    var refusing = Self.peers(device, rules, limit: .count(-1))
    _ = try? refusing.apply(page, fromPeer: peer)
  }

  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    try peers.checkpoint(onPeer: peer)
  }

  package mutating func acknowledged(byPeer peer: String) throws -> [UInt8]? {
    try peers.acknowledged(byPeer: peer)
  }

  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    try peers.page(request, forPeer: peer)
  }

  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    try peers.apply(page, fromPeer: peer)
  }

  package mutating func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    try peers.acknowledge(token, byPeer: peer)
  }

  package mutating func disownChanges(fromPeer peer: String) throws {
    try peers.disownChanges(fromPeer: peer)
  }
}
