import Crypto
import JSONLines
import Pairing
import SyncCore

/// The phase before a link is open: the handshake, then the first frame if this side reads one.
///
///     handshake → greeting (connector) → open
///               ↘ first message (listener, version 1) ↗
///
/// An opening only decides what to do next; the link reads and writes.
struct Opening {
  enum Step { case handshake, greeting, firstMessage }

  enum Verdict: Equatable {
    /// The link is open; `saying` is sent first, and `heard` was received already.
    case open(saying: [UInt8] = [], heard: [UInt8] = [])
    /// The other side is refused.
    case refuse(PeerError, LinkFailure)
  }

  private(set) var step = Step.handshake
  /// The other side, if it is trusted.
  private(set) var peer: LinkPeer?
  /// The deadline of this phase, on the monotonic clock.
  let deadline: Duration
  private let isPlain: Bool
  /// The received bytes of the first frame.
  private var frame: [UInt8] = []

  /// The maximum number of bytes to read at once, because a claimed length may be false.
  private static let portion = 16 << 10

  init(isPlain: Bool, deadline: Duration) { (self.isPlain, self.deadline) = (isPlain, deadline) }

  /// Handles the end of the handshake; `key` is the other side's proven key, nil over a plain connection.
  mutating func handleHandshake(
    provingKey key: KeyFingerprint?, _ settings: LinkSettings
  ) throws(LinkFailure) -> Verdict? {
    guard step == .handshake else { return nil }
    peer = key.flatMap { try? settings.owner($0) }
    // Over TLS, the peer must have shown a key. Except in a pairing, that key must be trusted.
    if !isPlain, key == nil || peer == nil && !settings.isPairing { throw .untrustedPeer(key) }
    switch settings.side {
    case .connector where isPlain:
      peer = settings.vouched
      return .open()
    case .connector:
      step = .greeting
      return nil
    case .listener:
      if let refusal = settings.refusal(peer) { return .refuse(refusal, .busyPeer(refusal)) }
      if !isPlain { return .open(saying: LinkGreeting.welcomeFrame) }
      if settings.isPairing { return .open() }
      step = .firstMessage
      return nil
    }
  }

  // MARK: The first frame

  /// The maximum number of bytes to read now; bytes after the first frame belong to the program.
  var room: Int { min((byteCount ?? 0) - frame.count, Self.portion) }

  private var limit: Int { step == .greeting ? LinkGreeting.limit : FirstMessage.limit }
  /// The length of the first frame; nil if it is too long.
  private var byteCount: Int? { LinkGreeting.byteCount(frame, limit: limit) }

  /// Handles at most `room` received bytes; an empty array is the end of the connection.
  mutating func handle(_ bytes: [UInt8], _ settings: LinkSettings) throws(LinkFailure) -> Verdict? {
    guard step != .handshake else { return nil }
    if bytes.isEmpty { throw .connectionLost("the connection ended before a message arrived") }
    frame += bytes
    guard let byteCount else { return try refuseLength() }
    if frame.count < byteCount { return nil }
    return step == .greeting ? try readGreeting() : try readFirstMessage(settings)
  }

  private static let noGreeting = LinkFailure.protocolBroken("the other side does not begin with a greeting")

  private static let otherVersion = PeerError(.incompatibleProtocolVersion, "this is version 1")

  private func refuseLength() throws(LinkFailure) -> Verdict {
    guard step == .firstMessage else { throw Self.noGreeting }
    if let reason = FirstMessage.foreignness(of: frame.span) {
      return .refuse(Self.otherVersion, .protocolBroken(reason))
    }
    return .refuse(
      PeerError(.frameTooLarge, "the first message is longer than \(FirstMessage.limit) bytes"),
      .protocolBroken("the other side does not begin with a message"))
  }

  private func readGreeting() throws(LinkFailure) -> Verdict {
    switch LinkGreeting(frame: frame) {
    case .welcome: return .open()
    case .refused(let error) where error.known == .busy || error.known == .rateLimited: throw .busyPeer(error)
    case .refused(let error):
      throw .refusedByPeer("\(error.code.escapingControls): \(error.message.escapingControls)")
    case nil: throw Self.noGreeting
    }
  }

  /// Reads the first message of version 1, which identifies its sender only by name; the name of a peer with
  /// a key is rejected.
  private mutating func readFirstMessage(_ settings: LinkSettings) throws(LinkFailure) -> Verdict {
    let message: Message
    do throws(MessageError) { message = try FirstMessage.read(frame: frame) } catch {
      let failure = LinkFailure.protocolBroken(
        "the other side does not begin with a message: \(error.message)")
      guard case .incompatibleProtocolVersion = error else { throw failure }
      return .refuse(Self.otherVersion, failure)
    }
    switch settings.sender(message) {
    case .success(let sender):
      peer = sender
      return .open(heard: frame)
    case .failure(let failure):
      return .refuse(PeerError(.untrustedPeer, "this peer is not trusted"), failure)
    }
  }

  /// The failure at the time-out, with the missing step.
  func timeOut(_ timeouts: LinkTimeouts) -> LinkFailure {
    let missing =
      switch step {
      case .handshake: "handshake"
      case .greeting: "greeting"
      case .firstMessage: "message"
      }
    return .timedOut("no \(missing) within \(timeouts.handshake.shown)")
  }
}
