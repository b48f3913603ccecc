package import JSONLines
import SyncCore

/// Why a line is not a notification, device or busy interval, or why it cannot be sent.
package enum NotificationError: Explained, MemberFailure, Equatable, Sendable {
  case member(MemberError)
  case payloadTooLarge(Int)
  case collapseIDTooLong(Int)
  /// The value of a header contains a line break or another invalid character.
  case invalidHeader(String)
}

extension NotificationError {
  package var code: ErrorCode {
    switch self {
    case .member(let error): error.code
    case .invalidHeader: .wrongType
    case .payloadTooLarge, .collapseIDTooLong: .payloadTooLarge
    }
  }

  /// The error in words: lower-case, no final period.
  package var message: String {
    switch self {
    case .member(let error): error.fault == .missing ? "'\(error.name)' is missing" : error.message
    case .payloadTooLarge(let count):
      "the payload has \(count) bytes, more than \(PushRequest.largestPayload)"
    case .collapseIDTooLong(let count):
      "the collapse id has \(count) bytes, more than \(PushRequest.longestCollapseID)"
    case .invalidHeader(let name):
      "'\(name)' is empty, or has a control character, or begins or ends with a space"
    }
  }
}

/// The members of a line about notifications.
typealias NotificationMembers = Members<NotificationError>

extension NotificationMembers {
  init(_ line: JSONValue) { self.init(line.objectValue ?? []) }

  func instant(_ name: String) throws(NotificationError) -> Instant {
    guard let instant = try optionalInstant(name) else { throw .missingMember(name) }
    return instant
  }

  func optionalInstant(_ name: String) throws(NotificationError) -> Instant? {
    guard let text = try optionalString(name) else { return nil }
    guard let instant = Instant(text) else { throw error(name, .wrong("not a valid date", .invalidDate)) }
    return instant
  }

  /// From `start` to `end`.
  func interval() throws(NotificationError) -> Range<Instant> {
    let (start, end) = (try instant("start"), try instant("end"))
    guard start < end else { throw error("end", .wrong("not after 'start'", .invalidDate)) }
    return start..<end
  }
}
