package import JSONLines

/// An error that is sent to the other side.
package struct PeerError: Equatable, Sendable {
  /// A ``PeerErrorCode``, or a word that is unknown to this version.
  package var code: String
  package var message: String

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  package init(_ code: PeerErrorCode, _ message: String) {
    self.init(code: code.rawValue, message: message)
  }

  package var known: PeerErrorCode? { PeerErrorCode(rawValue: code) }
}

/// The codes in `error` messages.
package enum PeerErrorCode: String, Sendable, CaseIterable {
  case invalidQRCodePayload, expiredPairingPayload, incompatibleProtocolVersion
  case invalidPairingSession, invalidPairingSecret, untrustedPeer
  /// The token is of this store, but deletions after it have been compacted away.
  case tokenExpired
  /// The token is of another store, or of one that has been restored or copied.
  case tokenForeign
  /// The two sides merge by different rules.
  case rulesDiffer
  /// The identities of one entity have different members on the two sides.
  case identityDiffers
  /// The records of one side do not name an entity; all records of the other side do.
  case entitiesDiffer
  case frameTooLarge, rateLimited, busy
  /// A page is not applied: it would delete more records than its receiver allows.
  case tooManyDeletions
  /// A page is not stored: its changes for the receiver's quarantine do not fit into it.
  case quarantineFull
}

/// Why a text is not a message.
package enum MessageError: MemberFailure, Equatable, Sendable {
  case member(MemberError)
  /// The value of `protocolVersion` as written.
  case incompatibleProtocolVersion(String)
  case unknownType(String)
  case invalidValue(String, expected: String)
  /// A message of version 2 with the secret of a pairing, which anyone on the path could have read.
  case secretInClear
  /// The message is longer than the limit of this side, in bytes.
  case tooLarge(limit: Int)
  /// The fault of a deflated payload.
  case deflated(String)
}

extension MessageError {
  /// The fault of a text that is not JSON; nil for any other error.
  package var jsonFault: JSONError.Code? {
    if case .member(let error) = self, case .json(let fault) = error.fault { fault.code } else { nil }
  }

  /// The name of the error in Tests/Vectors.
  package var name: String {
    switch self {
    case .member(let error): error.code.rawValue
    case .incompatibleProtocolVersion: "incompatibleProtocolVersion"
    case .unknownType: "unknownType"
    case .invalidValue: "invalidValue"
    case .secretInClear: "secretInClear"
    case .tooLarge: "frameTooLarge"
    case .deflated: "invalidDeflate"
    }
  }

  /// The error in words: lower-case, no final period; foreign text has its control characters escaped.
  package var message: String {
    switch self {
    case .member(let error): error.message
    case .incompatibleProtocolVersion(let version): "protocol version \(version.shown) is not supported here"
    case .unknownType(let type): "unknown message type '\(type.shown)'"
    case .invalidValue(let name, let expected): "'\(name)' is not \(expected)"
    case .secretInClear: "'pairingSecret' in a message of version 2"
    case .tooLarge(let limit): "a message above \(limit) bytes"
    case .deflated(let reason): reason
    }
  }
}
