import JSONLines

extension JSONValue {
  /// `{"base64":"…"}`, for bytes that are no text.
  static func encoding(_ bytes: [UInt8]) -> JSONValue {
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text)
    return ["base64": .string(String(decoding: text, as: UTF8.self))]
  }
}
