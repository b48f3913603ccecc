import CommandLineTool
package import History
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
  private let book: TransferBook
  private let store: ChangeStore
  /// Where the peer is said to be; nil asks what is remembered, and then the network.
  private let place: HostAndPort?
  private let interface: String?
  private let context: TLSContext

  package init(
    _ rules: SyncRules, _ identity: DeviceIdentity, _ trusted: TrustedPeers, _ book: TransferBook,
    _ store: ChangeStore, place: HostAndPort?, interface: String?
  ) throws {
    (self.rules, self.identity, self.trusted, self.book, self.store) = (rules, identity, trusted, book, store)
    (self.place, self.interface) = (place, interface)
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
    var links = LinkRules(.connector, identity: identity) { [trusted] key in
      trusted.owner(of: key).flatMap { $0.peerId == peer.peerId ? $0 : nil }
    }
    links.timeout = min(rules.patience, .seconds(10))
    links.speaker = { [rules, store] in DialogueSpeaker(rules, part, store, moved: moved) }
    let link = try Diagnostic.wrapping {
      Link(try .client(context, over: way.connection) { key in links.accepts(key) }, links)
    }
    link.begin(at: SystemClock.monotonic())
    return (link, way.address)
  }

  /// Tries the address that was given; or the one that is remembered, then what the network tells.
  private func reach(_ record: TrustRecord) throws -> Way {
    var failure: (any Error)?
    let remembered = try book.address(of: record.peerId).flatMap { HostAndPort(argument: $0) }
    for place in [self.place ?? remembered].compactMap({ $0 }) {
      do {
        return try connect(place)
      } catch let error as SystemError {
        if error.isInterruption { throw error }
        failure = error
      }
    }
    if place == nil {
      for place in try PeerSearch.places(of: record, interface: interface) {
        if let way = try? connect(place) { return way }
      }
    }
    throw failure
      ?? Diagnostic(
        .peerNotFound, "not found on this network, and no address of it is remembered",
        file: record.deviceName,
        hint: "is 'peersync serve' running there? --address HOST:PORT says where")
  }

  private func connect(_ place: HostAndPort) throws -> Way {
    let deadline = SystemClock.monotonic() + min(rules.patience, .seconds(10))
    return Way(connection: try place.connect(through: interface, until: deadline), address: place.text)
  }
}
