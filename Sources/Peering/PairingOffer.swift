package import CommandLineTool
package import SyncCore
package import SystemIO
package import Transport
import Trust

/// A device that has shown a payload, and waits for the one that has read it.
package struct PairingOffer {
  package let payload: PairingPayload
  private let setting: PairingSpeaker.Setting

  package init(_ setting: PairingSpeaker.Setting) {
    self.setting = setting
    payload = setting.payload
  }

  /// Lets scanners try until one is trusted, somebody says no, or the payload has expired.
  ///
  /// What comes to nothing is told by `note`; on the way out somebody may still be on a link.
  package func run(
    _ listener: Listener, companion: (any LoopCompanion)?, timeout: Duration,
    note: @escaping (Diagnostic) -> Void
  ) throws -> PeerIntroduction {
    var rules = LinkRules(.listener, identity: setting.identity) { _ in nil }
    rules.isPairing = true
    rules.timeout = timeout
    rules.speaker = { [setting] in PairingSpeaker(setting) }
    var paired: PeerIntroduction?
    var isDeclined = false
    var end: (() -> Void)?
    let context = try Diagnostic.wrapping { try TLSContext(setting.identity) }
    let loop = LinkLoop(rules, context, listeners: [listener]) { event in
      let (link, wasOpen) = event.ended
      guard let link else { return }
      let speaker = link.speaker as? PairingSpeaker
      paired = paired ?? speaker?.paired
      isDeclined = isDeclined || speaker?.isDeclined == true
      if paired != nil || isDeclined { return end?() ?? () }
      if wasOpen || link.failure != .crowdedOut { note(PairingTrial.trouble(of: link)) }
    }
    end = { [unowned loop] in loop.stop(by: Signals.terminate) }
    loop.openDoor = 4
    loop.companion = companion
    loop.lastCall = SystemClock.monotonic() + payload.timeLeft(at: setting.now())
    try loop.run()
    if let paired { return paired }
    if Interruption.pending != nil { throw SystemError.interrupted }
    if isDeclined { throw Diagnostic(.notConfirmed, "the other side was not accepted") }
    throw Diagnostic(
      .expiredPairingPayload, "the time of the pairing is over",
      hint: "run 'peersync pair' again for a new symbol")
  }
}

/// A device that has read a payload, and tries the one that has shown it.
package struct PairingTrial {
  private let setting: PairingSpeaker.Setting

  package init(_ setting: PairingSpeaker.Setting) { self.setting = setting }

  /// Pairs over a connection, to the key of the payload and to no other.
  package func run(over connection: Connection, timeout: Duration) throws -> PeerIntroduction {
    try outcome(of: link(over: connection, timeout: timeout))
  }

  /// Sees a link over a connection to its end.
  package func link(over connection: Connection, timeout: Duration) throws -> Link {
    var rules = LinkRules(.connector, identity: setting.identity) { _ in nil }
    rules.isPairing = true
    rules.pairingKey = setting.payload.publicKeyFingerprint.flatMap { KeyFingerprint(text: $0) }
    rules.timeout = timeout
    rules.speaker = { [setting] in PairingSpeaker(setting) }
    let link = try Diagnostic.wrapping {
      let context = try TLSContext(setting.identity)
      return Link(try .client(context, over: connection) { key in rules.accepts(key) }, rules)
    }
    link.begin(at: SystemClock.monotonic())
    try LinkLoop.run(link)
    return link
  }

  /// Who is trusted now; throws where a link has led to no trust.
  package func outcome(of link: Link) throws -> PeerIntroduction {
    if let peer = (link.speaker as? PairingSpeaker)?.paired { return peer }
    if Interruption.pending != nil { throw SystemError.interrupted }
    throw Self.trouble(of: link)
  }

  /// Why a link has led to no trust.
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
        .wrongFingerprint, "the key there is not that of the payload: \(key.text)", file: link.remote.text,
        hint: "this is another device, or somebody in between")
    }
    return Diagnostic(
      link.failure ?? .connectionLost("the connection ended before the pairing was done"),
      from: link.remote.text)
  }
}

extension LinkLoop.Event {
  /// The link that is over, if one is, and whether it had been open.
  fileprivate var ended: (Link?, wasOpen: Bool) {
    switch self {
    case .opened: (nil, false)
    case .closed(let link): (link, true)
    case .refused(let link): (link, false)
    }
  }
}

extension PairingPayload {
  /// How long the payload is still good.
  package func timeLeft(at now: Instant) -> Duration {
    .seconds(expiresAt.seconds - now.seconds) + .nanoseconds(Int64(expiresAt.nanoseconds - now.nanoseconds))
  }
}
