import CommandLineTool
import Discovery
package import Peering
package import SyncCore
import SystemIO
package import Transport
import Trust

/// Makes links to peers, and dialogues on them.
package struct Caller {
  private let rules: SyncRules
  private let identity: DeviceIdentity
  private let trusted: TrustedPeers
  private let standing: StandingTrust
  private let book: TransferBook
  private let store: OpenStore
  /// Where the peer is said to be; nil asks what is remembered, and then the network.
  private let place: HostAndPort?
  private let interface: String?
  private let context: TLSContext

  package init(
    _ rules: SyncRules, _ identity: DeviceIdentity, _ trusted: TrustedPeers, _ standing: StandingTrust,
    _ book: TransferBook, _ store: OpenStore, place: HostAndPort?, interface: String?
  ) throws {
    (self.rules, self.identity, self.trusted, self.standing) = (rules, identity, trusted, standing)
    (self.book, self.store, self.place, self.interface) = (book, store, place, interface)
    context = try Diagnostic.wrapping { try TLSContext(identity) }
  }

  /// A connection, and the words by which it can be made again.
  private struct Way {
    var connection: Connection
    var address: String
  }

  /// A link to a peer with a dialogue on it, and where the peer was reached; throws where it cannot be reached.
  package func link(
    to record: TrustRecord, _ part: DialogueSpeaker.Part, moved: @escaping (DialogueSpeaker) -> Void
  ) throws -> (link: Link, address: String) {
    let peer = try TrustedPeers.link(record)
    let way = try reach(record)
    let link = try link(over: way.connection, to: peer, part, patience: .seconds(10), moved: moved)
    return (link, way.address)
  }

  /// A link over a connection to whoever may be the peer: its key has to show, within `patience`.
  func link(
    over connection: Connection, to peer: LinkPeer, _ part: DialogueSpeaker.Part, patience: Duration,
    moved: @escaping (DialogueSpeaker) -> Void
  ) throws -> Link {
    var links = LinkRules(.connector, identity: identity) { [trusted] key in
      trusted.owner(of: key).flatMap { $0.peerId == peer.peerId ? $0 : nil }
    }
    links.covers = standing.covers
    links.timeout = min(rules.patience, patience)
    links.speaker = { [rules, store] in DialogueSpeaker(rules, part, store, moved: moved) }
    let link = try Diagnostic.wrapping {
      Link(try .client(context, over: connection) { key in links.accepts(key) }, links)
    }
    link.begin(at: SystemClock.monotonic())
    return link
  }

  /// A link to the first device that says to be the peer; nil where none does in time, or its place was given.
  func foundLink(
    to record: TrustRecord, _ part: DialogueSpeaker.Part, moved: @escaping (DialogueSpeaker) -> Void
  ) throws -> Link? {
    guard let dialer = dialer(for: record), let connection = try dialer.next() else { return nil }
    let peer = try TrustedPeers.link(record)
    return try link(over: connection, to: peer, part, patience: dialer.patience, moved: moved)
  }

  /// Looks on the network for a peer that is not where it was; nil where its place was given, or there is no multicast.
  func dialer(for record: TrustRecord) -> PeerDialer? {
    guard place == nil else { return nil }
    let end = SystemClock.monotonic() + min(rules.patience, Self.searchTime)
    return try? PeerDialer(id: record.peerId, interface: interface, until: end)
  }

  /// After this time the dialer would try devices that say to be somebody else, each of which would note a stranger.
  private static let searchTime = Duration.seconds(2)

  /// Tries the address that was given, or the one that is remembered.
  private func reach(_ record: TrustRecord) throws -> Way {
    // A file that only remembers must not keep anybody from being called.
    let remembered = (try? book.address(of: record.peerId))?.flatMap { HostAndPort(argument: $0) }
    guard let place = place ?? remembered else {
      throw Diagnostic(
        .peerNotFound, "not found on this network, and no address of it is remembered",
        file: record.deviceName,
        hint: "is 'peersync serve' running there? --address HOST:PORT says where")
    }
    let deadline = SystemClock.monotonic() + min(rules.patience, .seconds(10))
    return Way(connection: try place.connect(through: interface, until: deadline), address: place.text)
  }
}
