import JSONLines
package import Pairing
public import SyncCore

/// The devices that this one trusts; an app must store them where other programs cannot write.
public struct TrustedPeers: Sendable {
  package private(set) var list: TrustList

  /// Creates an empty list.
  public init() { list = TrustList() }

  /// Reads ``text``, in the format of the peers of `peersync`.
  ///
  /// - Throws: `damagedRecord` with the line if a record is damaged.
  public init(_ text: [UInt8]) throws(SyncError) {
    do throws(DamagedLine) {
      list = try TrustList(parsing: text)
    } catch {
      throw SyncError(Diagnostic(.damagedRecord, error.message, line: error.line))
    }
  }

  /// JSON lines, one for each device.
  public var text: [UInt8] { list.text }

  /// The devices that are trusted over version 2 of the protocol.
  public var peers: [Peer] { list.records.filter { $0.version == .two }.map { Peer($0.introduction) } }

  /// The trusted device with a key, 64 lower-case hex digits; nil if the key is not trusted.
  public func peer(withKey fingerprint: String) -> Peer? { peers.first { $0.keyFingerprint == fingerprint } }

  /// Trusts a device, and replaces an earlier record with the device's id.
  ///
  /// - Throws: `untrustedPeer` if the id is known with another key, the key is known with another id, or the
  ///   device is `own`.
  public mutating func trust(_ peer: Peer, of own: Peer, at time: Instant) throws(SyncError) {
    if let conflict = list.conflict(with: peer.introduction, over: .two, own: own.introduction) {
      throw SyncError(Diagnostic(.untrustedPeer, conflict.message))
    }
    list.store(TrustRecord(peer.introduction, version: .two, pairedAt: time))
  }

  /// Stops trusting a device.
  public mutating func forget(_ peer: Peer) { list.forget(peer.id) }
}
