package import JSONLines
import SyncCore

extension PairingPayload {
  /// The names of the members, in the order in which they are written.
  enum MemberName: String, CaseIterable {
    case pairingSessionId, bonjourServiceType, expectedPeerDeviceId, pairingSecret, protocolVersion, expiresAt
    case publicKeyFingerprint
  }

  /// The payload as a JSON object, its expiry in whole seconds.
  package var json: JSONValue {
    let values: [(MemberName, JSONValue?)] = [
      (.pairingSessionId, .string(sessionId.description)), (.bonjourServiceType, .string(serviceType)),
      (.expectedPeerDeviceId, expectedPeer.map { .string($0) }), (.pairingSecret, .string(secret.text)),
      (.protocolVersion, .integer(protocolVersion)), (.expiresAt, .string(expiresAt.wholeSeconds)),
      (.publicKeyFingerprint, publicKeyFingerprint.map { .string($0) }),
    ]
    return .object(values.compactMap { name, value in value.map { JSONMember(name.rawValue, $0) } })
  }

  /// What the QR symbol holds: Base64 of the JSON, with padding.
  package var base64: [UInt8] {
    var json: [UInt8] = []
    self.json.append(to: &json)
    var text: [UInt8] = []
    Base64.append(json.span, to: &text)
    return text
  }
}
