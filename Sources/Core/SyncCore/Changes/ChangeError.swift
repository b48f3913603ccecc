package import JSONLines

/// Why a line is no change.
package enum ChangeError: Explained, Equatable, Sendable {
  case json(JSONError)
  case notAnObject
  case noKey(String)
  case duplicateMember(String)
  case invalidClock(member: String)
  case invalidVersion
  /// A checkpoint whose token is not a string.
  case invalidToken
  /// A tombstone that has come from elsewhere and has no clock.
  case missingClock
  /// A plain record that names no entity, for a store that has several.
  case missingEntity
  /// Nothing, or null, at a pointer of the profile's `required`.
  case missingMember(String)
}

extension ChangeError {
  package var code: ErrorCode {
    switch self {
    case .json(let error): error.code.errorCode
    case .notAnObject: .notAnObject
    case .noKey: .noKey
    case .duplicateMember: .duplicateMember
    case .invalidClock: .invalidClock
    case .invalidVersion: .invalidVersion
    case .invalidToken: .invalidToken
    case .missingClock: .missingClock
    case .missingEntity: .missingEntity
    case .missingMember: .missingMember
    }
  }

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .json(let error): "\(error.message) at byte \(error.offset) of the line"
    case .notAnObject: "not a JSON object"
    case .noKey(let reason): "no key: \(reason)"
    case .duplicateMember(let name): "member '\(name)' stands twice"
    case .invalidClock(let member): "'\(member)' is neither a date-time nor an epoch number"
    case .invalidVersion: "'version' is not a number"
    case .invalidToken: "'newTokenData' of a checkpoint is not a string"
    case .missingClock: "deleted, but nothing says when"
    case .missingEntity: "names no entity, and the store has more than one; --entity-name says which"
    case .missingMember(let pointer): "required member '\(pointer)' is missing"
    }
  }
}
