import Chores
package import Crypto
import JSONLines
package import SyncCore

/// The token that authenticates the sender to the push service: a JSON Web Token (RFC 7519) signed with the
/// key of a `.p8` file.
///
/// The token is kept in a file that only its owner can read, and later runs reuse it. The service refuses
/// senders that make new tokens more often than every 20 minutes, and tokens that are older than an hour.
package final class ProviderTokens {
  private struct Token {
    var text: String
    var issued: Instant
  }

  private let key: SigningKey
  private let keyID: String
  private let teamID: String
  /// Distinguishes tokens of this key from tokens of another key with the same id.
  private let keyDigest: String
  private let file: PrivateFile
  private let clock: () -> Instant
  private var token: Token?

  /// The minimum age in seconds at which a token is replaced.
  private static let shortestUse: Int64 = 20 * 60
  /// After this many seconds a new token is made; the service accepts the old token for ten more minutes.
  private static let longestUse: Int64 = 50 * 60

  /// `pem` is the content of the `.p8` file; nil if it does not contain a key on the curve P-256.
  package init?(
    pem: [UInt8], keyID: String, teamID: String, folder: String, clock: @escaping () -> Instant
  ) throws(TransportError) {
    guard let key = try SigningKey(pem: pem.span) else { return nil }
    (self.key, self.keyID, self.teamID, self.clock) = (key, keyID, teamID, clock)
    keyDigest = HexDigits.text(try Digest.sha256(pem.span))
    file = PrivateFile("push-token-\(keyID).json", in: folder)
  }

  /// The token to use now.
  package func current() throws(TransportError) -> String {
    if let token, isFresh(token) { return token.text }
    return try file.locked { () throws(TransportError) in
      if let kept = try kept(), isFresh(kept) {
        token = kept
        return kept.text
      }
      return try make()
    }
  }

  /// Replaces the token `old`, which the service has refused for its age.
  ///
  /// The result is false if `old` is too recent to be refused for its age.
  package func renew(_ old: String) throws(TransportError) -> Bool {
    if let token, token.text != old { return true }
    guard let token, age(of: token) >= Self.shortestUse else { return false }
    _ = try file.locked { () throws(TransportError) in try make() }
    return true
  }

  private func age(of token: Token) -> Int64 { clock().seconds - token.issued.seconds }

  private func isFresh(_ token: Token) -> Bool { (0..<Self.longestUse).contains(age(of: token)) }

  private func kept() throws(TransportError) -> Token? {
    guard let bytes = try file.read(), let value = try? JSONValue(parsing: bytes.span),
      value["keyDigest"]?.stringValue == keyDigest, value["teamID"]?.stringValue == teamID,
      let text = value["token"]?.stringValue, PushRequest.isValue(text),
      let seconds = value["issuedAt"]?.intValue,
      let issued = Instant(seconds: Int64(seconds))
    else { return nil }
    return Token(text: text, issued: issued)
  }

  private func make() throws(TransportError) -> String {
    let now = clock()
    let head: JSONValue = ["alg": "ES256", "kid": .string(keyID)]
    let claims: JSONValue = ["iss": .string(teamID), "iat": .integer(now.seconds)]
    let message = "\(Base64.urlText(Array(head.text.utf8))).\(Base64.urlText(Array(claims.text.utf8)))"
    let text = "\(message).\(Base64.urlText(try key.es256(Array(message.utf8).span)))"
    let kept: JSONValue = [
      "issuedAt": .integer(now.seconds), "teamID": .string(teamID), "keyDigest": .string(keyDigest),
      "token": .string(text),
    ]
    try file.replace(with: Array(kept.text.utf8) + [10])
    token = Token(text: text, issued: now)
    return text
  }
}
