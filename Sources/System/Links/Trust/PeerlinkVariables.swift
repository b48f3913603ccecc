package import Crypto
package import Pairing
package import SyncCore
import SystemIO

/// The facts about a connection that a pairing needs; `peerlink` passes them in the environment.
package struct PeerlinkVariables: Equatable, Sendable {
  package var version: ProtocolVersion
  package var selfId: String
  /// The other side's SPKI digest as seen in TLS, 64 lower-case hex digits; always present in version 2.
  package var fingerprint: String?
  /// The keying material that binds a proof to the session, 32 bytes; always present in version 2.
  package var exporter: [UInt8]?

  /// A variable that is missing or invalid.
  package struct Missing: Error, Equatable, Sendable {
    package var name: String
    package var expected: String
  }

  /// The same facts for a link of this process.
  package init(_ facts: LinkFacts) {
    (version, selfId, exporter) = (facts.version, facts.selfId, facts.exporter)
    fingerprint = facts.fingerprint?.text
  }

  package init() throws(Missing) {
    func value<Value>(
      _ variable: LinkVariable, _ expected: String, _ read: (String) -> Value?
    ) throws(Missing) -> Value {
      guard let value = Environment.value(variable.rawValue).flatMap(read) else {
        throw Missing(name: variable.rawValue, expected: expected)
      }
      return value
    }
    version = try value(.version, "1 or 2") { Int($0).flatMap(ProtocolVersion.init) }
    selfId = try value(.selfId, "this device's id") { $0 }
    guard version == .two else { return }
    fingerprint = try value(.fingerprint, "64 lower-case hex digits") { HexDigits.isDigest($0) ? $0 : nil }
    exporter = try value(.exporter, "64 lower-case hex digits") {
      HexDigits.isDigest($0) ? HexDigits.bytes($0) : nil
    }
  }
}

extension PairingContext {
  /// The context of a pairing over a connection of `peerlink`.
  package init(
    _ role: PairingRole, _ payload: PairingPayload, _ link: PeerlinkVariables, _ identity: DeviceIdentity
  ) throws(TrustError) {
    self.init(
      role: role, version: link.version, payload: payload, own: identity.introduction(over: link.version),
      peerFingerprint: link.fingerprint, proofs: try Self.proofs(role, payload, link, identity),
      areEqual: { Digest.areEqual($0, $1) }, newId: { Self.newId() })
  }

  /// Both proofs for the connection: this side's proof, and the proof that the other side must send.
  private static func proofs(
    _ role: PairingRole, _ payload: PairingPayload, _ link: PeerlinkVariables, _ identity: DeviceIdentity
  ) throws(TrustError) -> Proofs? {
    guard let exporter = link.exporter, let peer = link.fingerprint.flatMap(HexDigits.bytes),
      let key = payload.secret.bytes
    else { return nil }
    let own = identity.fingerprint.bytes
    let channel = PairingProof.Channel(
      exporter: exporter, scanner: role == .scanner ? own : peer, provider: role == .scanner ? peer : own)
    func proof(_ purpose: PairingProof.Purpose) throws(TrustError) -> [UInt8] {
      let message = PairingProof.message(
        purpose, version: link.version, session: payload.sessionId, channel)
      return try TrustError.wrapping { () throws(TransportError) in
        try Digest.hmacSHA256(key: key.span, message: message.span)
      }
    }
    return Proofs(hello: try proof(.hello), confirm: try proof(.confirm))
  }

  /// A new id, which only distinguishes messages and does not protect them.
  private static func newId() -> UUIDText {
    var generator = SystemRandomNumberGenerator()
    return UUIDText(random: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}

extension DeviceIdentity {
  /// This device's introduction in a pairing; version 1 does not send the key's fingerprint.
  package func introduction(over version: ProtocolVersion) -> PeerIntroduction {
    PeerIntroduction(
      peerId: peerId, deviceName: deviceName,
      publicKeyFingerprint: version == .one ? version1Fingerprint : fingerprint.text)
  }
}
