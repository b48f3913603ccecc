package import Crypto
import Pairing
package import SyncCore
internal import SystemIO

/// The settings of links: their programs, time limits, and accepted peers.
package struct LinkSettings {
  package enum Side: Sendable { case connector, listener }

  package var side: Side
  package var version = ProtocolVersion.two
  /// Whether the link passes only pairing messages; untrusted peers are then accepted too.
  package var isPairing = false
  /// The beginning of the fingerprint of the only accepted key in a pairing, in hex digits; nil for any key.
  package var pairingKey: String?
  /// The command to run for a link; without a command or speaker, a link uses our standard streams.
  package var command: [String]?
  /// Makes the speaker of a link in this process.
  package var speaker: (() -> any Speaker)?
  package var timeouts = LinkTimeouts()
  /// Records the data on open links; nil without a trace.
  package var trace: LinkTrace?
  /// The identity of this device.
  package var identity: DeviceIdentity
  /// The owner of a key; nil if the key is not trusted; throws if the trusted peers cannot be read now.
  package var owner: (KeyFingerprint) throws -> LinkPeer?
  /// Why a listener refuses a key that may be trusted; nil for other keys.
  package var objection: (KeyFingerprint) -> String? = { _ in nil }
  /// Whether the peer of an open link, with its key in version 2, may continue; called at each transfer.
  package var covers: (LinkPeer, KeyFingerprint?) -> Bool = { _, _ in true }
  /// In version 1: the sender of this first message, or the reason why it is not trusted.
  package var sender: (Message) -> Result<LinkPeer, LinkFailure> = { _ in .failure(.untrustedPeer(nil)) }
  /// In version 1: the peer that the caller names.
  package var vouched: LinkPeer?
  /// The reason to refuse one more open link of a peer; nil if the link is accepted.
  ///
  /// The argument is nil if the peer is not known yet.
  package var refusal: (LinkPeer?) -> PeerError? = { _ in nil }

  package init(
    _ side: Side, identity: DeviceIdentity, owner: @escaping (KeyFingerprint) throws -> LinkPeer?
  ) {
    self.side = side
    self.identity = identity
    self.owner = owner
  }

  /// Whether a key is accepted; our own key is rejected, because only a copy of this device would have it.
  package func accepts(_ key: KeyFingerprint) throws -> Bool {
    if Digest.areEqual(key.bytes, identity.fingerprint.bytes) { return false }
    guard isPairing else { return try owner(key) != nil }
    return pairingKey.map { key.text.hasPrefix($0) } ?? true
  }
}

/// The facts about a trusted peer that links need.
package struct LinkPeer: Equatable, Sendable {
  package var peerId: String
  package var deviceName: String

  package init(peerId: String, deviceName: String) {
    self.peerId = peerId
    self.deviceName = deviceName
  }

  /// Whether both are the same device, which may have got another name.
  package func isSame(as other: LinkPeer) -> Bool { PeerID.areSame(peerId, other.peerId) }
}

extension Link {
  /// The facts about a link for its program or speaker.
  func facts() throws(TransportError) -> LinkFacts {
    LinkFacts(
      version: settings.version, peer: peer, fingerprint: stream.peer, exporter: try stream.exporter(),
      remote: remote.text, isTraced: settings.trace != nil, selfId: settings.identity.peerId,
      selfName: settings.identity.deviceName)
  }
}

extension LinkFacts {
  /// The variables of a program; names that begin with `PEERLINK_` are reserved for us.
  var environment: [[CChar]] {
    var variables: [(variable: LinkVariable, value: String)] = [
      (.remote, remote), (.version, "\(version.rawValue)"), (.selfId, selfId), (.selfName, selfName),
    ]
    if let peer { variables.append((.peerId, peer.peerId)) }
    if let fingerprint { variables.append((.fingerprint, fingerprint.text)) }
    if let exporter { variables.append((.exporter, HexDigits.text(exporter))) }
    return Environment.replacing(
      LinkVariable.prefix, with: variables.map { ($0.variable.rawValue, $0.value) })
  }
}

/// The time limits of a link, from the TLS handshake to its end.
package struct LinkTimeouts: Sendable {
  /// The time limit for the other side's proof of identity: the TLS handshake and the first frame together.
  package var handshake = Self.openTime
  /// The default of `handshake`, and its maximum.
  package static let openTime = Duration.seconds(10)
  /// The longest idle time of an open link; nil without a limit.
  package var idle: Duration?
  /// The longest time that sent bytes may stay unacknowledged; nil for the system's limit.
  package var silence: Duration?

  /// The time for the other side to read our last bytes and to end its stream.
  static let farewell = Duration.seconds(2)
  /// The time for a program to continue after its link, before the first signal and between signals.
  static let programEnd = Duration.seconds(5)
  /// The same limit for the program of a link that was given up after a second signal.
  static let abortedProgramEnd = Duration.seconds(2)
}

extension Duration {
  /// The duration as text, such as `10 s` or `250 ms`.
  var shown: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds) s" : "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}
