package import JSONLines
import SyncCore

/// Why a line is no notification, device or busy interval, or cannot be sent as one.
package enum NotificationError: Explained, Equatable, Sendable {
  case missingMember(String)
  case wrongType(String, expected: String)
  case invalidDate(String)
  case emptyInterval
  case payloadTooLarge(Int)
  case collapseIDTooLong(Int)
  /// What would be the value of a header has a line break or something else that no value has.
  case invalidHeader(String)
}

extension NotificationError {
  package var code: ErrorCode {
    switch self {
    case .missingMember: .missingMember
    case .wrongType, .invalidHeader: .wrongType
    case .invalidDate, .emptyInterval: .invalidDate
    case .payloadTooLarge, .collapseIDTooLong: .payloadTooLarge
    }
  }

  /// Lower-case, no final period.
  package var message: String {
    switch self {
    case .missingMember(let name): "'\(name)' is missing"
    case .wrongType(let name, let expected): "'\(name)' is not \(expected)"
    case .invalidDate(let name): "'\(name)' is no date of its kind"
    case .emptyInterval: "'end' is not after 'start'"
    case .payloadTooLarge(let count):
      "the payload has \(count) bytes, more than \(PushRequest.largestPayload)"
    case .collapseIDTooLong(let count):
      "the collapse id has \(count) bytes, more than \(PushRequest.longestCollapseID)"
    case .invalidHeader(let name):
      "'\(name)' is empty, or has a control character or a space at an end"
    }
  }
}

extension JSONValue {
  /// A member that has to be there.
  func text(_ name: String) throws(NotificationError) -> String {
    guard let text = try textIfPresent(name) else { throw .missingMember(name) }
    return text
  }

  func textIfPresent(_ name: String) throws(NotificationError) -> String? {
    guard let value = self[name], value != .null else { return nil }
    guard let text = value.stringValue else { throw .wrongType(name, expected: "a string") }
    return text
  }

  func instant(_ name: String) throws(NotificationError) -> Instant {
    guard let instant = try instantIfPresent(name) else { throw .missingMember(name) }
    return instant
  }

  /// From `start` to `end`.
  func interval() throws(NotificationError) -> Range<Instant> {
    let (start, end) = (try instant("start"), try instant("end"))
    guard start < end else { throw .emptyInterval }
    return start..<end
  }

  func instantIfPresent(_ name: String) throws(NotificationError) -> Instant? {
    guard let text = try textIfPresent(name) else { return nil }
    guard let instant = Instant(text) else { throw .invalidDate(name) }
    return instant
  }
}
