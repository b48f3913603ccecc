import CommandLine
package import Crypto
import JSONLines
package import Links
package import Pairing
package import SyncCore
import SystemIO

/// Makes links to peers, and dialogues on them.
package struct Caller {
  private let rules: SyncRules
  private let identity: DeviceIdentity
  let peers: Peers
  private let store: OpenStore
  let places: PeerPlaces
  /// Nil over version 1.
  private let context: TLSContext?

  package init(
    _ rules: SyncRules, _ identity: DeviceIdentity, _ peers: Peers, _ store: OpenStore,
    _ places: PeerPlaces
  ) throws {
    (self.rules, self.identity, self.peers) = (rules, identity, peers)
    (self.store, self.places) = (store, places)
    context = try places.version == .one ? nil : Diagnostic.wrapping { try TLSContext(identity) }
  }

  /// A peer that is to be called; throws for one that is not trusted any more, or known over another version only.
  func callee(of record: TrustRecord) throws -> LinkPeer {
    guard try peers.load().record(of: record.peerId) != nil else {
      throw Diagnostic(
        .untrustedPeer, "it was forgotten here", file: record.deviceName.escapingControls,
        hint: "pair with it again")
    }
    return try LinkPeer(record, over: places.version)
  }

  /// A link over a connection to whoever may be the peer: its key has to show, within `patience`.
  ///
  /// Over version 1 the caller vouches for it; each of its messages has to carry the peer's id.
  func link(
    over connection: Connection, to peer: LinkPeer, _ part: DialogueSpeaker.Part, patience: Duration,
    moved: @escaping (DialogueSpeaker) -> Void = { _ in }
  ) throws -> Link {
    var links = LinkSettings(.connector, identity: identity) { [peers] key in
      peers.owner(of: key).flatMap { PeerID.areSame($0.peerId, peer.peerId) ? $0 : nil }
    }
    links.version = places.version
    links.vouched = places.version == .one ? peer : nil
    links.covers = peers.covers
    links.timeouts.handshake = patience
    links.timeouts.silence = rules.patience
    links.speaker = { [rules, store] in DialogueSpeaker(rules, part, store, moved: moved) }
    let link = try Diagnostic.wrapping { [links] in
      guard let context else { return Link(.plain(connection), links) }
      return Link(try .client(context, over: connection) { key in links.accepts(key) }, links)
    }
    link.begin(at: SystemClock.monotonic())
    return link
  }
}

/// Somebody to sync with, as the command line names them.
package enum Remote {
  /// The peers that the words stand for, each once; all that are trusted where there are none.
  ///
  /// Those of version 1, who prove nothing, are never meant unless they are named.
  package static func peers(
    _ words: [String], in list: TrustList, over version: ProtocolVersion
  ) throws -> [TrustRecord] {
    if words.isEmpty {
      if version == .one {
        throw UsageError.conflict("over protocol 1 nobody proves who is there: name the PEER that is meant")
      }
      if let lack = list.lackOfProof { throw withWayOut(lack) }
      return list.records.filter { $0.version == .two }
    }
    var records: [TrustRecord] = []
    for word in words {
      try refuseOther(word)
      let record = try list.named(word)
      if !records.contains(record) { records.append(record) }
    }
    return records
  }

  /// A peer of version 1 can be named.
  private static func withWayOut(_ lack: Diagnostic) -> Diagnostic {
    guard lack.code == .otherProtocolVersion, let hint = lack.hint else { return lack }
    var lack = lack
    lack.hint = hint + "; 'peersync run --protocol 1 NAME' syncs without proof of who is there"
    return lack
  }

  /// The name of a device may have a colon, but none of these at its front.
  private static func refuseOther(_ word: String) throws(UsageError) {
    for kind in ["https://", "http://", "firestore://", "dir:"] where word.hasPrefix(kind) {
      throw .conflict(
        "'\(word)': remotes that begin with '\(kind)' are not known to this version, only peers are")
    }
  }
}
