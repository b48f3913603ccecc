import Links
import Pairing
import Store
import SyncCore
import SystemIO

/// The names of the devices that this device trusts.
struct TrustedNames {
  // Without a readable list, the ids are enough.
  private let list = (try? Peers(in: Places.configuration()).trust.load()) ?? TrustList()

  func name(of id: String) -> String? { list.record(of: id)?.deviceName }

  /// The ids of the devices with this name.
  fileprivate func ids(of name: String) -> [String] {
    list.records.filter { $0.deviceName == name }.map(\.peerId)
  }
}

extension ChangeStore {
  /// The peer for a PEER on the command line: its id, at least the first 4 characters of it, or the name of
  /// a trusted device.
  func peer(called name: String) throws(StoreError) -> StorePeer {
    if let id = try id(ofPeerCalled: name), let peer = try peer(known: id) { return peer }
    throw .unknownPeer(name)
  }

  /// The id of the peer, which the store need not know if the name is that of a trusted device; nil for an
  /// unknown peer.
  func id(ofPeerCalled name: String) throws(StoreError) -> String? {
    if let exact = try peer(known: name) { return exact.id }
    let ids = TrustedNames().ids(of: name)
    let near = try knownPeer(orNil: name)?.id
    let others = ids.filter { id in near.map { !PeerID.areSame($0, id) } ?? true }
    guard others.count + (near == nil ? 0 : 1) <= 1 else { throw .ambiguousPeer(name) }
    return near ?? others.first
  }
}
