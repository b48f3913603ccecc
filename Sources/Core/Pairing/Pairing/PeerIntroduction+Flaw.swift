package import SyncCore

extension PeerIntroduction {
  /// What is wrong with how somebody names themselves over a protocol version; nil where nothing is.
  ///
  /// docs/formats/pairing.md has the form of each member. Lower-case, no final period.
  package func flaw(over version: ProtocolVersion) -> String? {
    if UUIDText(peerId) == nil { return "the id is not a UUID" }
    if let problem = DeviceName.problem(of: deviceName) { return "the name does not do: \(problem)" }
    return fingerprintFlaw(over: version).map { "the fingerprint is \($0)" }
  }

  /// The SHA-256 of a key, or over version 1 a random number with no key behind it: neither can be taken for the other.
  func fingerprintFlaw(over version: ProtocolVersion) -> String? {
    let count = version == .one ? 32 : 64
    return HexDigits.isLower(publicKeyFingerprint, count: count) ? nil : "not \(count) lower-case hex digits"
  }
}
