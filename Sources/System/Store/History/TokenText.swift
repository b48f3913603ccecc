import JSONLines
import SyncCore

/// Tokens of peers as the store keeps them: Base64.
enum TokenText {
  static func text(_ token: [UInt8]) -> String {
    var digits: [UInt8] = []
    Base64.append(token.span, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Whether it can go into a request.
  static func isSendable(_ text: String) -> Bool {
    bytes(text).map { $0.count <= SyncResponse.longestToken } ?? false
  }

  /// Nil for an empty text, and for one that is no Base64.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    guard (try? Base64.decode(digits.span, into: &bytes)) != nil, !bytes.isEmpty else { return nil }
    return bytes
  }
}
