import JSONLines
import Pairing
public import SyncCore

/// One side of a pairing over a TLS connection of the app's own, as docs/formats/pairing.md describes it.
///
/// Both sides prove that they know the code, and that they are the two ends of this connection. It is a value without clock,
/// chance or cryptography of its own.
public struct PeerPairing: Sendable {
  /// A side of a pairing.
  public enum Role: Sendable {
    /// Has shown the code, and waits.
    case showing
    /// Has read the code, and begins; its user has compared the beginning of the key.
    case reading
  }

  /// The facts about a side's connection, which is TLS 1.3 with a certificate on both sides.
  public struct Connection: Sendable {
    /// 32 bytes of the TLS exporter with the label `EXPORTER-peersync-pair` and no context (RFC 8446 §7.5).
    public let exporter: [UInt8]
    /// The SHA-256 of the other side's SubjectPublicKeyInfo, 64 lower-case hex digits.
    public let peerKey: String

    /// The facts of a connection.
    public init(exporter: [UInt8], peerKey: String) { (self.exporter, self.peerKey) = (exporter, peerKey) }
  }

  /// The reaction to an event: keep ``PeerPairing/session``, and then do these in the order of the members.
  public struct Step: Sendable {
    /// To be trusted: ``TrustedPeers/trust(_:of:at:)``, and kept before anything is sent.
    public let trusts: Peer?
    /// The device that the user must accept before the messages are sent; ``PeerPairing/decline(now:)``
    /// refuses it.
    public let asks: Peer?
    /// JSON texts to send, in order, each as one message.
    public let messages: [[UInt8]]
    /// The next step.
    public let next: Next
  }

  /// The event that a side waits for.
  public enum Next: Equatable, Sendable {
    /// A message.
    case message
    /// Nothing: both sides trust each other.
    case done
    /// Nothing: nobody new is trusted here.
    case failed(SyncError)
  }

  /// The state that the side with the code keeps until it expires, over all connections: wrong tries, and who
  /// has paired.
  ///
  /// One line of JSON without its line feed.
  public var session: [UInt8] { Array(kept.json.text.utf8) }

  private var machine: PairingMachine
  private var kept: PairingSession
  private var wasAsked = false

  /// A side of a connection.
  ///
  /// `session` is what was kept of the code; nil for the first connection. `hmac` makes an HMAC-SHA256 (32 bytes) of a key and a
  /// message, and `random` 16 random bytes.
  ///
  /// - Throws: `damagedRecord` if `session` is not a session, or of another code; `invalidOptionValue` if a
  ///   key is not 64 hex digits.
  public init(
    _ role: Role, _ code: PairingCode, of own: Peer, over connection: Connection, session: [UInt8]? = nil,
    hmac: (_ key: [UInt8], _ message: [UInt8]) -> [UInt8], random: @escaping @Sendable () -> [UInt8]
  ) throws(SyncError) {
    let payload = code.payload
    guard let ownKey = HexDigits.bytes(own.keyFingerprint), ownKey.count == 32,
      let peerKey = HexDigits.bytes(connection.peerKey), peerKey.count == 32,
      let secret = payload.secret.bytes
    else { throw SyncError(Diagnostic(.invalidOptionValue, "a key is not 64 hex digits")) }
    kept = PairingSession(payload, .two)
    if let session {
      guard let known = try? PairingSession(parsing: session.span), known.id == kept.id else {
        throw SyncError(Diagnostic(.damagedRecord, "not what was stored for this code"))
      }
      kept = known
    }
    let channel = PairingProof.Channel(
      exporter: connection.exporter, scanner: role == .reading ? ownKey : peerKey,
      provider: role == .reading ? peerKey : ownKey)
    let proofs = [PairingProof.Purpose.hello, .confirm].map {
      hmac(secret, PairingProof.message($0, version: .two, session: payload.sessionId, channel))
    }
    machine = PairingMachine(
      PairingContext(
        role: role == .reading ? .scanner : .provider, version: .two, payload: payload, own: own.introduction,
        peerFingerprint: connection.peerKey, proofs: .init(hello: proofs[0], confirm: proofs[1]),
        areEqual: Self.areEqual, newId: { UUIDText(random: random()) }))
  }

  /// Begins; both sides call it.
  public mutating func begin(knowing peers: TrustedPeers, now: Instant) -> Step {
    machine.context.role == .provider
      ? Step(trusts: nil, asks: nil, messages: [], next: .message) : handle(.connected, peers, now)
  }

  /// Takes a message of the other side: one JSON text, UTF-8, at most 8 KiB.
  public mutating func receive(_ message: [UInt8], knowing peers: TrustedPeers, now: Instant) -> Step {
    guard message.count <= PairingGate.limit else { return handle(.tooLarge, peers, now) }
    do throws(MessageError) {
      return handle(.message(try Message(parsing: message.span)), peers, now)
    } catch {
      return handle(.unreadable(error), peers, now)
    }
  }

  /// Continues when nothing has come in time.
  public mutating func timeOut(now: Instant) -> Step { handle(.timeOut, TrustedPeers(), now) }

  /// Continues when the other side is gone.
  public mutating func close(now: Instant) -> Step { handle(.end, TrustedPeers(), now) }

  /// The message to send instead of those of a step that asks, if the user does not accept the other side;
  /// the pairing has ended.
  public func decline(now: Instant) -> [UInt8] {
    Message(
      id: machine.context.newId(), version: .two, sentAt: now,
      body: .error(PeerError(.untrustedPeer, "this device was not accepted"))
    ).line
  }

  private mutating func handle(_ input: PairingInput, _ peers: TrustedPeers, _ now: Instant) -> Step {
    var (trusts, messages): (Peer?, [[UInt8]]) = (nil, [])
    for effect in machine.handle(input, PairingFacts(now: now, session: kept, trust: peers.list)) {
      switch effect {
      case .keep(let session): kept = session
      case .trust(let record): trusts = Peer(record.introduction)
      case .send(let message): messages.append(message.line)
      }
    }
    var asks: Peer?
    if machine.context.role == .provider, machine.state == .confirmed, !wasAsked {
      wasAsked = true
      asks = machine.peer.map { Peer($0) }
    }
    return Step(trusts: trusts, asks: asks, messages: messages, next: next)
  }

  private var next: Next {
    switch machine.state {
    case .paired: .done
    case .refused, .broken, .unfinished: .failed(SyncError(Diagnostic(machine)))
    default: .message
    }
  }

  /// In a time that depends on the lengths only.
  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
