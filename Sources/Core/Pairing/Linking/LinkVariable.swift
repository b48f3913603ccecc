/// What `peerlink` tells its command about the link, by the environment.
package enum LinkVariable: String, CaseIterable, Sendable {
  /// The id of the trusted peer at the other end.
  case peerId = "PEERLINK_PEER_ID"
  /// Version 2: the SPKI digest of the other side as seen in TLS, 64 lower-case hex digits.
  case fingerprint = "PEERLINK_FINGERPRINT"
  /// Version 2: the TLS exporter, 64 lower-case hex digits.
  case exporter = "PEERLINK_EXPORTER"
  /// The other side's address and port.
  case remote = "PEERLINK_REMOTE"
  /// 1 or 2.
  case version = "PEERLINK_PROTOCOL"
  /// The id and the name of this device.
  case selfId = "PEERLINK_SELF_ID"
  case selfName = "PEERLINK_SELF_NAME"

  /// Names that begin so are the link's alone: none comes from outside.
  package static let prefix = "PEERLINK_"
}
