import JSONLines
import Pairing
public import SyncCore

/// One side of a pairing over an app's own TLS connection, as described in docs/formats/pairing.md.
///
/// Both sides prove that they know the code, and that they are the two ends of this connection. The pairing
/// is a value without its own clock, randomness or cryptography.
public struct PeerPairing: Sendable {
  /// A side of a pairing.
  public enum Role: Sendable {
    /// The side that shows the code and waits.
    case showing
    /// The side that reads the code and begins; its user has compared the beginning of the key.
    case reading
  }

  /// The facts about a side's connection, which is TLS 1.3 with a certificate on both sides.
  public struct Connection: Sendable {
    /// 32 bytes of the TLS exporter with the label `EXPORTER-peersync-pair` and no context (RFC 8446 §7.5).
    public let exporter: [UInt8]
    /// The SHA-256 of the other side's SubjectPublicKeyInfo, 64 lower-case hex digits.
    public let peerKey: String

    /// Creates the facts of a connection.
    public init(exporter: [UInt8], peerKey: String) { (self.exporter, self.peerKey) = (exporter, peerKey) }
  }

  /// The reaction to an event: store ``PeerPairing/session``, then carry out the members in their order.
  public struct Step: Sendable {
    /// The device to trust by ``TrustedPeers/trust(_:of:at:)`` and to store before sending the messages.
    public let trusts: Peer?
    /// The device that the user must accept before the messages are sent.
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
    /// The pairing is complete: both sides trust each other.
    case done
    /// The pairing failed: the other side is not trusted here.
    case failed(SyncError)
  }

  /// The state to store until the code expires, for all connections that use the code.
  ///
  /// It is one line of JSON without its line feed. It counts wrong attempts, and names the device that has
  /// paired.
  public var session: [UInt8] { Array(kept.json.text.utf8) }

  private var machine: PairingMachine
  private var kept: PairingSession
  private var wasAsked = false

  /// Creates one side of a connection.
  ///
  /// `session` is the stored state for the code; nil for the first connection. `hmac` returns the HMAC-SHA256
  /// (32 bytes) of a key and a message, and `random` returns 16 random bytes.
  ///
  /// - Throws: `damagedRecord` if `session` is not a session, or belongs to another code;
  ///   `invalidOptionValue` if a key is not 64 hex digits.
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
        throw SyncError(Diagnostic(.damagedRecord, "not the stored session of this code"))
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

  /// Begins the pairing; call it on both sides.
  public mutating func begin(knowing peers: TrustedPeers, now: Instant) -> Step {
    machine.context.role == .provider
      ? Step(trusts: nil, asks: nil, messages: [], next: .message) : handle(.connected, peers, now)
  }

  /// Processes a message of the other side: one JSON text, UTF-8, at most 8 KiB.
  public mutating func receive(_ message: [UInt8], knowing peers: TrustedPeers, now: Instant) -> Step {
    guard message.count <= PairingGate.limit else { return handle(.tooLarge, peers, now) }
    do throws(MessageError) {
      return handle(.message(try Message(parsing: message.span)), peers, now)
    } catch {
      return handle(.unreadable(error), peers, now)
    }
  }

  /// Continues after a time-out.
  public mutating func timeOut(now: Instant) -> Step { handle(.timeOut, TrustedPeers(), now) }

  /// Continues after the connection has ended.
  public mutating func close(now: Instant) -> Step { handle(.end, TrustedPeers(), now) }

  /// The message to send, instead of the messages of the step, if the user does not accept the other side.
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

  /// Whether two arrays are equal, in a time that depends only on their lengths.
  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
