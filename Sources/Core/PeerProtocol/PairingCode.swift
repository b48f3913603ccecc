import JSONLines
package import Pairing
public import SyncCore

/// A code that a device shows for pairing.
public struct PairingCode: Sendable {
  /// The content of the symbol; anyone who reads it before it expires can pair, as it has the secret.
  public let text: String
  /// The code for people to type: ten groups of five letters and digits, without the device's name.
  ///
  /// Nil for a code with additional members, from other software.
  public var typed: String? { payload.typed }
  /// The name of the device that shows the code; empty for a typed code.
  public var name: String { payload.expectedPeer ?? "" }
  /// The key that the device must prove: 64 lower-case hex digits, or the first 16 in a typed code.
  public var keyFingerprint: String { payload.publicKeyFingerprint ?? "" }
  /// The first instant at which the code is expired.
  public var expiresAt: Instant { payload.expiresAt }

  /// The default lifetime of a code: five minutes.
  public static let defaultLifetime = PairingLifetime.default

  package let payload: PairingPayload

  /// Reads a scanned or typed code from `peersync pair`, `qrpayload create` or an app.
  ///
  /// - Throws: `invalidQRCodePayload`, `expiredPairingPayload`, `wrongServiceType`, `weakSecret`,
  ///   `incompatibleProtocolVersion` for a version other than 2.
  public init(_ text: String, now: Instant) throws(SyncError) {
    do throws(PairingPayloadProblem) {
      try self.init(PairingPayload(parsing: Array(text.utf8).span), now: now)
    } catch {
      throw SyncError(Diagnostic(error))
    }
  }

  /// Creates a code for `own` to show; `session` and `secret` are 16 random bytes each.
  ///
  /// - Throws: `weakSecret` for bytes that do not look random, which random bytes do once in 10¹¹ cases;
  ///   `invalidQRCodePayload` if the device's name is invalid; `invalidOptionValue` if `session` does not
  ///   have 16 bytes.
  public init(
    showing own: Peer, session: [UInt8], secret: [UInt8], now: Instant, expiresAt: Instant
  ) throws(SyncError) {
    guard session.count == 16 else {
      throw SyncError(Diagnostic(.invalidOptionValue, "a session of \(session.count) bytes, not 16"))
    }
    let payload = PairingPayload(
      showing: own.name, session: session, secret: PairingSecret(bytes: secret), version: .two,
      expiresAt: expiresAt, publicKeyFingerprint: own.keyFingerprint)
    // A code that cannot be read must not be shown, so it is read again here.
    try self.init(PairingCode(payload).text, now: now)
  }

  private init(_ payload: PairingPayload, now: Instant) throws(PairingPayloadProblem) {
    if let problem = payload.problems(at: now, version: .two).first { throw problem }
    self.init(payload)
  }

  package init(_ payload: PairingPayload) {
    self.payload = payload
    text = String(decoding: payload.base64, as: UTF8.self)
  }
}
