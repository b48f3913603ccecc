package import Crypto
package import JSONLines
package import Pairing
package import SyncCore
import SystemIO

/// The trust store as links need it: which key belongs to which peer of protocol version 2.
package struct TrustedPeers {
  private let store: TrustStore

  package init(in folder: String) { store = TrustStore(in: folder) }

  /// The peer with that key, read anew.
  ///
  /// So pairing and forgetting take effect at once. A store that cannot be read trusts nobody.
  package func owner(of key: KeyFingerprint) -> LinkPeer? {
    let records = (try? store.load())?.records ?? []
    let owner = records.first { $0.version == .two && Self.isSame($0.publicKeyFingerprint, key) }
    return owner.map { LinkPeer($0) }
  }

  static func isSame(_ text: String, _ key: KeyFingerprint) -> Bool {
    guard let known = KeyFingerprint(text: text) else { return false }
    return Digest.areEqual(known.bytes, key.bytes)
  }

  /// Who has sent the first message of a link over version 1, read anew; where one peer is wanted, no other will do.
  package func sender(of message: Message, _ wanted: LinkPeer?) -> Result<LinkPeer, LinkFailure> {
    let list = (try? store.load()) ?? TrustList()
    if let objection = list.objection(toSenderOf: message) { return .failure(.untrustedSender(objection)) }
    guard let peer = message.peerId.flatMap(list.record).map({ LinkPeer($0) }),
      wanted == nil || peer == wanted
    else {
      return .failure(.untrustedSender("another peer than '\(wanted?.deviceName.escapingControls ?? "")'"))
    }
    return .success(peer)
  }

  /// The peer that a PEER on the command line stands for, over the one version over which it is believed.
  package func find(_ name: String, _ version: ProtocolVersion) throws -> LinkPeer {
    try Self.link(try load().named(name), version)
  }

  /// Throws where a record is of another version.
  package static func link(
    _ record: TrustRecord, _ version: ProtocolVersion = .two
  ) throws(Diagnostic) -> LinkPeer {
    guard record.version == version else {
      let (name, known) = (record.deviceName.escapingControls, record.version.rawValue)
      throw Diagnostic(
        .untrustedPeer, "'\(name)' is known over protocol version \(known) only",
        hint: known == 1 ? "--protocol 1 speaks it, which proves nothing about the other side" : nil)
    }
    return LinkPeer(record)
  }

  /// Says what is wrong with a store that cannot be read, which `owner` keeps to itself.
  @discardableResult
  package func load() throws -> TrustList {
    do throws(TrustError) { return try store.load() } catch { throw Diagnostic(error) }
  }
}

extension LinkPeer {
  package init(_ record: TrustRecord) { self.init(peerId: record.peerId, deviceName: record.deviceName) }
}

/// Whether the peers of links that are open are trusted still.
///
/// The file is looked at each time, and read where it has become another one, so that forgetting ends what is under way.
package final class StandingTrust {
  private let store: TrustStore
  private var stamp: FileStamp?
  private var records: [TrustRecord] = []

  package init(in folder: String) { store = TrustStore(in: folder) }

  /// Over version 2 it is trusted with that key, over version 1 without any.
  ///
  /// A store that cannot be read trusts nobody.
  package func covers(_ peer: LinkPeer, _ key: KeyFingerprint?) -> Bool {
    let current = FileStamp(of: store.path)
    if stamp == nil || current != stamp {
      stamp = current
      records = (try? store.load())?.records ?? []
    }
    return records.contains { record in
      guard record.isAbout(peer.peerId) else { return false }
      guard let key else { return record.version == .one }
      return record.version == .two && TrustedPeers.isSame(record.publicKeyFingerprint, key)
    }
  }
}

extension TrustList {
  /// Why no trusted peer can prove who it is, which takes protocol version 2; nil if one can.
  package var lackOfProof: Diagnostic? {
    guard !records.contains(where: { $0.version == .two }) else { return nil }
    guard let old = records.first else {
      return Diagnostic(.unknownPeer, "no peer is trusted yet", hint: "pair with one: peersync pair")
    }
    return Diagnostic(
      .otherProtocolVersion,
      records.count == 1
        ? "the only peer that is trusted speaks protocol version 1"
        : "all \(records.count) peers that are trusted speak protocol version 1",
      file: old.deviceName.escapingControls, hint: "update it and pair again: peersync pair")
  }
}
