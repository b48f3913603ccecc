/// An error and the place where it is.
package struct WireFailure: Error, Equatable, Sendable {
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

  package var code: String { error.code }

  /// Lower-case, no final period: `upserts/3/fields/sys: beyond the range of int16`.
  package var message: String {
    guard !place.isEmpty else { return error.message }
    return place.map { $0.pointerToken.shown }.joined(separator: "/") + ": " + error.message
  }

  package var remedy: String? {
    switch error {
    case .fractionOfSecond: "--lossy cuts to whole seconds"
    case .inexactNumber: "--lossy rounds to the nearest double"
    case .nestedValue: "--lossy leaves the value out"
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

  /// As a person may see it: at most 60 scalars, and none that would steer a terminal or turn the text around.
  var shown: String {
    let scalars = unicodeScalars.prefix(60).map { scalar in
      Self.steers(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return scalars.joined() + (unicodeScalars.dropFirst(60).isEmpty ? "" : "…")
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
