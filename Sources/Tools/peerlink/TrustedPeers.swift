import JSONLines
import Transport

/// The trust store as links need it: which key belongs to which peer.
struct TrustedPeers {
  struct Record {
    var peer: LinkPeer
    var fingerprint: KeyFingerprint
  }

  let records: [Record]

  /// Reads the store, a line of JSON a peer; records of protocol version 1 have no key and are passed over.
  static func load(from folder: String) throws(TransportError) -> TrustedPeers {
    let file = PrivateFile("trust.jsonl", in: folder)
    let text = try file.read() ?? []
    var records: [Record] = []
    for (index, line) in text.split(separator: 10).enumerated() {
      guard let value = try? JSONValue(parsing: Array(line).span), let id = value["peerId"]?.stringValue,
        let name = value["deviceName"]?.stringValue
      else { throw .damagedFile(path: file.path, reason: "line \(index + 1) is no trust record") }
      guard value["protocolVersion"]?.intValue == 2, let text = value["publicKeyFingerprint"]?.stringValue,
        let key = KeyFingerprint(text: text)
      else { continue }
      records.append(Record(peer: LinkPeer(peerId: id, deviceName: name), fingerprint: key))
    }
    return TrustedPeers(records: records)
  }

  /// The peer with that key, read anew.
  ///
  /// So pairing and forgetting take effect at once. A store that cannot be read trusts nobody.
  static func owner(of key: KeyFingerprint, in folder: String) -> LinkPeer? {
    guard let store = try? load(from: folder) else { return nil }
    return store.records.first { Digest.areEqual($0.fingerprint.bytes, key.bytes) }?.peer
  }

  /// The one peer with this id, with an id that begins so (4 characters or more), or with this name.
  func find(_ name: String) throws(TransportError) -> LinkPeer {
    let peers = records.map(\.peer)
    if let peer = peers.first(where: { $0.peerId == name }) { return peer }
    let found = peers.filter { $0.deviceName == name || name.count >= 4 && $0.peerId.hasPrefix(name) }
    guard let peer = found.first else { throw .unknownPeer(name) }
    guard found.count == 1 else { throw .ambiguousPeer(name, count: found.count) }
    return peer
  }
}
