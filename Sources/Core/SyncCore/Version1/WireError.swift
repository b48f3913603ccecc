package import JSONLines

/// An error in a delta, in a line for a delta, or in a file of types.
package enum WireError: Explained, MemberFailure, Equatable, Sendable {
  /// The offset is reported as an offset in the line; if a text has several lines, the caller must convert
  /// it.
  case member(MemberError)
  case change(ChangeError)
  case notASyncResponse
  case incompatibleProtocolVersion
  case unknownMember(String)
  case unknownTag(String)
  case conflictingTypes(WireTag, WireTag)
  case invalidKey
  case invalidDate
  case invalidToken(String)
  case invalidVersion
  case outOfRange(WireTag)
  case notAnInteger(WireTag)
  case inexactNumber(nearest: String)
  case fractionOfSecond
  case nestedValue
  case compositeIdentity(members: Int)
  case missingClock
  /// The line with the same key, 1-based; `file` is nil if both lines are in one file.
  case duplicateKey(line: Int, file: String? = nil)
  /// The line that has a different key here but the same key on the wire.
  ///
  /// Only a date can cause this, because it is an instant on the wire.
  case sameOnTheWire(line: Int, file: String? = nil)
}

extension WireError {
  package var code: ErrorCode {
    switch self {
    case .member(let error): error.code
    case .change(let error): error.code
    case .notASyncResponse: .notASyncResponse
    case .incompatibleProtocolVersion: .incompatibleProtocolVersion
    case .unknownMember: .unknownMember
    case .unknownTag: .unknownTag
    case .conflictingTypes: .conflictingTypes
    case .invalidKey: .noKey
    case .invalidDate: .invalidDate
    case .invalidToken: .invalidBase64
    case .invalidVersion: .invalidVersion
    case .outOfRange, .notAnInteger: .numberOutOfRange
    case .inexactNumber: .inexactNumber
    case .fractionOfSecond: .fractionOfSecond
    case .nestedValue: .nestedValue
    case .compositeIdentity: .compositeIdentity
    case .missingClock: .missingClock
    case .duplicateKey, .sameOnTheWire: .duplicateKey
    }
  }

  /// The error in words: lower-case, no final period; foreign names have their control characters escaped.
  package var message: String {
    switch self {
    case .member(let error): error.message
    case .change(let error): error.message
    case .notASyncResponse: "a message that is not a syncResponse"
    case .incompatibleProtocolVersion: "a message of another protocol version than 1"
    case .unknownMember(let name): "unknown member '\(name.shown)'"
    case .unknownTag(let name): "unknown type '\(name.shown)'"
    case .conflictingTypes(let tag, let other):
      "\(tag.rawValue) here, \(other.rawValue) in another entry, but both entries are one record in plain JSON"
    case .invalidKey: "not the canonical key of a record"
    case .invalidDate: "not an RFC 3339 date-time"
    case .invalidToken(let reason): "not Base64: \(reason)"
    case .invalidVersion: "not an integer of 64 bits"
    case .outOfRange(let tag): "beyond the range of \(tag.rawValue)"
    case .notAnInteger(let tag): "not an integer, which \(tag.rawValue) needs"
    case .inexactNumber(let nearest): "not a double's shortest form; the nearest is \(nearest)"
    case .fractionOfSecond: "the wire supports only whole seconds"
    case .nestedValue: "the wire does not support arrays or objects"
    case .compositeIdentity(let members): "the wire supports identities of one member, not of \(members)"
    case .missingClock: "the clock is missing, and the wire needs one"
    case .duplicateKey(let line, let file): "the same key as \(Self.place(line, file))"
    case .sameOnTheWire(let line, let file):
      "the same identity as \(Self.place(line, file)) once its date is written in the form of the wire"
    }
  }

  private static func place(_ line: Int, _ file: String?) -> String {
    (file.map { "\($0.escapingControls): " } ?? "") + "line \(line)"
  }
}

/// An error and its place.
package struct WireFailure: Explained, Equatable, Sendable {
  package var error: WireError
  /// Names and indices, outermost first.
  package var place: [String]

  package init(_ error: WireError, at place: [String] = []) {
    self.error = error
    self.place = place
  }

  /// The same failure, with the outer names added to its place.
  private func inside(_ names: String...) -> WireFailure { WireFailure(error, at: names + place) }

  /// The same failure, with its place in the delta.
  package func inside(_ entry: WireEntry) -> WireFailure {
    inside("\(entry.kind.rawValue)s", String(entry.index))
  }

  package var code: ErrorCode { error.code }

  /// The error in words: lower-case, no final period: `upserts/3/fields/sys: beyond the range of int16`.
  package var message: String {
    guard !place.isEmpty else { return error.message }
    // The first ": " ends the place, in bytes: a letter of a name may form one character with the colon.
    let names = place.map { $0.pointerToken.shown.parts(at: ":") }.map { parts in
      parts.dropFirst().reduce(parts[0]) { $0 + ":" + String(Substring($1.utf8.drop { $0 == 0x20 })) }
    }
    return names.joined(separator: "/") + ": " + error.message
  }

  package var remedy: String? {
    // An identity is never changed.
    if place.first(where: { ["identity", "fields"].contains($0) }) == "identity" { return nil }
    return switch error {
    case .fractionOfSecond: "--lossy cuts to whole seconds"
    case .inexactNumber: "--lossy rounds to the nearest double"
    case .outOfRange(.int64): "--lossy makes it a double, unless its type is known"
    case .nestedValue: "--lossy leaves the value out"
    case .duplicateKey: "a delta has one entry per record: merge the lines first, with lwwmerge"
    case .sameOnTheWire:
      "merge the lines first, with lwwmerge and a profile with \"identity\": \"date\""
    case .unknownMember: "--lossy leaves unknown members out"
    default: nil
    }
  }
}

extension String {
  /// Escaped as in a JSON Pointer (RFC 6901 §3).
  fileprivate var pointerToken: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return self }
    return unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}
