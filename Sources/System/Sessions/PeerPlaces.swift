import Discovery
import JSONLines
package import Links
import Pairing
package import SyncCore
import Synchronization
import SystemIO

/// Finds the addresses of peers: the given address, the last address, and addresses on the network.
///
/// Its calls block, and may run on any thread.
package struct PeerPlaces: Sendable {
  private let peers: Peers
  /// The given address; nil to try the remembered address and then the network.
  private let place: HostAndPort?
  let interface: String?
  /// The interface for searches.
  private let network: String?
  let patience: Duration
  let version: ProtocolVersion
  /// Whether to wait for a newly paired peer that is not announced yet.
  private let awaitsNew: Bool

  /// `patience` is the time for a peer to answer.
  package init(
    _ peers: Peers, place: HostAndPort?, interface: String?, network: String?, patience: Duration,
    over version: ProtocolVersion, awaitsNew: Bool = false
  ) {
    (self.peers, self.place, self.patience, self.version) = (peers, place, patience, version)
    self.awaitsNew = awaitsNew
    (self.interface, self.network) = (interface, network)
  }

  /// A connection to a device that has not proved its identity yet.
  struct Way: Sendable {
    var connection: Connection
    /// The address for a later connection.
    var address: String
    /// The time for the other side to prove its identity.
    var patience: Duration
  }

  /// Whether a search for further addresses of a peer is allowed.
  var maySearch: Bool { place == nil }

  /// Tries the given address, or the remembered address; nil if a search has claimed it before.
  func reach(_ record: TrustRecord, _ claims: PlaceClaims) throws -> Way? {
    guard let place = address(of: record) else {
      throw Diagnostic(
        .peerNotFound, "not found on this network, and its address is unknown",
        file: record.deviceName,
        hint: "check that 'peersync serve' is running there and has printed its port, or use --address "
          + "HOST:PORT")
    }
    let patience = min(patience, LinkTimeouts.openTime)
    let deadline = SystemClock.monotonic() + patience
    // Release an address that did not answer, because a later search may find the peer there.
    var claimed: [String] = []
    var isTaken = false
    do {
      let connection = try place.connect(through: interface, until: deadline, over: version) {
        guard claims.claim($0.text) else {
          isTaken = true
          return false
        }
        claimed.append($0.text)
        return true
      }
      return Way(connection: connection, address: place.text, patience: patience)
    } catch {
      if claimed.isEmpty, isTaken { return nil }
      for address in claimed { claims.release(address) }
      throw error
    }
  }

  /// The first device on the network that claims to be the peer, at an untried address; nil without one.
  func search(_ record: TrustRecord, _ claims: PlaceClaims) throws -> Way? {
    let (start, time) = (SystemClock.monotonic(), version == .two ? min(patience, Self.searchTime) : patience)
    if let way = try connection(to: record, claims, until: start + time) { return way }
    guard awaitsNew, isNew(record), address(of: record) == nil else { return nil }
    return try waitFor(record, claims, until: start + patience)
  }

  /// Whether a peer was paired in the last ten minutes and has not synced yet.
  ///
  /// Its `peersync serve` may have just started: it reads all bound files and tables before it is announced.
  private func isNew(_ record: TrustRecord) -> Bool {
    guard version == .two, record.lastSuccessfulSyncAt == nil else { return false }
    return 0..<600 ~= SystemClock.wallTime().seconds - record.pairedAt.seconds
  }

  /// Waits until a device claims to be the peer; nil if that does not happen before `end`.
  func waitFor(_ record: TrustRecord, _ claims: PlaceClaims, until end: Duration) throws -> Way? {
    try connection(to: record, claims, isNamed: true, until: end)
  }

  private func connection(
    to record: TrustRecord, _ claims: PlaceClaims, isNamed: Bool = false, until end: Duration
  ) throws -> Way? {
    guard let dialer = try dialer(for: record, isNamed: isNamed, until: end) else { return nil }
    dialer.admits = { claims.claim($0.text) }
    dialer.forgets = { claims.release($0.text) }
    guard let connection = try dialer.next() else { return nil }
    let patience = min(dialer.patience, LinkTimeouts.openTime)
    return Way(connection: connection, address: connection.remote.text, patience: patience)
  }

  /// A search of the network for a peer; nil if its address was given.
  ///
  /// Without multicast, it throws `peerNotFound`.
  private func dialer(for record: TrustRecord, isNamed: Bool, until end: Duration) throws -> PeerDialer? {
    guard maySearch else { return nil }
    do throws(SystemError) {
      guard version == .two else {
        return try PeerDialer(id: nil, name: record.deviceName, interface: network, until: end)
      }
      return try PeerDialer(id: record.peerId, isNamed: isNamed, interface: network, until: end)
    } catch {
      throw Diagnostic(unsearched: record.deviceName, error)
    }
  }

  /// The time limit of a search.
  ///
  /// After a longer time the dialer would try devices with other identities, and each of these would report
  /// an unknown device.
  private static let searchTime = Duration.seconds(2)

  /// The given or remembered address; a damaged file of addresses must not prevent calls.
  func address(of record: TrustRecord) -> HostAndPort? {
    place ?? (try? peers.address(of: record.peerId))?.flatMap { HostAndPort($0) }
  }
}

/// The addresses that an attempt to reach a peer has tried, on any thread; each is tried once.
final class PlaceClaims: Sendable {
  /// The claimed addresses; nil after the end of the search.
  private let taken = Mutex<Set<String>?>([])

  /// Claims an address; true for the first caller, which may then try it.
  func claim(_ address: String) -> Bool {
    taken.withLock { $0?.insert(address).inserted ?? false }
  }

  /// Releases an address that did not answer, so that it can be retried.
  func release(_ address: String) { taken.withLock { _ = $0?.remove(address) } }

  /// Ends the search: all further claims fail.
  func close() { taken.withLock { $0 = nil } }
}
