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

  /// Who has sent the first message of a link over version 1, read anew; where one peer is wanted, no other will do.
  func sender(of message: Message, _ wanted: LinkPeer?) -> Result<LinkPeer, LinkFailure> {
    let list = (try? store.load()) ?? TrustList()
    if let objection = list.objection(toSenderOf: message) { return .failure(.untrustedSender(objection)) }
    guard let peer = message.peerId.flatMap(list.record).map({ LinkPeer($0) }),
      wanted == nil || peer == wanted
    else {
      return .failure(.untrustedSender("another peer than '\(wanted?.deviceName.escapingControls ?? "")'"))
    }
    return .success(peer)
  }

  /// The peer that a PEER on the command line stands for, over the one version over which it is believed.
  func find(_ name: String, _ version: ProtocolVersion) throws -> LinkPeer {
    switch try load().find(name) {
    case .one(let record) where record.version == version: return LinkPeer(record)
    case .one(let record):
      let known = record.version.rawValue
      throw Diagnostic(
        .untrustedPeer, "'\(name.escapingControls)' is known over protocol version \(known) only")
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
