import Crypto
import JSONLines
import ServerProtocol
import SyncCore
import SystemIO

/// The content of the key file of a Firestore remote.
enum GoogleKey {
  /// A token that is sent unchanged; another program renews it.
  case token(String)
  case account(ServiceAccount)

  /// Reads a file that only its owner can read: the JSON of a service account, or a token as one line.
  init(contentsOf path: String) throws {
    if let looseness = try FileMode.looseness(ofSecret: path) {
      throw Diagnostic(.looseSecretFile, looseness.problem, file: path, hint: looseness.remedy)
    }
    let bytes = try ByteInput.contents(of: path)
    if let value = try? JSONValue(parsing: bytes.span), value.objectValue != nil {
      guard let account = try ServiceAccount(value) else {
        throw Diagnostic(
          .notASigningKey,
          "not the key of a service account, which has client_email, private_key (RSA) and token_uri",
          file: path,
          hint: "make one in the Google Cloud console under IAM, service accounts, keys")
      }
      self = .account(account)
      return
    }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    // Reject braces, which tokens do not contain: otherwise a damaged key would be sent over the network.
    guard words.count == 1, words[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x7B }) else {
      throw Diagnostic(
        .damagedRecord, "neither a token as one line nor the JSON key of a service account", file: path)
    }
    self = .token(String(words[0]))
  }
}

/// A service account, which signs its own requests for tokens (RFC 7523).
///
/// <https://developers.google.com/identity/protocols/oauth2/service-account>
struct ServiceAccount {
  let email: String
  let keyID: String
  let key: SigningKey
  /// `https://host/path`, or `http://` on this machine.
  let tokenURI: String

  init?(_ value: JSONValue) throws {
    guard let email = value["client_email"]?.stringValue, let pem = value["private_key"]?.stringValue,
      let uri = value["token_uri"]?.stringValue, let tokenURI = ServerAddress.url(uri),
      let key = try SigningKey(rsaPEM: Array(pem.utf8).span)
    else { return nil }
    (self.email, self.key, self.tokenURI) = (email, key, tokenURI)
    keyID = value["private_key_id"]?.stringValue ?? ""
  }

  /// Requests a token, which is valid for about an hour.
  func token(now: Instant, patience: Duration) throws -> (text: String, seconds: Int) {
    let assertion = try assertion(now: now)
    let body =
      "grant_type=\("urn:ietf:params:oauth:grant-type:jwt-bearer".percentEncoded)&assertion=\(assertion)"
    var settings = HTTPClient.Settings(url: tokenURI, key: "")
    (settings.patience, settings.contentType) = (patience, "application/x-www-form-urlencoded")
    settings.absence = "check that this machine is online and can reach \(tokenURI)"
    let answer = try HTTPClient(settings).send("POST", "", [], body: Array(body.utf8))
    let value = try? JSONValue(parsing: answer.body.span)
    if answer.status == 200, let text = value?["access_token"]?.stringValue, !text.isEmpty,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    {
      return (text, value?["expires_in"]?.intValue ?? 3_600)
    }
    let reason =
      value?["error_description"]?.stringValue ?? value?["error"]?.stringValue ?? "status \(answer.status)"
    var diagnostic = Diagnostic(
      answer.status >= 500 || answer.status == 429 ? .peerBusy : .refusedByPeer,
      "no token for the service account: \(reason.shown(upTo: 300))",
      hint: answer.status < 500
        ? "check that the key still exists, and that this machine's clock is right" : nil)
    diagnostic.retryAfter = answer.retryAfter
    throw diagnostic
  }

  private func assertion(now: Instant) throws -> String {
    let head: JSONValue = ["alg": "RS256", "typ": "JWT", "kid": .string(keyID)]
    let claims: JSONValue = [
      "iss": .string(email), "scope": "https://www.googleapis.com/auth/datastore", "aud": .string(tokenURI),
      "iat": .integer(now.seconds), "exp": .integer(now.seconds + 3_600),
    ]
    let message = "\(Base64.urlText(Array(head.text.utf8))).\(Base64.urlText(Array(claims.text.utf8)))"
    return "\(message).\(Base64.urlText(try key.rs256(Array(message.utf8).span)))"
  }
}
