package import Crypto
package import JSONLines
package import Pairing
package import SyncCore
import Synchronization
import SystemIO

/// The peers of this device: their keys and names, and the results of runs with them.
///
/// Each query reads its file again, so pairing and forgetting take effect at once. With an unreadable trust
/// file, all peers are rejected.
package final class Peers: Sendable {
  static let trustFile = "trust.jsonl"

  /// The list of peers that this device trusts.
  package let trust: RecordFile<TrustList>
  private let state: String?
  /// The trusted peers as last read, and the stamp of the file at that time; nil before the first read, or
  /// after a failed one.
  private let standing = Mutex<(stamp: FileStamp?, list: TrustList)?>(nil)

  /// `folder` is normally `Places.configuration()`; nil for `state` means `Places.state()`.
  package init(in folder: String, state: String? = nil) {
    trust = RecordFile(Self.trustFile, in: folder)
    self.state = state
  }

  /// The notes about the runs with each peer.
  package func transfers() throws(TrustError) -> RecordFile<TransferList> {
    RecordFile("transfers.jsonl", in: try stateFolder())
  }

  /// The sessions that a provider remembers between connections; they do not contain secrets.
  package func sessions() throws(TrustError) -> RecordFile<PairingSessionList> {
    RecordFile("pairing-sessions.jsonl", in: try stateFolder())
  }

  private func stateFolder() throws(TrustError) -> String {
    if let state { return state }
    do throws(SystemError) { return try Places.state() } catch { throw .transport(.system(error)) }
  }

  // MARK: The identity of this device

  /// The identity in `file`; without one, makes an identity with this name, and stores it unless `storing` is
  /// false.
  ///
  /// Throws `noIdentity` if the identity is missing although peers are trusted.
  package func identity(
    in file: IdentityFile, named deviceName: String, storing: Bool = true
  ) throws -> DeviceIdentity {
    if let identity = try file.loadIfPresent() { return identity }
    try refuseNewKey(at: file.path)
    return try storing ? file.loadOrCreate(deviceName: deviceName) : DeviceIdentity(creating: deviceName)
  }

  /// Throws `noIdentity` if peers are trusted: they know the key that is missing at `path`, not a new key.
  ///
  /// `what` says in the hint what can be restored.
  package func refuseNewKey(at path: String, restoring what: String = "file") throws {
    guard try load().records.isEmpty else {
      throw Diagnostic(
        .noIdentity, "the key that this device's peers know is missing", file: path,
        hint: "restore the \(what); without it, forget the peers and pair again")
    }
  }

  // MARK: Questions

  /// The trusted peers; throws if the file cannot be read, while most other queries ignore that error.
  @discardableResult
  package func load() throws -> TrustList {
    do throws(TrustError) { return try trust.load() } catch { throw Diagnostic(error) }
  }

  /// The peer for a PEER on the command line; throws unless it is trusted over this version.
  package func find(_ name: String, _ version: ProtocolVersion) throws -> LinkPeer {
    try LinkPeer(load().named(name), over: version)
  }

  /// The peer of version 2 with this key; with a wanted peer, nil for the keys of all other peers.
  package func owner(
    of key: KeyFingerprint, wanting wanted: LinkPeer? = nil
  ) throws(TrustError) -> LinkPeer? {
    guard let owner = try trust.load().owner(of: key).map({ LinkPeer($0) }),
      wanted?.isSame(as: owner) ?? true
    else { return nil }
    return owner
  }

  /// Why a key is refused although it may be trusted; nil for other keys.
  ///
  /// The reason is that only `wanted` is accepted, or that the trusted peers cannot be read now.
  package func objection(to key: KeyFingerprint, wanting wanted: LinkPeer?) -> String? {
    let list: TrustList
    do throws(TrustError) { list = try trust.load() } catch { return Self.obstacle(error) }
    guard let wanted, let owner = list.owner(of: key).map({ LinkPeer($0) }), !owner.isSame(as: wanted)
    else { return nil }
    return "it shows the key of \(list.mention(of: owner)), and --peer accepts only "
      + list.mention(of: wanted)
  }

  private static func obstacle(_ error: TrustError) -> String {
    "the trusted peers cannot be read: \(Diagnostic(error).text)"
  }

  /// The sender of the first message in version 1; with a wanted peer, all other peers are refused.
  package func sender(of message: Message, _ wanted: LinkPeer?) -> Result<LinkPeer, LinkFailure> {
    let list: TrustList
    do throws(TrustError) { list = try trust.load() } catch {
      return .failure(.untrustedSender(Self.obstacle(error)))
    }
    if let objection = list.objection(toSenderOf: message) { return .failure(.untrustedSender(objection)) }
    guard let peer = message.peerId.flatMap(list.record).map({ LinkPeer($0) }),
      wanted?.isSame(as: peer) ?? true
    else {
      let name = wanted.map { list.mention(of: $0) } ?? "''"
      return .failure(.untrustedSender("another peer than \(name)"))
    }
    return .success(peer)
  }

  /// Whether the peer of an open link is still trusted; `key` is nil in version 1.
  ///
  /// The file is checked each time, and read again if it was replaced, so forgetting a peer ends its open
  /// links.
  package func covers(_ peer: LinkPeer, _ key: KeyFingerprint?) -> Bool {
    let stamp = FileStamp(of: trust.path)
    return standing.withLock { standing in
      if standing?.stamp == nil || stamp != standing?.stamp {
        // A failure is not kept, because corrected permissions do not change the stamp.
        standing = (try? trust.load()).map { (stamp, $0) }
      }
      guard let record = standing?.list.record(of: peer.peerId) else { return false }
      return key.map { record.isProven(by: $0) } ?? (record.version == .one)
    }
  }

  /// The peer in a message, as ``TrustList/mention(of:)``.
  package func mention(of peer: LinkPeer) -> String { names.mention(of: peer) }

  /// The text after the name of a peer in a message, as ``TrustList/distinction(of:)``.
  package func distinction(of peer: LinkPeer) -> String { names.distinction(of: peer) }

  private var names: TrustList { (try? trust.load()) ?? TrustList() }

  /// The address at which a peer was last reached.
  package func address(of id: String) throws -> String? {
    try Diagnostic.wrapping { try transfers().load().record(of: id).address }
  }
}

extension TrustList {
  /// The peer of version 2 with this key.
  func owner(of key: KeyFingerprint) -> TrustRecord? { records.first { $0.isProven(by: key) } }
}

extension TrustRecord {
  /// Whether this is the peer's key; false in version 1, which does not have keys.
  fileprivate func isProven(by key: KeyFingerprint) -> Bool {
    guard version == .two, let known = KeyFingerprint(text: publicKeyFingerprint) else { return false }
    return Digest.areEqual(known.bytes, key.bytes)
  }
}

extension LinkPeer {
  package init(_ record: TrustRecord) { self.init(peerId: record.peerId, deviceName: record.deviceName) }

  /// The peer of a record; throws if the record is of another protocol version.
  package init(_ record: TrustRecord, over version: ProtocolVersion) throws(Diagnostic) {
    guard record.version == version else {
      let (name, known) = (record.deviceName.escapingControls, record.version.rawValue)
      // A peer that can prove its identity must always do so.
      throw Diagnostic(
        known == 1 ? .otherProtocolVersion : .untrustedPeer,
        "'\(name)' is known only over protocol version \(known)",
        hint: known == 1 ? "use --protocol 1, which does not authenticate the other side" : nil)
    }
    self.init(record)
  }
}
