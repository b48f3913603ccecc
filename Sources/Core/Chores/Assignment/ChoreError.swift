package import JSONLines

/// Why a record of a household cannot be used.
package enum ChoreError: Explained, Equatable, Sendable {
  case missingMember(String)
  case wrongType(String, expected: String)
  case numberOutOfRange(String)
  case invalidDate(String)
  case lastDayBeforeFirst
  case duplicateMember(String)
  case unknownValue(String, value: String, allowed: String)
  case unknownZone(String)
}

extension ChoreError {
  package var code: ErrorCode {
    switch self {
    case .missingMember: .missingMember
    case .wrongType: .wrongType
    case .numberOutOfRange: .numberOutOfRange
    case .invalidDate, .lastDayBeforeFirst: .invalidDate
    case .duplicateMember: .duplicateMember
    case .unknownValue: .unknownValue
    case .unknownZone: .unknownZone
    }
  }

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .missingMember(let name): "'\(name)' is missing"
    case .wrongType(let name, let expected): "'\(name)' is not \(expected)"
    case .numberOutOfRange(let name): "'\(name)' is out of range, or no whole number where one is wanted"
    case .invalidDate(let name): "'\(name)' is no date of its kind"
    case .lastDayBeforeFirst: "'lastDay' is before 'firstDay'"
    case .duplicateMember(let name): "member '\(name)' stands twice"
    case .unknownValue(let name, let value, let allowed): "'\(name)' is '\(value)', not one of \(allowed)"
    case .unknownZone(let name): "no time zone '\(name)' is known"
    }
  }
}
