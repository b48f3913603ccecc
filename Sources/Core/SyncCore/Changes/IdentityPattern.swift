import JSONLines

/// What a person types to name a record: the text of an id, a number, or a whole identity object.
package struct IdentityPattern: Sendable {
  /// Canonical forms, any of which may be the identity, or the only value in it.
  private let identities: [[UInt8]]
  private let entity: [UInt8]?

  /// No entity stands for any.
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
    // Under a profile, a UUID has one key in any case, and a time in any spelling.
    self.identities =
      identities
      + identities.flatMap { [Self.rewritten($0, .uuid), Self.rewritten($0, .date)] }.compactMap(\.self)
    self.entity = entity.map { entity in
      var name: [UInt8] = []
      JSONString.appendQuoted(entity, to: &name)
      return name
    }
  }

  /// What a string, or each value of an object, is in a key of that form; nil if it cannot be one.
  private static func rewritten(_ canonical: [UInt8], _ form: IdentityForm) -> [UInt8]? {
    let isObject = canonical.first == UInt8(ascii: "{")
    guard isObject || canonical.first == UInt8(ascii: "\"") else { return nil }
    var identity = isObject ? canonical : Array("{\"\":".utf8) + canonical + [UInt8(ascii: "}")]
    guard (try? form.rewrite(&identity, from: 0)) != nil else { return nil }
    return isObject ? identity : Array(identity.dropFirst(4).dropLast())
  }

  /// Whether a canonical key, `[entityName,identity]`, is meant.
  package func matches(_ key: ArraySlice<UInt8>) -> Bool {
    let key = Array(key)
    guard case .found(let name) = Self.entityPlace.find(in: key.span, 0..<key.count),
      case .found(let identity) = Self.identityPlace.find(in: key.span, 0..<key.count)
    else { return false }
    if let entity, entity[...] != key[name] { return false }
    return identities.contains { $0[...] == key[identity] || isOnlyValue($0, of: key[identity]) }
  }

  /// Whether the identity is `{"…":value}`; canonical text stays so when it is parsed and written again.
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
