package import JSONLines

/// The facts about one line that the rules need; the line itself is preserved byte for byte.
package struct ChangeLine: Sendable {
  package enum Kind: Sendable {
    /// A line with an `identity`.
    case change
    /// A plain record, which represents a change.
    case record
    /// A line with `newTokenData` but without a possible key.
    case checkpoint
  }

  package var kind: Kind
  package var isTombstone = false
  /// The time of the change; nil is earlier than any clock.
  package var clock: Instant?
  /// The range of the raw version in the line; nil is lower than any version.
  package var version: Range<Int>?
  package var facts = RuleFacts.lww
}

/// The facts that the entity's merge rule reads from a line, in addition to clock, tombstone and version.
package enum RuleFacts: Equatable, Sendable {
  case lww
  case terminal(TerminalFacts)
  case appendOnly
}

extension ChangeLine {
  /// Whether two lines differ in more than their spelling.
  package static func differInContent(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    ByteSearch.compare(a, b) != 0 && !JSONEquality.isEqual(a, a.onlyValue, b, b.onlyValue)
  }
}

/// Why a line is not a change.
package enum ChangeError: Explained, Equatable, Sendable {
  case json(JSONError)
  case notAnObject
  case noKey(String)
  case duplicateMember(String)
  case invalidClock(member: String)
  case invalidVersion
  /// A checkpoint whose token is not a string.
  case invalidToken
  /// A delta of protocol version 1, which contains many changes.
  case wireDelta
  /// A tombstone without a clock, from another device.
  case missingClock
  /// A plain record without an entity name, for a store with several entities.
  case missingEntity
  /// A missing or null value at a pointer of the profile's `required`.
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
    case .wireDelta: .notASnapshot
    case .missingClock: .missingClock
    case .missingEntity: .missingEntity
    case .missingMember: .missingMember
    }
  }

  /// The error in words: lower-case, no final period.
  package var message: String {
    switch self {
    case .json(let error): error.message(in: "line")
    case .notAnObject: "not a JSON object"
    case .noKey(let reason): "no key: \(reason)"
    case .duplicateMember(let name): "duplicate member '\(name)'"
    case .invalidClock(let member): "'\(member)' is neither a date-time nor epoch seconds or milliseconds"
    case .invalidVersion: "'version' is not a number"
    case .invalidToken: "'newTokenData' of a checkpoint is not a string"
    case .wireDelta: "a delta of protocol version 1, not a line of changes"
    case .missingClock: "deleted, but the time is missing"
    case .missingEntity: "does not name its entity, and the store has more than one"
    case .missingMember(let pointer): "required member '\(pointer)' is missing"
    }
  }

  package var remedy: String? {
    switch self {
    case .wireDelta: "deltadiff unpack converts it to change lines"
    case .missingEntity: "use --entity-name"
    default: nil
    }
  }
}
