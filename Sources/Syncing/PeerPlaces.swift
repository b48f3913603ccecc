import CommandLineTool
import Discovery
package import Peering
import SyncCore
import SystemIO

/// Where peers are: where one is said to be, where it was, and where the network says that it is.
///
/// Its calls block; they may be made on any thread.
package struct PeerPlaces: Sendable {
  private let book: TransferBook
  /// Where the peer is said to be; nil asks what is remembered, and then the network.
  private let place: HostAndPort?
  let interface: String?
  private let patience: Duration

  /// `patience` is how long a peer may take to answer.
  package init(_ book: TransferBook, place: HostAndPort?, interface: String?, patience: Duration) {
    (self.book, self.place, self.interface, self.patience) = (book, place, interface, patience)
  }

  /// A connection to whoever is there.
  struct Way: Sendable {
    var connection: Connection
    /// The words by which it can be made again.
    var address: String
    /// How long the other side may take to prove who it is.
    var patience: Duration
  }

  /// Whether a peer is looked for where it has not been yet.
  var maySearch: Bool { place == nil }

  /// Tries the address that was given, or the one that is remembered, but not those of `strangers`.
  func reach(_ record: TrustRecord, except strangers: Set<String> = []) throws -> Way {
    guard let place = place ?? remembered(record) else {
      throw Diagnostic(
        .peerNotFound, "not found on this network, and no address of it is remembered",
        file: record.deviceName,
        hint: "is 'peersync serve' running there? --address HOST:PORT says where")
    }
    let patience = min(patience, .seconds(10))
    let deadline = SystemClock.monotonic() + patience
    let connection = try place.connect(through: interface, until: deadline) { !strangers.contains($0.text) }
    return Way(connection: connection, address: place.text, patience: patience)
  }

  /// Tries where the peer was, and then the first device that says to be it; addresses of `strangers` are passed over.
  func find(_ record: TrustRecord, except strangers: Set<String>) throws -> Way {
    do {
      return try reach(record, except: strangers)
    } catch let error as SystemError where error.isInterruption {
      throw error
    } catch {
      guard let found = try search(record, except: strangers) else { throw error }
      return found
    }
  }

  /// The first device on the network that says to be it, but for `strangers`; nil where there is none.
  func search(_ record: TrustRecord, except strangers: Set<String>) throws -> Way? {
    guard let dialer = dialer(for: record) else { return nil }
    while let connection = try dialer.next() {
      let address = connection.remote.text
      if !strangers.contains(address) {
        return Way(connection: connection, address: address, patience: dialer.patience)
      }
      dialer.giveUp()
    }
    return nil
  }

  /// Looks on the network for a peer that is not where it was; nil where its place was given, or there is no multicast.
  private func dialer(for record: TrustRecord) -> PeerDialer? {
    guard maySearch else { return nil }
    let end = SystemClock.monotonic() + min(patience, Self.searchTime)
    return try? PeerDialer(id: record.peerId, interface: interface, until: end)
  }

  /// After this time the dialer would try devices that say to be somebody else, each of which would note a stranger.
  private static let searchTime = Duration.seconds(2)

  /// A file that only remembers must not keep anybody from being called.
  private func remembered(_ record: TrustRecord) -> HostAndPort? {
    (try? book.address(of: record.peerId))?.flatMap { HostAndPort(argument: $0) }
  }
}
