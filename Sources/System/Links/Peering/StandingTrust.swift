package import Crypto
import Pairing
import SyncCore
import SystemIO

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
