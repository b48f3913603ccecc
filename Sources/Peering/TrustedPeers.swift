package import CommandLineTool
import JSONLines
package import SyncCore
package import Transport
import Trust

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

  private static func isSame(_ text: String, _ key: KeyFingerprint) -> Bool {
    guard let known = KeyFingerprint(text: text) else { return false }
    return Digest.areEqual(known.bytes, key.bytes)
  }

  /// The peer of protocol version 2 that a PEER on the command line stands for.
  package func find(_ name: String) throws -> LinkPeer { try Self.link(try load().named(name)) }

  /// Throws where a record is of a version that proves nothing.
  package static func link(_ record: TrustRecord) throws(Diagnostic) -> LinkPeer {
    guard record.version == .two else {
      throw Diagnostic(
        .untrustedPeer, "'\(record.deviceName.escapingControls)' is known over protocol version 1 only")
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
