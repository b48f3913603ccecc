/// An error in an object, with the member concerned.
public struct MemberError: Explained, Equatable, Sendable {
  package enum Fault: Equatable, Sendable {
    case json(JSONError)
    case notAnObject
    case missing
    /// Two members with the same name: two readers might use different ones.
    case duplicate
    /// A fault of the value, such as "not a string".
    case wrong(String, ErrorCode = .wrongType)
    /// A word that is not valid in the member.
    case unknownValue(String)
    /// A complete message.
    case other(String, ErrorCode)
  }

  /// The names on the path to the member, outermost first; empty for the complete object.
  package var place: [String]
  package var fault: Fault

  package init(_ fault: Fault, at place: [String] = []) { (self.place, self.fault) = (place, fault) }

  /// The stable name of the error, as in `SyncError.code`.
  public var code: ErrorCode {
    switch fault {
    case .json(let error): error.code.errorCode
    case .notAnObject: .notAnObject
    case .missing: .missingMember
    case .duplicate: .duplicateMember
    case .unknownValue: .unknownValue
    case .wrong(_, let code), .other(_, let code): code
    }
  }

  /// The member's name in a form that is safe to show.
  package var name: String { (place.last ?? "").shown }

  /// The error in words: lower-case, no final period; foreign text has its control characters escaped.
  public var message: String {
    switch fault {
    case .json(let error): error.message(in: "line")
    case .notAnObject: "not a JSON object"
    case .missing: "no member '\(name)'"
    case .duplicate: "duplicate member '\(name)'"
    case .wrong(let flaw, _): "'\(name)' is \(flaw)"
    case .unknownValue(let value): "unknown \(name) '\(value.shown)'"
    case .other(let message, _): message
    }
  }
}

extension MemberError {
  /// The place as a JSON Pointer.
  package var pointer: String { JSONPointer(tokens: place).text }

  /// The fault in words that follow a place.
  package var matter: String {
    switch fault {
    case .json(let error): error.message(in: "")
    case .notAnObject: "not an object"
    case .missing: "missing"
    case .duplicate: "duplicate"
    case .wrong(let flaw, _): flaw
    case .unknownValue, .other: message
    }
  }
}

/// An error type that can represent the faults of members.
@usableFromInline
package protocol MemberFailure: Error {
  static func member(_ error: MemberError) -> Self
}

extension MemberFailure {
  package static func json(_ error: JSONError) -> Self { .member(MemberError(.json(error))) }

  package static var notAnObject: Self { .member(MemberError(.notAnObject)) }

  @usableFromInline
  package static func missingMember(_ name: String) -> Self { .member(MemberError(.missing, at: [name])) }

  @usableFromInline
  package static func duplicateMember(_ name: String) -> Self { .member(MemberError(.duplicate, at: [name])) }

  @usableFromInline
  package static func wrongType(_ name: String, expected: String) -> Self {
    .member(MemberError(.wrong("not \(expected)"), at: [name]))
  }

  package static func unknownValue(_ name: String, _ value: String) -> Self {
    .member(MemberError(.unknownValue(value), at: [name]))
  }
}

extension MemberError: MemberFailure {
  @usableFromInline
  package static func member(_ error: MemberError) -> MemberError { error }
}

/// An invalid line, which makes the whole file invalid.
package struct DamagedLine: Error, Equatable, Sendable {
  /// The line in the file, 1-based.
  package var line: Int
  /// The error in words: lower-case, no final period.
  package var message: String

  package init(line: Int, message: String) { (self.line, self.message) = (line, message) }
}
