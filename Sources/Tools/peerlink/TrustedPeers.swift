import CommandLineTool
import JSONLines
import SyncCore
import Transport
import Trust

/// The trust store as links need it: which key belongs to which peer of protocol version 2.
struct TrustedPeers {
  private let store: TrustStore

  init(in folder: String) { store = TrustStore(in: folder) }

  /// The peer with that key, read anew.
  ///
  /// So pairing and forgetting take effect at once. A store that cannot be read trusts nobody.
  func owner(of key: KeyFingerprint) -> LinkPeer? {
    let records = (try? store.load())?.records ?? []
    let owner = records.first { $0.version == .two && Self.isSame($0.publicKeyFingerprint, key) }
    return owner.map { LinkPeer($0) }
  }

  private static func isSame(_ text: String, _ key: KeyFingerprint) -> Bool {
    guard let known = KeyFingerprint(text: text) else { return false }
    return Digest.areEqual(known.bytes, key.bytes)
  }

  /// The peer that a PEER on the command line stands for.
  func find(_ name: String) throws -> LinkPeer {
    switch try load().find(name) {
    case .one(let record) where record.version == .two: return LinkPeer(record)
    case .one:
      throw Diagnostic(.untrustedPeer, "'\(name.escapingControls)' is known over protocol version 1 only")
    case .none:
      throw Diagnostic(.unknownPeer, "no trusted peer is called '\(name.escapingControls)'")
    case .several(let records):
      throw Diagnostic(
        .unknownPeer, "\(records.count) trusted peers are called '\(name.escapingControls)'",
        hint: "give the id")
    }
  }

  /// Says what is wrong with a store that cannot be read, which `owner` keeps to itself.
  @discardableResult
  func load() throws -> TrustList {
    do throws(TrustError) { return try store.load() } catch { throw Diagnostic(error) }
  }
}

extension LinkPeer {
  init(_ record: TrustRecord) { self.init(peerId: record.peerId, deviceName: record.deviceName) }
}
