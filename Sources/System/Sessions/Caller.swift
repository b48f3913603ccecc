package import Crypto
package import JSONLines
package import Links
package import Pairing
import Store
import SyncCore
import SystemIO

/// Makes links to peers, and dialogues on them.
package struct Caller {
  private let settings: SessionSettings
  private let identity: DeviceIdentity
  let peers: Peers
  private let store: OpenStore
  let places: PeerPlaces
  /// The settings for TLS; nil in version 1.
  private let context: TLSContext?
  /// Records all data on links; nil without a trace.
  package let trace: LinkTrace?
  /// Called with each step of an attempt to reach a peer.
  package var tell: (TrustRecord, CallStep) -> Void = { _, _ in }

  package init(
    _ settings: SessionSettings, _ identity: DeviceIdentity, _ peers: Peers, _ store: OpenStore,
    _ places: PeerPlaces, trace: LinkTrace? = nil
  ) throws {
    (self.settings, self.identity, self.peers) = (settings, identity, peers)
    (self.store, self.places, self.trace) = (store, places, trace)
    context = try places.version == .one ? nil : Diagnostic.wrapping { try TLSContext(identity) }
  }

  /// The peer to call; throws if it is no longer trusted, or uses another version.
  func callee(of record: TrustRecord) throws -> LinkPeer {
    guard try peers.load().record(of: record.peerId) != nil else {
      throw Diagnostic(
        .untrustedPeer, "this device no longer trusts the peer", file: record.deviceName.escapingControls,
        hint: "pair with it again")
    }
    return try LinkPeer(record, over: places.version)
  }

  /// A link over a connection to a possible peer: the other end must prove the peer's key within `patience`.
  ///
  /// In version 1 the caller accepts the peer without a proof; each of its messages must have the peer's id.
  func link(
    over connection: Connection, to peer: LinkPeer, _ part: DialogueSpeaker.Part, patience: Duration,
    moved: @escaping (DialogueSpeaker) -> Void = { _ in }
  ) throws -> Link {
    var links = LinkSettings(.connector, identity: identity) { [peers] key in
      try peers.owner(of: key, wanting: peer)
    }
    links.version = places.version
    links.vouched = places.version == .one ? peer : nil
    links.covers = peers.covers
    links.timeouts.handshake = patience
    links.timeouts.silence = settings.patience
    links.trace = trace
    links.speaker = { [settings, store] in DialogueSpeaker(settings, part, store, moved: moved) }
    let link = try Diagnostic.wrapping { [links] in
      guard let context else { return Link(.plain(connection), links) }
      return Link(try .client(context, over: connection) { key in try links.accepts(key) }, links)
    }
    link.begin(at: SystemClock.monotonic())
    return link
  }

  /// The error if a device other than the wanted peer is at `address`; nil if the link failed for another reason.
  func mistake(on link: Link, calling record: TrustRecord, at address: String) -> Diagnostic? {
    let found = (try? peers.load())?.mistake(on: link, wanting: LinkPeer(record)) { other in
      if places.maySearch {
        return "check that 'peersync serve' is running on the right device, or use --address HOST:PORT"
      }
      let command = Diagnostic.command(
        "peersync run --address \(address) \(other)", store: settings.storePath)
      return "to sync with that peer: \(command); to search for the other one, leave out --address"
    }
    // An address that was not given can belong to another device by now.
    guard found == nil, places.maySearch, case .untrustedPeer(_?) = link.failure else { return found }
    let name = record.deviceName.escapingControls
    return Diagnostic(
      .untrustedPeer, "another device is at this address of '\(name)', or the key of '\(name)' is new",
      file: address,
      hint: "check that 'peersync serve' is running there; if its key is new, run 'peersync forget', and "
        + "pair again")
  }
}

/// A step of an attempt to reach a peer; an address is HOST:PORT.
package enum CallStep {
  case reaching(String)
  case searching
  case connected(String)
  case proven(String)
  case failed(Diagnostic)

  /// The text of the step, which follows the peer's name in a message.
  package var text: String {
    switch self {
    case .reaching(let address): "connecting to \(address)"
    case .searching: "searching for it on the network"
    case .connected(let address): "a device answers at \(address)"
    case .proven(let address): "the device at \(address) has proved its key"
    case .failed(let diagnostic): diagnostic.text
    }
  }
}
