package import JSONLines
package import SyncCore

/// The content of a pairing's QR symbol.
///
/// docs/formats/qr-payload.md lists the members.
package struct PairingPayload: Equatable, Sendable {
  package var sessionId: UUIDText
  /// The DNS-SD type under which the provider is found.
  package var serviceType: String
  /// The name under which the provider is found; people see it.
  package var expectedPeer: String?
  package var secret: PairingSecret
  /// The version as read; it may be unknown.
  package var protocolVersion: Int
  /// The first instant at which the payload is no longer valid.
  package var expiresAt: Instant
  /// The provider's fingerprint: 64 lower-case hex digits, or the first 16 of them in a typed code.
  ///
  /// It is required in version 2 and absent in version 1.
  package var publicKeyFingerprint: String?

  package init(
    sessionId: UUIDText, serviceType: String = ServiceTypeName.peers, expectedPeer: String? = nil,
    secret: PairingSecret, version: ProtocolVersion, expiresAt: Instant, publicKeyFingerprint: String? = nil
  ) {
    self.sessionId = sessionId
    self.serviceType = serviceType
    self.expectedPeer = expectedPeer
    self.secret = secret
    protocolVersion = version.rawValue
    self.expiresAt = expiresAt
    self.publicKeyFingerprint = version == .one ? nil : publicKeyFingerprint
  }

  package var version: ProtocolVersion? { ProtocolVersion(rawValue: protocolVersion) }

  /// The largest number of bytes in a QR symbol (version 40, level L); a longer text is not from a symbol.
  package static let longestText = 2_953

  /// The limit of a DNS label, such as the name of a service (RFC 6763 §4.1.1), in bytes.
  package static let longestName = 63
}

extension PairingPayload {
  /// All reasons not to pair with this payload, in the order of reporting.
  ///
  /// Without `version`, both versions are accepted.
  package func problems(
    at now: Instant, service: String = ServiceTypeName.peers, version wanted: ProtocolVersion? = nil
  ) -> [PairingPayloadProblem] {
    var problems: [PairingPayloadProblem] = []
    if let problem = expiry(at: now) { problems.append(problem) }
    if version == nil || wanted != nil && version != wanted {
      problems.append(.incompatibleVersion(protocolVersion, wanted: wanted))
    }
    if !Self.isSameType(serviceType, service) {
      problems.append(.wrongServiceType(serviceType, wanted: service))
    }
    if let weakness = secret.weakness { problems.append(.weakSecret(weakness)) }
    return problems
  }

  /// Whether the payload has expired.
  package func isExpired(at now: Instant) -> Bool { now >= expiresAt }

  private func expiry(at now: Instant) -> PairingPayloadProblem? {
    guard isExpired(at: now) else { return nil }
    let borrowed: Int64 = now.nanoseconds < expiresAt.nanoseconds ? 1 : 0
    return .expired(secondsAgo: Int(now.seconds - expiresAt.seconds - borrowed))
  }

  /// Whether two DNS names are equal, ignoring the case of ASCII letters (RFC 1035 §2.3.3) and a final dot.
  private static func isSameType(_ a: String, _ b: String) -> Bool {
    func normal(_ text: String) -> [UInt8] {
      var bytes = text.utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }
      if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
      return bytes
    }
    return normal(a) == normal(b)
  }

  /// The names of the members, in the order in which they are written.
  enum MemberName: String, CaseIterable {
    case pairingSessionId, bonjourServiceType, expectedPeerDeviceId, pairingSecret, protocolVersion, expiresAt
    case publicKeyFingerprint
  }

  /// The payload as a JSON object, with its expiry in whole seconds.
  package var json: JSONValue {
    let values: [(MemberName, JSONValue?)] = [
      (.pairingSessionId, .string(sessionId.description)), (.bonjourServiceType, .string(serviceType)),
      (.expectedPeerDeviceId, expectedPeer.map { .string($0) }), (.pairingSecret, .string(secret.text)),
      (.protocolVersion, .integer(protocolVersion)), (.expiresAt, .string(expiresAt.wholeSeconds)),
      (.publicKeyFingerprint, publicKeyFingerprint.map { .string($0) }),
    ]
    return .object(values.compactMap { name, value in value.map { JSONMember(name.rawValue, $0) } })
  }

  /// The text in the QR symbol: Base64 of the JSON, with padding.
  package var base64: [UInt8] {
    var json: [UInt8] = []
    self.json.append(to: &json)
    var text: [UInt8] = []
    Base64.append(json.span, to: &text)
    return text
  }
}

/// Why a text is not a valid payload.
package enum PairingPayloadProblem: Explained, Equatable, Sendable {
  /// A fault of the text.
  case invalid(String)
  /// The payload expired this many whole seconds ago.
  case expired(secondsAgo: Int)
  case incompatibleVersion(Int, wanted: ProtocolVersion?)
  case wrongServiceType(String, wanted: String)
  case weakSecret(String)
}

extension PairingPayloadProblem {
  package var code: ErrorCode {
    switch self {
    case .invalid: .invalidQRCodePayload
    case .expired: .expiredPairingPayload
    case .incompatibleVersion: .incompatibleProtocolVersion
    case .wrongServiceType: .wrongServiceType
    case .weakSecret: .weakSecret
    }
  }

  /// The error in words: lower-case, no final period; foreign text has its control characters escaped.
  package var message: String {
    switch self {
    case .invalid(let matter): "not a pairing code: \(matter)"
    case .expired(0): "the pairing code has just expired"
    case .expired(let seconds): "the pairing code expired \(seconds) s ago"
    case .incompatibleVersion(let version, let wanted):
      "protocol version \(version), not \(wanted.map { "\($0.rawValue)" } ?? "1 or 2")"
    case .wrongServiceType(let type, let wanted): "service type '\(type.shown)', not '\(wanted.shown)'"
    case .weakSecret(let weakness): "the pairing secret \(weakness)"
    }
  }

  /// If this device's clock is ahead by this many seconds, the payload is still valid.
  ///
  /// Nil if more than a day has passed: then a wrong clock is not a likely reason.
  package var clockSkewSeconds: Int? {
    guard case .expired(let seconds) = self, seconds < 86_400 else { return nil }
    return seconds + 1
  }
}
