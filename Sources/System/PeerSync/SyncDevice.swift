import Crypto
import JSONLines
import Links
import Pairing
public import PeerProtocol
import Sessions
public import SyncCore
import SystemIO

/// This device: its key and its trusted peers, in the form of `peersync` in `$PEERSYNC_HOME`.
///
/// Peers are reached over TLS 1.3 with the pinned keys of protocol version 2. Its files have the form of the
/// tools' files, and only their owner can read them. So `PEERSYNC_HOME=FOLDER peersync status` shows the
/// actions of an app.
public struct SyncDevice: Sendable {
  /// The folder of the identity and the peers.
  public let folder: String
  /// The id of this device: a lower-case UUID, made once.
  public let id: String
  /// The name that people see.
  public let name: String
  /// The SHA-256 of this device's public key, 64 lower-case hex digits: people compare its beginning.
  public let keyFingerprint: String
  /// The time without traffic after which a session or a pairing fails.
  public var timeout = Duration.seconds(30)

  let peers: Peers
  private let keys: any IdentityKeeper

  /// The device of a folder; makes the folder and a key if they do not exist.
  ///
  /// `keys` stores the private key, by default in a file in the folder; the peers are always in the folder.
  ///
  /// - Throws: `looseSecretFile` if others can read the key, `damagedRecord`, `noIdentity` if the key is
  ///   missing but peers know it, `cannotCreate`.
  public init(
    in folder: String, named name: String? = nil, keys: (any IdentityKeeper)? = nil
  ) throws(SyncError) {
    self.folder = folder
    self.keys = keys ?? IdentityInFolder(folder)
    peers = Peers(in: folder, state: folder)
    let identity = try SyncError.wrapping { [peers, keys = self.keys] in
      if let text = try keys.load() {
        var identity = try IdentityText.read(text, path: folder)
        guard let name, name != identity.deviceName else { return identity }
        identity = try identity.renamed(name)
        try keys.save(IdentityText.write(identity))
        return identity
      }
      try peers.refuseNewKey(at: folder, restoring: "key")
      let identity = try DeviceIdentity(creating: name ?? HostName.short)
      try keys.save(IdentityText.write(identity))
      // If two processes make an identity at once, both use the one that is stored.
      return try keys.load().map { try IdentityText.read($0, path: folder) } ?? identity
    }
    (id, self.name, keyFingerprint) = (identity.peerId, identity.deviceName, identity.fingerprint.text)
  }

  func identity() throws -> DeviceIdentity {
    guard let text = try keys.load() else { throw TransportError.noIdentity(path: folder) }
    return try IdentityText.read(text, path: folder)
  }

  /// A device that this device trusts.
  public typealias Peer = PeerProtocol.Peer

  /// The peers that are trusted over protocol version 2.
  ///
  /// - Throws: `damagedRecord`, `looseSecretFile`; then all peers are untrusted.
  public func trustedPeers() throws(SyncError) -> [Peer] {
    try SyncError.wrapping { try records().map { Peer($0.introduction) } }
  }

  func records() throws -> [TrustRecord] { try peers.load().records.filter { $0.version == .two } }

  /// Stops trusting a peer; its open links end.
  public func forget(_ peer: Peer) throws(SyncError) {
    try SyncError.wrapping { try peers.forget(peer.id).get() }
  }
}

extension Peer {
  /// A device's introduction of itself to another one over an authenticated connection.
  public init(_ device: SyncDevice) {
    self.init(id: device.id, name: device.name, keyFingerprint: device.keyFingerprint)
  }
}

// MARK: Syncing

extension SyncDevice {
  /// The outcome of a session with one peer.
  public struct Outcome: Sendable {
    /// The peer.
    public let peer: Peer
    /// The number of the peer's changes that were stored here.
    public let received: Int
    /// The number of changes that the peer has stored.
    public let sent: Int
    /// The number of the peer's changes that could not be applied here, and are in quarantine.
    public let quarantined: Int
    /// The number of changes that the peer could not apply, and has in quarantine.
    public let quarantinedThere: Int
    /// The reason why the session ended early; nil otherwise.
    ///
    /// Data that was exchanged before that is kept. `quarantined` means that the session is complete, except
    /// for the changes counted in ``quarantinedThere``.
    public let failure: SyncError?

    init(_ report: SessionReport, with peer: Peer) {
      self.peer = peer
      (received, sent) = (report.changesReceived, report.changesSent)
      (quarantined, quarantinedThere) = (report.setAside, report.quarantinedThere)
      failure = report.trouble.map { SyncError($0) }
    }
  }

  /// Runs one session with each peer, all at once; afterwards both sides have the same records.
  ///
  /// Changes that a side cannot apply, such as one with a clock far ahead of now, are in its quarantine
  /// instead; the outcome counts them.
  /// `address` is `HOST:PORT`, for a session with a single peer. Without it, a peer is tried at its last
  /// address and searched for by Bonjour on the local network. A peer answers while it runs
  /// ``serve(_:port:ready:ended:)`` or `peersync serve`. An error with one peer is reported in the outcome of
  /// that peer. Cancelling the task ends the sessions (`interrupted`) without losing data.
  ///
  /// - Throws errors of this device itself: `storeBusy`, `unknownPeer` if no peer is trusted, `noIdentity`.
  public func sync(
    _ store: RecordStore, with peers: [Peer]? = nil, at address: String? = nil
  ) async throws(SyncError) -> [Outcome] {
    try await Blocking.run { cancellation throws(SyncError) in
      try SyncError.wrapping(store: store.path) {
        let records = try records().filter { record in peers?.contains { record.isAbout($0.id) } ?? true }
        guard !records.isEmpty else {
          throw Diagnostic(.unknownPeer, "not a trusted peer", file: folder)
        }
        let place = try address.map { try Self.place($0, of: records) }
        let sessions = sessions(store)
        let identity = try identity()
        let places = PeerPlaces(
          self.peers, place: place, interface: nil, network: nil, patience: timeout, over: .two)
        let caller = try Caller(sessions, identity, self.peers, OpenStore(sessions), places)
        var outcomes: [Outcome] = []
        let run = SyncRun(caller, sessions, .init(.connector(.both)), records) { _ in
        } report: { report in
          let record = records.first { $0.isAbout(report.peer.peerId) }
          guard let record else { return }
          outcomes.append(Outcome(report, with: Peer(record.introduction)))
        }
        run.cancellation = cancellation
        try run.run(identity)
        try run.finishNotes()
        return outcomes
      }
    }
  }

  private static func place(_ address: String, of records: [TrustRecord]) throws -> HostAndPort {
    guard records.count == 1, let place = HostAndPort(address) else {
      throw Diagnostic(
        .invalidOptionValue,
        records.count == 1
          ? "not HOST:PORT" : "an address needs exactly one peer, not \(records.count)",
        file: address)
    }
    return place
  }

  func sessions(_ store: RecordStore) -> SessionSettings {
    var settings = SessionSettings(
      store.sessionChoice, store: store.path, wait: store.wait, patience: timeout, present: { .wallTime }
    ) { (WireTypes(), { _ in }, { nil }) }
    (settings.maxDelete, settings.maxDrift) = (store.maxDelete, store.maxDrift)
    return settings
  }
}
