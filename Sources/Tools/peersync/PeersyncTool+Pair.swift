import LinkInputs
import CommandLine
import CoreInputs
import Crypto
import JSONLines
import Links
import Pairing
import QRCode
import Sessions
import SyncCore
import SystemIO

extension PeersyncTool {
  static func runPair(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard settings.isYes || console.canAsk else {
      throw Diagnostic(
        .notConfirmed, "there is no terminal on which to ask whether the other side is to be trusted",
        hint: "--yes trusts whoever has the text of the symbol")
    }
    try settings.listening.check()
    return try Diagnostic.wrapping {
      let folder = try Places.configuration()
      let deadline = SystemClock.monotonic() + settings.lifetime
      let scanned = try settings.scan.map {
        try PairingText.read($0, until: deadline, now: .wallClock, over: settings.version)
      }
      if scanned == nil { try SecretSource.checkStandardOutput() }
      let identity = try IdentityFile(in: folder).loadOrCreate(deviceName: HostName.short)
      let peers = Peers(in: folder, state: try Places.state())
      let report = { (peer: PeerIntroduction) in
        console.note("paired with \(described(peer.deviceName, peer.publicKeyFingerprint, settings.version))")
        if let record = try peers.trust.load().record(of: peer.peerId) {
          try Descriptor.standardOutput.write(line: record.json)
        }
      }
      if let scanned {
        try report(scan(scanned, until: deadline, settings, identity, peers, console))
      } else {
        try offer(settings, identity, peers, console, report)
      }
      return .done
    }
  }

  // MARK: The side that shows the symbol

  private static func offer(
    _ settings: Settings, _ identity: DeviceIdentity, _ peers: Peers, _ console: Console,
    _ report: @escaping (PeerIntroduction) throws -> Void
  ) throws {
    let payload = PairingPayload(
      sessionId: UUIDText(random: try RandomBytes.make(16)), expectedPeer: identity.deviceName,
      secret: try .make { () throws(SystemError) in try RandomBytes.make(16) }, version: settings.version,
      expiresAt: Instant.wallClock.advanced(by: settings.lifetime),
      publicKeyFingerprint: identity.fingerprint.text)
    let listeners = try settings.listening.open(settings.version)
    let port = listeners[0].port
    let deadline = SystemClock.monotonic() + settings.lifetime
    let offer = PairingOffer(
      PairingSpeaker.Setting(
        .provider, payload, identity, peers, patience: settings.timeout, now: { .wallClock },
        approve: {
          settings.isYes
            || (try? console.confirm(
              question($0.deviceName, $0.publicKeyFingerprint, settings.version), until: deadline))
              == true
        }))
    try peers.begin(payload, now: .wallClock)
    try show(payload)
    console.note("'\(identity.deviceName)' is listening on port \(port)")
    let refusals = RefusalNotes(on: console)
    defer { refusals.tellHeld() }
    let companion = Presence.pairing(
      named: identity.deviceName, port: port, interface: settings.listening.network(settings.version),
      over: settings.version)
    try offer.run(
      listeners, companion: companion, timeout: min(settings.timeout, LinkTimeouts.openTime), report: report
    ) {
      refusals.note($0)
    }
  }

  /// As a symbol where a scanner can see it, as text for everything else.
  private static func show(_ payload: PairingPayload) throws {
    let text = payload.base64
    if TerminalSize.canDraw, let size = TerminalSize.ofStandardOutput, let symbol = try? QRSymbol(text) {
      let drawing = TerminalDrawing(symbol, .halfBlocks)
      if drawing.fits(columns: size.columns, rows: size.rows) {
        return try Descriptor.standardOutput.write(drawing: Array(drawing.text.utf8).span)
      }
    }
    try Descriptor.standardOutput.write((text + [10]).span)
  }

  // MARK: The side that reads it

  private static func scan(
    _ payload: PairingPayload, until deadline: Duration, _ settings: Settings, _ identity: DeviceIdentity,
    _ peers: Peers, _ console: Console
  ) throws -> PeerIntroduction {
    let name = payload.expectedPeer ?? ""
    if payload.publicKeyFingerprint == identity.fingerprint.text, settings.version == .two {
      throw Diagnostic(
        .untrustedPeer, "this device itself has shown that symbol", hint: "read it on the other device")
    }
    guard
      try settings.isYes
        || console.confirm(
          question(name, payload.publicKeyFingerprint ?? "", settings.version), until: deadline)
    else {
      throw Diagnostic(.notConfirmed, "the other side was not accepted")
    }
    let patience = max(settings.timeout, payload.timeLeft(at: .wallClock))
    var setting = PairingSpeaker.Setting(
      .scanner, payload, identity, peers, patience: patience, now: { .wallClock }, approve: { _ in true })
    setting.lastPatience = settings.timeout
    let trial = PairingTrial(setting)
    let start = SystemClock.monotonic()
    let (listening, timeout) = (settings.listening, min(settings.timeout, LinkTimeouts.openTime))
    if let place = settings.address {
      let connection = try place.connect(
        through: listening.interface, until: start + timeout, over: settings.version)
      return try trial.run(over: connection, timeout: timeout)
    }
    let (end, network) = (start + settings.timeout, listening.network(settings.version))
    if let peer = try trial.search(through: network, until: end, timeout: timeout) { return peer }
    throw Diagnostic(
      .peerNotFound, "not found on this network", file: name.escapingControls,
      hint: "is 'peersync pair' waiting there? --address HOST:PORT says where")
  }

  private static func question(_ name: String, _ key: String, _ version: ProtocolVersion) -> String {
    "trust \(described(name, key, version))?"
  }

  /// The name with the beginning of the key, which people compare; version 1 has no key.
  private static func described(_ name: String, _ key: String, _ version: ProtocolVersion) -> String {
    "'\(name.escapingControls)', "
      + (version == .one ? "which protocol 1 cannot prove" : "key \(key.prefix(16))")
  }
}
