import Crypto
package import JSONLines
package import Pairing
package import SyncCore
package import SystemIO

/// A device that shows a payload and waits for a device that has read it.
package struct PairingOffer {
  package let payload: PairingPayload
  private let setting: PairingSpeaker.Setting
  package var cancellation: Cancellation?

  package init(_ setting: PairingSpeaker.Setting) {
    self.setting = setting
    payload = setting.payload
  }

  /// Serves scanners until one is trusted and has confirmed this, the user declines, or the payload expires.
  ///
  /// `report` is called once, as soon as a scanner is trusted. That scanner may have lost the last ack:
  /// unless it sends `close_notify`, it (and no other scanner) can retry until the payload expires. `note`
  /// receives failures.
  package func run(
    _ listeners: [Listener], companion: (any LoopCompanion)?, timeout: Duration,
    report: @escaping (PeerIntroduction) throws -> Void, note: @escaping (Diagnostic) -> Void
  ) throws {
    let outcome = Outcome()
    var links = LinkSettings(.listener, identity: setting.identity) { _ in nil }
    links.version = setting.version
    links.isPairing = true
    links.timeouts.handshake = timeout
    let attending = outcome.attending(setting)
    links.speaker = { PairingSpeaker(attending) }
    var end: (() -> Void)?
    let context = try setting.context()
    let loop = LinkLoop(links, context, listeners: listeners) { event in
      if let trouble = outcome.handle(event) { note(trouble) }
      if outcome.isOver { end?() }
    }
    end = { [unowned loop] in loop.stop(by: Signals.terminate) }
    loop.openDoor = 4
    loop.companion = companion
    loop.cancellation = cancellation
    loop.lastCall = SystemClock.monotonic() + payload.timeLeft(at: setting.now())
    loop.timeLeft = { payload.timeLeft(at: setting.now()) }
    loop.tend = { _ in
      try outcome.tell(report)
      return nil
    }
    try loop.run()
    try outcome.tell(report)
    if outcome.paired != nil { return }
    if Interruption.pending != nil || cancellation?.isCancelled == true { throw SystemError.interrupted }
    if outcome.isDeclined { throw Diagnostic(.notConfirmed, "the other side was not accepted") }
    throw Diagnostic(
      .expiredPairingPayload, "the pairing code has expired",
      hint: "run 'peersync pair' again for a new code")
  }
}

extension PairingOffer {
  /// The outcome of an offer so far.
  private final class Outcome {
    /// The newly trusted peer.
    private(set) var paired: PeerIntroduction?
    private(set) var isDeclined = false
    /// Whether the wait for scanners is over.
    private(set) var isOver = false
    /// The key that the user has approved.
    private var approved: PairingSession.PeerKey?
    private var isTold = false

    /// Settings for speakers that report their results here; a peer is confirmed only once.
    func attending(_ setting: PairingSpeaker.Setting) -> PairingSpeaker.Setting {
      var attending = setting
      attending.approve = { [self] peer in
        let key = PairingSession.PeerKey(peer)
        if approved != key, setting.approve(peer) { approved = key }
        return approved == key
      }
      attending.didPair = { [self] in paired = paired ?? $0 }
      return attending
    }

    func tell(_ report: (PeerIntroduction) throws -> Void) throws {
      guard let paired, !isTold else { return }
      isTold = true
      try report(paired)
    }

    /// Handles an event; returns a diagnostic if a link has failed.
    func handle(_ event: LinkLoop.Event) -> Diagnostic? {
      guard let link = event.ended else { return nil }
      let speaker = link.speaker as? PairingSpeaker
      isDeclined = isDeclined || speaker?.isDeclined == true
      isOver = isOver || isDeclined || speaker?.paired != nil && link.hasServed
      if isOver { return nil }
      if let peer = speaker?.paired {
        return Diagnostic(
          .connectionLost,
          "'\(peer.deviceName.escapingControls)' may lack the last confirmation: the connection was lost",
          file: link.remote.text, hint: "only that device can pair again until the pairing code expires")
      }
      return PairingTrial.trouble(of: link)
    }
  }
}

/// A device that has read a payload and tries to pair with the device that shows it.
package struct PairingTrial {
  package let setting: PairingSpeaker.Setting
  package var cancellation: Cancellation?

  package init(_ setting: PairingSpeaker.Setting) { self.setting = setting }

  /// Pairs over a connection, only with the key of the payload.
  package func run(over connection: Connection, timeout: Duration) throws -> PeerIntroduction {
    try outcome(of: link(over: connection, timeout: timeout))
  }

  /// Runs a link over a connection to its end.
  package func link(over connection: Connection, timeout: Duration) throws -> Link {
    var links = LinkSettings(.connector, identity: setting.identity) { _ in nil }
    links.version = setting.version
    links.isPairing = true
    links.pairingKey = setting.payload.publicKeyFingerprint
    links.timeouts.handshake = timeout
    links.speaker = { [setting] in PairingSpeaker(setting) }
    let link = try Diagnostic.wrapping { [links] in
      guard let context = try setting.context() else { return Link(.plain(connection), links) }
      return Link(try .client(context, over: connection) { key in try links.accepts(key) }, links)
    }
    link.begin(at: SystemClock.monotonic())
    try LinkLoop.run(link, cancellation)
    return link
  }

  /// The newly trusted peer; throws if the pairing has failed.
  package func outcome(of link: Link) throws -> PeerIntroduction {
    if let peer = (link.speaker as? PairingSpeaker)?.paired { return peer }
    if Interruption.pending != nil || cancellation?.isCancelled == true { throw SystemError.interrupted }
    var trouble = Self.trouble(of: link)
    // A device that serves its peers refuses a stranger's key, and does not answer the pairing of a peer.
    if [.refusedByPeer, .connectionClosed].contains(trouble.code) {
      trouble.hint =
        "this may be the port of 'peersync serve': use the port that 'peersync pair' prints there"
    }
    throw trouble
  }

  /// The reason why a pairing has failed.
  static func trouble(of link: Link) -> Diagnostic {
    let speaker = link.speaker as? PairingSpeaker
    if let machine = speaker?.finished { return Diagnostic(machine) }
    switch speaker?.failure {
    case let error as TrustError: return Diagnostic(error)
    case let error as SystemError: return Diagnostic(error)
    default: break
    }
    if case .untrustedPeer(let key?) = link.failure {
      return Diagnostic(
        .wrongFingerprint, "its key is not the key in the pairing code: \(key.text)",
        file: link.remote.text,
        hint: "another device or an attacker may have answered: check the address, then pair with a new code")
    }
    return Diagnostic(
      link.failure ?? .connectionLost("the connection ended before the pairing was done"),
      from: link.remote.text)
  }
}

extension PairingSpeaker.Setting {
  package var version: ProtocolVersion { payload.version ?? .two }

  /// The settings for TLS; nil in version 1, which does not use TLS.
  fileprivate func context() throws -> TLSContext? {
    guard version == .two else { return nil }
    return try Diagnostic.wrapping { try TLSContext(identity) }
  }
}

extension LinkLoop.Event {
  /// The link that has ended, if any.
  fileprivate var ended: Link? {
    switch self {
    case .opened: nil
    case .closed(let link), .refused(let link): link
    }
  }
}

extension PairingPayload {
  /// The time until the payload expires.
  package func timeLeft(at now: Instant) -> Duration {
    .seconds(expiresAt.seconds - now.seconds) + .nanoseconds(Int64(expiresAt.nanoseconds - now.nanoseconds))
  }
}
