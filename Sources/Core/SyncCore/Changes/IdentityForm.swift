import JSONLines

/// How the values of an entity's identity are converted before they are compared.
///
/// The canonical key has the compared form of each value. Everything else keeps the line's own spelling.
package enum IdentityForm: String, Sendable {
  /// A string that is a UUID is compared in lower case; any other value unchanged.
  case uuid
  /// A date-time or an epoch number is compared as an instant; any other value is invalid.
  case date

  /// How the value of a plain identity appears in the canonical key.
  enum Standing {
    /// The same bytes.
    case same
    /// The same bytes in lower case: a UUID with capitals.
    case lowerCase
    /// Other bytes.
    case other
  }

  /// The standing of a string without escapes or an integer in plain digits.
  func standing(_ text: Span<UInt8>, _ value: Range<Int>) -> Standing {
    switch self {
    case .uuid: UUIDCapitals.hasAny(text, value) ? .lowerCase : .same
    // A date-time with three digits of fraction and `Z` is already in the compared form.
    case .date:
      text.isString(value) && value.count == 26
        && Instant(usual: text, value.dropFirst().dropLast()) != nil ? .same : .other
    }
  }

  /// Rewrites the values of the canonical object at the end of `bytes`.
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
        throw .noKey("'\(name)' is neither a date-time nor epoch seconds or milliseconds")
      }
      bytes += identity[end..<value.lowerBound] + "\"\(instant)\"".utf8
      end = value.upperBound
    }
    bytes += identity[end...]
  }
}

/// A record as a person specifies it: an id, a number, or a complete identity object.
package struct IdentityPattern: Sendable {
  /// The identity of a matching record, or its only value, has one of these canonical forms.
  private let identities: [[UInt8]]
  private let entity: [UInt8]?

  /// Creates the pattern for a text; nil as `entity` matches any entity.
  package init(_ text: String, entity: String?) {
    var string: [UInt8] = []
    JSONString.appendQuoted(text, to: &string)
    var identities = [string]
    let bytes = Array(text.utf8)
    if (try? JSONScanner.validate(bytes.span)) != nil {
      var canonical: [UInt8] = []
      CanonicalJSON.append(bytes.span, bytes.span.onlyValue, to: &canonical)
      identities.append(canonical)
    }
    // Under a profile, the case of a UUID and the spelling of a time do not change the key.
    self.identities =
      identities
      + identities.flatMap { [Self.rewritten($0, .uuid), Self.rewritten($0, .date)] }.compactMap(\.self)
    self.entity = entity.map { entity in
      var name: [UInt8] = []
      JSONString.appendQuoted(entity, to: &name)
      return name
    }
  }

  /// The canonical value in the spelling that a key of this form has; nil if it cannot have the form.
  ///
  /// A value that has the form is a string or an object; a date may also be a number.
  private static func rewritten(_ canonical: [UInt8], _ form: IdentityForm) -> [UInt8]? {
    let isObject = canonical.first == UInt8(ascii: "{")
    let isNumber = canonical.span.isNumber(0..<canonical.count)
    guard isObject || canonical.first == UInt8(ascii: "\"") || form == .date && isNumber else { return nil }
    var identity = isObject ? canonical : Array("{\"\":".utf8) + canonical + [UInt8(ascii: "}")]
    guard (try? form.rewrite(&identity, from: 0)) != nil else { return nil }
    return isObject ? identity : Array(identity.dropFirst(4).dropLast())
  }

  /// Whether a canonical key, `[entityName,identity]`, matches.
  package func matches(_ key: ArraySlice<UInt8>) -> Bool {
    let key = Array(key)
    guard case .found(let name) = Self.entityPlace.find(in: key.span, 0..<key.count),
      case .found(let identity) = Self.identityPlace.find(in: key.span, 0..<key.count)
    else { return false }
    if let entity, entity[...] != key[name] { return false }
    return identities.contains { $0[...] == key[identity] || isOnlyValue($0, of: key[identity]) }
  }

  /// Whether the identity is `{"…":value}`.
  ///
  /// Canonical text stays canonical when it is parsed and written again.
  private func isOnlyValue(_ value: [UInt8], of identity: ArraySlice<UInt8>) -> Bool {
    guard case .object(let members) = try? JSONValue(parsing: Array(identity).span), members.count == 1 else {
      return false
    }
    var bytes: [UInt8] = []
    members[0].value.append(to: &bytes)
    return bytes == value
  }

  private static let entityPlace = JSONPointer(name: "0")
  private static let identityPlace = JSONPointer(name: "1")
}
