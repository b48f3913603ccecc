import JSONLines
package import Pairing
public import SyncCore

/// The devices that this one trusts: which an app keeps where nobody else can write.
public struct TrustedPeers: Sendable {
  package private(set) var list: TrustList

  /// Nobody.
  public init() { list = TrustList() }

  /// Reads ``text``, which is that of `peersync`'s peers.
  ///
  /// - Throws: `damagedRecord` with the line; then no device is trusted.
  public init(_ text: [UInt8]) throws(SyncError) {
    do throws(DamagedLine) {
      list = try TrustList(parsing: text)
    } catch {
      throw SyncError(Diagnostic(.damagedRecord, error.message, line: error.line))
    }
  }

  /// JSON lines, one of each device.
  public var text: [UInt8] { list.text }

  /// The devices that are trusted over version 2 of the protocol.
  public var peers: [Peer] { list.records.filter { $0.version == .two }.map { Peer($0.introduction) } }

  /// The device that has proven a key, 64 lower-case hex digits; nil if none is trusted that has it.
  public func peer(withKey fingerprint: String) -> Peer? { peers.first { $0.keyFingerprint == fingerprint } }

  /// Trusts a device, and replaces the record with its id.
  ///
  /// - Throws: `untrustedPeer` if the id is known with another key or the key with another id, or if it is `own`.
  public mutating func trust(_ peer: Peer, of own: Peer, at time: Instant) throws(SyncError) {
    if let conflict = list.conflict(with: peer.introduction, over: .two, own: own.introduction) {
      throw SyncError(Diagnostic(.untrustedPeer, conflict.message))
    }
    list.store(TrustRecord(peer.introduction, version: .two, pairedAt: time))
  }

  /// Stops trusting a device.
  public mutating func forget(_ peer: Peer) { list.forget(peer.id) }
}
