import JSONLines
import Links
import Pairing
public import PeerProtocol
import Sessions
public import SyncCore
import SystemIO

extension PairingCode {
  /// Reads a scanned or typed code at the present time, as ``init(_:now:)`` does.
  public init(_ text: String) throws(SyncError) { try self.init(text, now: .wallTime) }
}

extension SyncDevice {
  /// Pairs with the device that has shown a code; call it after the user has compared the beginning of the
  /// key and agreed.
  ///
  /// `address` is `HOST:PORT`; without it the device is searched for by Bonjour on the local network.
  ///
  /// - Throws: `peerNotFound`, `wrongFingerprint` if another device answers, `invalidPairingSecret`,
  ///   `invalidPairingSession` if another device has paired with the code, `untrustedPeer`, `notConfirmed`,
  ///   `timedOut`; `interrupted` if the task was cancelled.
  public func join(_ code: PairingCode, at address: String? = nil) async throws(SyncError) -> Peer {
    try await Blocking.run { cancellation throws(SyncError) in
      try SyncError.wrapping {
        if code.payload.allows(keyOf: keyFingerprint) {
          throw Diagnostic(.untrustedPeer, "this is the code that this device showed")
        }
        let now = SystemClock.monotonic()
        var setting = PairingSpeaker.Setting(
          .scanner, code.payload, try identity(), peers,
          patience: max(timeout, code.payload.timeLeft(at: .wallTime)), now: { .wallTime },
          approve: { _ in true })
        setting.lastPatience = timeout
        var trial = PairingTrial(setting)
        trial.cancellation = cancellation
        if let address {
          guard let place = HostAndPort(address) else {
            throw Diagnostic(.invalidOptionValue, "not HOST:PORT", file: address)
          }
          let connection = try place.connect(through: nil, until: now + timeout, cancellation)
          return Peer(try trial.run(over: connection, timeout: timeout))
        }
        if let peer = try trial.search(through: nil, until: now + timeout, timeout: timeout) {
          return Peer(peer)
        }
        throw Diagnostic(.peerNotFound, "not found on this network", file: code.name)
      }
    }
  }

  /// Shows a code, and waits for the device that reads it; meanwhile Bonjour announces this device.
  ///
  /// `show` is called once with the port, as soon as a device can connect. `approve` decides whether to trust
  /// a device that has proven that it has read the code. Both are called on separate threads, and `approve`
  /// may block.
  ///
  /// - Throws: `expiredPairingPayload` if no device has connected in time, `notConfirmed`, `cannotListen`;
  ///   `interrupted` if the task was cancelled.
  public func invite(
    lifetime: Duration = PairingCode.defaultLifetime, port: Int = 0,
    show: @escaping @Sendable (_ code: PairingCode, _ port: Int) -> Void,
    approve: @escaping @Sendable (Peer) -> Bool
  ) async throws(SyncError) -> Peer {
    try await Blocking.run { cancellation throws(SyncError) in
      try SyncError.wrapping {
        let identity = try identity()
        let payload = PairingPayload(
          showing: name, session: try RandomBytes.make(16),
          secret: try .make { () throws(SystemError) in try RandomBytes.make(16) }, version: .two,
          expiresAt: Instant.wallTime.advanced(by: lifetime), publicKeyFingerprint: keyFingerprint)
        let listener = try Listener.open(host: nil, port: port, interface: nil)
        var offer = PairingOffer(
          PairingSpeaker.Setting(
            .provider, payload, identity, peers, patience: timeout, now: { .wallTime },
            approve: { approve(Peer($0)) }))
        offer.cancellation = cancellation
        try peers.begin(payload, now: .wallTime)
        show(PairingCode(payload), listener.port)
        var paired: Peer?
        let companion = Presence.pairing(named: name, port: listener.port, interface: nil, over: .two)
        try offer.run([listener], companion: companion, timeout: min(timeout, LinkTimeouts.openTime)) {
          paired = Peer($0)
        } note: { _ in
        }
        guard let paired else { throw SystemError.interrupted }
        return paired
      }
    }
  }
}
