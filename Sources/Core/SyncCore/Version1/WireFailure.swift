package import JSONLines

/// An error and the place where it is.
package struct WireFailure: Explained, Equatable, Sendable {
  package var error: WireError
  /// Names and indices, outermost first.
  package var place: [String]

  package init(_ error: WireError, at place: [String] = []) {
    self.error = error
    self.place = place
  }

  /// The same failure, seen from further out.
  private func inside(_ names: String...) -> WireFailure { WireFailure(error, at: names + place) }

  /// The same failure, seen from the delta.
  package func inside(_ entry: WireEntry) -> WireFailure {
    inside("\(entry.kind.rawValue)s", String(entry.index))
  }

  package var code: ErrorCode { error.code }

  /// Lower-case, no final period: `upserts/3/fields/sys: beyond the range of int16`.
  package var message: String {
    guard !place.isEmpty else { return error.message }
    return place.map { $0.pointerToken.shown }.joined(separator: "/") + ": " + error.message
  }

  package var remedy: String? {
    // An identity is never changed.
    if place.first(where: { ["identity", "fields"].contains($0) }) == "identity" { return nil }
    return switch error {
    case .fractionOfSecond: "--lossy cuts to whole seconds"
    case .inexactNumber: "--lossy rounds to the nearest double"
    case .outOfRange(.int64): "--lossy makes it a double, unless its type is known"
    case .nestedValue: "--lossy leaves the value out"
    case .duplicateKey: "a delta has one entry a record: merge the lines first, with lwwmerge"
    case .sameOnTheWire:
      "a profile with \"identity\": \"date\" makes one record of them, for lwwmerge to merge"
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
