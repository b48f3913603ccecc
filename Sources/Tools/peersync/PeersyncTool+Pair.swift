import LinkInputs
import CommandLine
import CommonInputs
import Crypto
import JSONLines
import Links
import Pairing
import PairingInputs
import Sessions
import SyncCore
import SystemIO

extension PeersyncTool {
  static func runPair(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard settings.isYes || console.canAsk else {
      throw Diagnostic(
        .notConfirmed, "without a terminal, you cannot be asked whether to trust the other side",
        hint: "use --yes to trust anyone who has the pairing code")
    }
    try settings.listening.check()
    return try Diagnostic.wrapping {
      let folder = try Places.configuration()
      let deadline = SystemClock.monotonic() + settings.lifetime
      let payload = try settings.scan.map { try Self.scanned($0, settings, until: deadline, console) }
      if payload == nil { try SecretSource.checkStandardOutput() }
      let peers = Peers(in: folder, state: try Places.state())
      let identity = try identity(in: folder, peers, settings.name?.text)
      let report = { (peer: PeerIntroduction) in
        console.note(
          "paired with \(described(peer.deviceName, peer.publicKeyFingerprint, settings.version))",
          hint: settings.version == .two
            ? "to sync, run 'peersync serve' on one device and 'peersync run' on the other" : nil)
        try Self.note(sameNameAs: peer, identity, peers, console)
        if let record = try peers.trust.load().record(of: peer.peerId) {
          try settings.listing.write(record.json, saying: nil)
        }
      }
      if let payload {
        try report(scan(payload, until: deadline, settings, identity, peers, console))
      } else {
        try offer(settings, identity, peers, console, report)
      }
      return .done
    }
  }

  /// Notes that this device or another peer has the name of the new peer; people could confuse them.
  private static func note(
    sameNameAs peer: PeerIntroduction, _ own: DeviceIdentity, _ peers: Peers, _ console: Console
  ) throws {
    let isOwn = own.deviceName == peer.deviceName
    guard
      try isOwn
        || peers.trust.load().records.contains(where: {
          $0.deviceName == peer.deviceName && !$0.isAbout(peer.peerId)
        })
    else { return }
    console.note(
      "\(isOwn ? "this device" : "another peer") has the name '\(peer.deviceName.escapingControls)' too",
      hint: "to give one of them another name, pair it again, with 'peersync pair --name NAME' there")
  }

  /// Reads the payload; on a terminal, asks for the code again if it is mistyped.
  private static func scanned(
    _ source: SecretSource, _ settings: Settings, until deadline: Duration, _ console: Console
  ) throws -> PairingPayload {
    let asks = source.place == .standardInput && Descriptor.standardInput.isTerminal
    var attempts = asks ? 3 : 1
    while true {
      if asks { console.prompt("the pairing code that the other device shows:") }
      do {
        return try PairingText.read(source, until: deadline, now: .wallClock, over: settings.version)
      } catch let error as Diagnostic where error.code == .invalidQRCodePayload && attempts > 1 {
        attempts -= 1
        console.report(error)
      }
    }
  }

  /// The identity of this device, renamed to the requested name.
  private static func identity(
    in folder: String, _ peers: Peers, _ name: String?
  ) throws -> DeviceIdentity {
    let file = IdentityFile(in: folder)
    let identity = try peers.identity(in: file, named: name ?? HostName.short)
    guard let name, name != identity.deviceName else { return identity }
    return try file.rename(to: name)
  }

  private static func scan(
    _ payload: PairingPayload, until deadline: Duration, _ settings: Settings, _ identity: DeviceIdentity,
    _ peers: Peers, _ console: Console
  ) throws -> PeerIntroduction {
    let name = payload.expectedPeer ?? ""
    if payload.allows(keyOf: identity.fingerprint.text) {
      throw Diagnostic(
        .untrustedPeer, "this is the code that this device showed",
        hint: "type or scan the code on the other device")
    }
    if !settings.isYes {
      console.note(
        "this device is \(described(identity.deviceName, identity.fingerprint.text, settings.version))")
    }
    guard
      try settings.isYes
        || console.confirm(
          question(name, payload.publicKeyFingerprint ?? "", settings.version), until: deadline)
    else {
      throw Diagnostic(.notConfirmed, "the other side was not accepted")
    }
    if !settings.isYes { console.note("waiting for the answer on the other device") }
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
    let found = try trial.search(through: network, until: end, timeout: timeout) { stranger in
      console.note("\(stranger.text); looking for another device")
    }
    if let found { return found }
    throw Diagnostic(
      .peerNotFound, "not found on this network", file: name.escapingControls,
      hint: "check that 'peersync pair' is waiting there, or use --address HOST:PORT")
  }

  static func question(_ name: String, _ key: String, _ version: ProtocolVersion) -> String {
    "trust \(described(name, key, version))?"
  }

  /// The name with the beginning of the key, which people compare; version 1 does not have a key.
  static func described(_ name: String, _ key: String, _ version: ProtocolVersion) -> String {
    (name.isEmpty ? "the device with " : "'\(name.escapingControls)', ")
      + (version == .one ? "which protocol 1 cannot prove" : "key \(key.prefix(16))")
  }
}
