package import JSONLines
package import SyncCore

/// Why a text is no payload to pair by.
package enum PairingPayloadProblem: Explained, Equatable, Sendable {
  /// What is wrong with the text.
  case invalid(String)
  /// It was over so many whole seconds ago.
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

  /// Lower-case, no final period; what others have written is shown with its controls escaped.
  package var message: String {
    switch self {
    case .invalid(let matter): "no pairing payload: \(matter)"
    case .expired(0): "the payload has just expired"
    case .expired(let seconds): "the payload expired \(seconds) s ago"
    case .incompatibleVersion(let version, let wanted):
      "protocol version \(version), not \(wanted.map { "\($0.rawValue)" } ?? "1 or 2")"
    case .wrongServiceType(let type, let wanted): "service type '\(type.shown)', not '\(wanted.shown)'"
    case .weakSecret(let weakness): "the pairing secret \(weakness)"
    }
  }

  /// By how many seconds this device's clock would have to be ahead for the payload to be valid.
  ///
  /// Nil where a wrong clock is no likely reason: beyond a day it is the payload that is old.
  package var clockSkewSeconds: Int? {
    guard case .expired(let seconds) = self, seconds < 86_400 else { return nil }
    return seconds + 1
  }
}
