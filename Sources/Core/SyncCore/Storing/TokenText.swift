import JSONLines

/// Tokens as text, in the form of stores and of checkpoint lines: Base64.
package enum TokenText {
  package static func text(_ token: [UInt8]) -> String {
    var digits: [UInt8] = []
    Base64.append(token.span, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Whether a request can contain the token.
  package static func isSendable(_ text: String) -> Bool {
    bytes(text).map { $0.count <= SyncResponse.longestToken } ?? false
  }

  /// Nil if the text is empty or not Base64.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    guard (try? Base64.decode(digits.span, into: &bytes)) != nil, !bytes.isEmpty else { return nil }
    return bytes
  }
}
