import JSONLines
package import SyncCore

/// Why a peer must not become trusted, even if its proof is right.
package enum TrustConflict: Equatable, Sendable {
  /// The peer has the id or the key of this device.
  case ourselves
  /// The peer's introduction is invalid.
  case flaw(String)
  /// The id is known with another key; the peer may be an impostor.
  case otherKey(TrustRecord)
  /// The key is known under another id.
  case otherId(TrustRecord)
  /// The id is known over another protocol version.
  case otherVersion(TrustRecord)
  /// A peer over version 1, which cannot prove names, has the name of a peer known over version 2.
  case provenName(TrustRecord)
}

extension TrustConflict {
  /// The error in words: lower-case, no final period; foreign text has its control characters escaped.
  package var message: String {
    switch self {
    case .ourselves: "the peer is this device itself, or a device with a copy of its key"
    case .flaw(let flaw): flaw
    case .otherKey(let record): "'\(record.deviceName.shown)' is known with another key"
    case .otherId(let record): "this key is known as '\(record.deviceName.shown)', with another id"
    case .otherVersion(let record):
      "'\(record.deviceName.shown)' is known only over protocol version \(record.version.rawValue)"
    case .provenName(let record):
      "version 1 cannot prove the name '\(record.deviceName.shown)', which a peer of protocol version 2 has"
    }
  }

  /// The known peer that must be forgotten before the new peer can be trusted.
  package var record: TrustRecord? {
    switch self {
    case .ourselves, .flaw: nil
    case .otherKey(let record), .otherId(let record), .otherVersion(let record), .provenName(let record):
      record
    }
  }
}

extension TrustList {
  /// The reason not to trust a peer; nil for a new peer, and for a known peer with its known key.
  ///
  /// `own` is this device; nil if it does not have an identity yet.
  ///
  /// An unproven claim over version 1 never blocks a peer that proves a key, even under the same id.
  package func conflict(
    with peer: PeerIntroduction, over version: ProtocolVersion, own: PeerIntroduction?
  ) -> TrustConflict? {
    if let flaw = peer.flaw(over: version) { return .flaw(flaw) }
    if let own, own.isSameDevice(as: peer) { return .ourselves }
    if let known = record(of: peer.peerId), known.version == .two || version == .one {
      if known.version != version { return .otherVersion(known) }
      return known.publicKeyFingerprint == peer.publicKeyFingerprint ? nil : .otherKey(known)
    }
    if let known = records.first(where: { $0.hasKey(peer.publicKeyFingerprint, over: version) }) {
      return .otherId(known)
    }
    return version == .one ? owner(ofProvenName: peer.deviceName).map { .provenName($0) } : nil
  }

  /// The reason to reject the unproven sender of a version 1 message; nil for a peer trusted over version 1.
  package func objection(toSenderOf message: Message) -> String? {
    guard let id = message.peerId else { return "the first message does not name its sender" }
    guard let known = record(of: id) else { return "'\(id.shown)' is not trusted" }
    if known.version != .one { return TrustConflict.otherVersion(known).message }
    if let flaw = message.deviceName.flatMap(PeerIntroduction.nameFlaw) { return flaw }
    return message.deviceName.flatMap { owner(ofProvenName: $0) }.map { TrustConflict.provenName($0).message }
  }

  /// The peer of version 2 with this name, or with a similar-looking name.
  private func owner(ofProvenName name: String) -> TrustRecord? {
    let likeness = DeviceName.likeness(of: name)
    return records.first { $0.version == .two && DeviceName.likeness(of: $0.deviceName) == likeness }
  }
}

extension PeerIntroduction {
  /// Whether the id or the key is the same.
  fileprivate func isSameDevice(as other: PeerIntroduction) -> Bool {
    PeerID.areSame(peerId, other.peerId) || publicKeyFingerprint == other.publicKeyFingerprint
  }
}
