import JSONLines

/// How the values of an entity's identity are compared, if not as they are.
///
/// The canonical key has the compared form of each value. Everything else keeps the line's own spelling.
package enum IdentityForm: String, Sendable {
  /// A string that is a UUID is compared in lower case; any other value as it is.
  case uuid
  /// A date-time or an epoch number is compared as an instant; anything else is bad data.
  case date

  /// What a plain value is in the canonical key.
  enum Standing {
    /// The same bytes.
    case same
    /// The same bytes in lower case: a UUID with capitals.
    case lowerCase
    /// Other bytes.
    case other
  }

  /// For a string without escapes or an integer in plain digits.
  func standing(_ text: Span<UInt8>, _ value: Range<Int>) -> Standing {
    switch self {
    case .uuid: UUIDCapitals.hasAny(text, value) ? .lowerCase : .same
    // With three digits of fraction and `Z`, it is the description of its instant.
    case .date:
      text.isString(value) && value.count == 26
        && Instant(usual: text, value.dropFirst().dropLast()) != nil ? .same : .other
    }
  }

  /// Rewrites the values of the canonical object that `bytes` end with.
  func rewrite(_ bytes: inout [UInt8], from start: Int) throws(ChangeError) {
    switch self {
    case .uuid:
      var cursor = ContainerCursor(opening: start)
      while cursor.hasNext(in: bytes.span) {
        _ = cursor.readName(in: bytes.span)
        let value = cursor.passValue(in: bytes.span)
        if UUIDCapitals.hasAny(bytes.span, value) { UUIDCapitals.lower(&bytes, value) }
      }
    case .date: try rewriteDates(&bytes, from: start)
    }
  }

  private func rewriteDates(_ bytes: inout [UInt8], from start: Int) throws(ChangeError) {
    let identity = Array(bytes[start...])
    bytes.removeLast(identity.count)
    var cursor = ContainerCursor(opening: 0)
    var end = 0
    while cursor.hasNext(in: identity.span) {
      let name = cursor.readName(in: identity.span)
      let value = cursor.passValue(in: identity.span)
      guard let instant = Clock.instant(identity.span, value) else {
        let name = JSONString.decoded(identity.span, name)
        throw .noKey("'\(name)' is neither a date-time nor an epoch number")
      }
      bytes += identity[end..<value.lowerBound] + "\"\(instant)\"".utf8
      end = value.upperBound
    }
    bytes += identity[end...]
  }
}
