import Pairing
import SyncCore

/// A device in a test: its identity, its trusted peers, and its pairing sessions.
struct TestDevice {
  var own: PeerIntroduction
  /// The SPKI digest of its key.
  var key: String
  var trust = TrustList()
  var session: PairingSession?

  /// `number` makes the id and the key; over version 1 the fingerprint has no key behind it.
  init(_ number: Int, _ name: String, _ version: ProtocolVersion = .two) {
    key = HexDigits.text([UInt8](repeating: UInt8(number), count: 32))
    own = PeerIntroduction(
      peerId: "6f2c9a4e-0000-4000-8000-\(String(100_000_000_000 + number))", deviceName: name,
      publicKeyFingerprint: version == .two ? key : String(key.prefix(32)))
  }
}

/// One connection between a provider and a scanner, whose messages a test can look at and change on the way.
struct TestPairing {
  static let begin = Instant("2026-01-01T00:00:00Z")!
  static let session = UUIDText("6F2C9A4E-91B0-4C57-8D0E-3A5B7C91D2E4")!
  static let secret = PairingSecret("8F0B2C6E51D9A37442E8B05FC1937DA6")

  var now = Self.begin
  var version: ProtocolVersion
  var provider: TestDevice
  var scanner: TestDevice
  var providing: PairingMachine
  var scanning: PairingMachine
  /// All that has been sent, in order.
  private(set) var sent: [Message] = []

  /// The keys that each side sees in TLS are those of the other one, unless somebody sits in between.
  init(
    _ version: ProtocolVersion = .two, _ provider: TestDevice? = nil, _ scanner: TestDevice? = nil,
    exporter: UInt8 = 1, payload: PairingPayload? = nil
  ) {
    let provider = provider ?? TestDevice(1, "Study", version)
    let scanner = scanner ?? TestDevice(2, "Tablet", version)
    let payload = payload ?? Self.payload(version, provider)
    (self.version, self.provider, self.scanner) = (version, provider, scanner)
    providing = PairingMachine(
      Self.context(.provider, version, payload, provider, seeing: scanner.key, exporter))
    scanning = PairingMachine(
      Self.context(.scanner, version, payload, scanner, seeing: provider.key, exporter))
  }

  static func payload(
    _ version: ProtocolVersion, _ provider: TestDevice, _ secret: PairingSecret = Self.secret
  ) -> PairingPayload {
    PairingPayload(
      sessionId: session, expectedPeer: provider.own.deviceName, secret: secret, version: version,
      expiresAt: begin.advanced(by: .seconds(300)), publicKeyFingerprint: provider.key)
  }

  static func context(
    _ role: PairingRole, _ version: ProtocolVersion, _ payload: PairingPayload, _ device: TestDevice,
    seeing peer: String, _ exporter: UInt8
  ) -> PairingContext {
    let (own, peerKey) = (HexDigits.bytes(device.key) ?? [], HexDigits.bytes(peer) ?? [])
    let channel = PairingProof.Channel(
      exporter: [UInt8](repeating: exporter, count: 32), scanner: role == .scanner ? own : peerKey,
      provider: role == .scanner ? peerKey : own)
    func proof(_ purpose: PairingProof.Purpose) -> [UInt8] {
      mixed(
        payload.secret.bytes ?? [],
        PairingProof.message(purpose, version: version, session: payload.sessionId, channel))
    }
    return PairingContext(
      role: role, version: version, payload: payload, own: device.own,
      peerFingerprint: version == .two ? peer : nil,
      proofs: version == .two ? .init(hello: proof(.hello), confirm: proof(.confirm)) : nil,
      areEqual: { $0 == $1 }, newId: { UUIDText(random: (0..<16).map { _ in .random(in: 0...255) }) })
  }

  /// In place of an HMAC: other bytes for another key or message.
  private static func mixed(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    let rounds: [UInt8] = [0, 1, 2, 3]
    return rounds.flatMap { (round: UInt8) -> [UInt8] in
      for byte in key + message + [round] { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
      let shifts: [UInt64] = [0, 8, 16, 24, 32, 40, 48, 56]
      return shifts.map { UInt8(truncatingIfNeeded: state >> $0) }
    }
  }

  // MARK: Running

  mutating func give(provider input: PairingInput) -> [Message] {
    Self.give(input, to: &providing, of: &provider, now, &sent)
  }

  mutating func give(scanner input: PairingInput) -> [Message] {
    Self.give(input, to: &scanning, of: &scanner, now, &sent)
  }

  private static func give(
    _ input: PairingInput, to machine: inout PairingMachine, of device: inout TestDevice, _ now: Instant,
    _ sent: inout [Message]
  ) -> [Message] {
    let session = device.session ?? PairingSession(machine.context.payload, machine.context.version)
    var messages: [Message] = []
    for effect in machine.handle(input, PairingFacts(now: now, session: session, trust: device.trust)) {
      switch effect {
      case .keep(let session): device.session = session
      case .trust(let record): device.trust.store(record)
      case .send(let message): messages.append(message)
      }
    }
    sent += messages
    return messages
  }

  /// Lets both sides exchange messages until neither has any left; `change` may alter, drop or add messages
  /// on the way.
  mutating func run(_ change: (Message) -> [Message] = { [$0] }) {
    var toProvider = give(scanner: .connected).flatMap(change)
    var toScanner: [Message] = []
    while !toProvider.isEmpty || !toScanner.isEmpty {
      if !toProvider.isEmpty {
        toScanner += give(provider: .message(toProvider.removeFirst())).flatMap(change)
      } else {
        toProvider += give(scanner: .message(toScanner.removeFirst())).flatMap(change)
      }
    }
  }

  /// Whether neither side trusts the other.
  var isWithoutTrust: Bool { provider.trust.records.isEmpty && scanner.trust.records.isEmpty }

  /// The codes of the errors that were sent.
  var errors: [PeerErrorCode?] {
    sent.compactMap { message -> PeerErrorCode?? in
      if case .error(let error) = message.body { .some(error.known) } else { nil }
    }
  }
}

extension Message {
  /// The same with another body.
  func with(_ body: Body) -> Message {
    Message(id: id, version: version, sentAt: sentAt, inReplyTo: inReplyTo, body: body)
  }
}
