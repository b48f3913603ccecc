package import JSONLines

/// How the values of keys are decoded on the watch.
package struct ContextHandlers: Sendable {
  package enum Form: String, Sendable, CaseIterable {
    case json, utf8, base64

    var description: String {
      switch self {
      case .json: "JSON"
      case .utf8: "UTF-8"
      case .base64: "Base64"
      }
    }
  }

  /// The forms by the UTF-8 bytes of their keys.
  private let forms: [[UInt8]: Form]

  /// Reads an object, `{"theme":"utf8","levels":"json"}`.
  package init(parsing text: Span<UInt8>) throws(ContextError) {
    let line = try ContextLine(parsing: text, refusing: .repeated)
    var forms: [[UInt8]: Form] = [:]
    for member in line.all {
      guard let form = member.value.stringValue.flatMap(Form.init(rawValue:)) else {
        throw .wrongType(member.name, expected: "json, utf8 or base64")
      }
      forms[Array(member.name.utf8)] = form
    }
    self.forms = forms
  }

  /// Values in the app's memory, and values without a handler.
  package struct Decoded {
    package var values: [JSONMember] = []
    /// Values of keys without a handler, in Base64: a newer phone may have keys that are unknown here.
    package var unknown: [JSONMember] = []
    /// Values that their handler cannot decode, in Base64.
    package var undecodable: [JSONMember] = []
    package var errors: [ContextError] = []

    /// The members of a deliver action.
    var members: [JSONMember] {
      var members = [JSONMember("values", .object(values))]
      if !unknown.isEmpty { members.append(JSONMember("unknown", .object(unknown))) }
      if !undecodable.isEmpty { members.append(JSONMember("undecodable", .object(undecodable))) }
      return members
    }
  }

  package func decode(_ map: ContextMap) -> Decoded {
    var decoded = Decoded()
    for key in map.keys {
      let bytes = map[key] ?? []
      let raw = JSONMember(key, .string(ContextText.base64(bytes)))
      guard let form = forms[Array(key.utf8)] else {
        decoded.unknown.append(raw)
        continue
      }
      if let value = Self.decode(bytes, form) {
        decoded.values.append(JSONMember(key, value))
      } else {
        decoded.undecodable.append(raw)
        decoded.errors.append(.undecodableValue(key, form: form.description))
      }
    }
    return decoded
  }

  private static func decode(_ bytes: [UInt8], _ form: Form) -> JSONValue? {
    switch form {
    case .json: try? JSONValue(parsing: bytes.span)
    case .utf8: String(validating: bytes, as: UTF8.self).map { .string($0) }
    case .base64: .string(ContextText.base64(bytes))
    }
  }
}
