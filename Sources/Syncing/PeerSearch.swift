import Peering
import SyncCore

/// Looks for a peer on the local network.
enum PeerSearch {
  /// Where somebody says to be the peer; whether that is so its key has to show.
  static func places(of record: TrustRecord, interface: String?) throws -> [HostAndPort] { [] }
}
