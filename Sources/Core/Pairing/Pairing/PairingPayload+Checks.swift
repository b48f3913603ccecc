package import SyncCore

extension PairingPayload {
  /// All that speaks against pairing by this payload, in the order in which it is to be told.
  ///
  /// Without `version`, both are good.
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

  /// The payload is valid up to the instant of its expiry, without it.
  package func isExpired(at now: Instant) -> Bool { now >= expiresAt }

  private func expiry(at now: Instant) -> PairingPayloadProblem? {
    guard isExpired(at: now) else { return nil }
    let borrowed: Int64 = now.nanoseconds < expiresAt.nanoseconds ? 1 : 0
    return .expired(secondsAgo: Int(now.seconds - expiresAt.seconds - borrowed))
  }

  /// DNS names are compared without regard to the case of ASCII letters (RFC 1035 §2.3.3), and may end in a dot.
  private static func isSameType(_ a: String, _ b: String) -> Bool {
    func normal(_ text: String) -> [UInt8] {
      var bytes = text.utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }
      if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
      return bytes
    }
    return normal(a) == normal(b)
  }
}
