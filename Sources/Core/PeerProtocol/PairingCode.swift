import JSONLines
package import Pairing
public import SyncCore

/// The code that a device shows for pairing: which device showed it, and when it expires.
public struct PairingCode: Sendable {
  /// The content of the symbol, with the secret of the pairing: whoever reads it in time can pair.
  public let text: String
  /// The same for people to type: ten groups of five letters and digits, without the device's name.
  ///
  /// Nil for a code of other software with additional members.
  public var typed: String? { payload.typed }
  /// The name of the device that has shown it; empty for a code that was typed.
  public var name: String { payload.expectedPeer ?? "" }
  /// The key that the device has to prove, 64 lower-case hex digits; the first 16 of them for a code that was typed.
  public var keyFingerprint: String { payload.publicKeyFingerprint ?? "" }
  /// The first instant at which it is not good any more.
  public var expiresAt: Instant { payload.expiresAt }

  package let payload: PairingPayload

  /// Reads what `peersync pair`, `qrpayload create` or an app shows, scanned or typed.
  ///
  /// - Throws: `invalidQRCodePayload`, `expiredPairingPayload`, `wrongServiceType`, `weakSecret`,
  ///   `incompatibleProtocolVersion` if it is of another version than 2.
  public init(_ text: String, now: Instant) throws(SyncError) {
    do throws(PairingPayloadProblem) {
      try self.init(PairingPayload(parsing: Array(text.utf8).span), now: now)
    } catch {
      throw SyncError(Diagnostic(error))
    }
  }

  /// A new one for `own` to show; `session` and `secret` are 16 random bytes each.
  ///
  /// - Throws: `weakSecret` for bytes that are not random, which happens by chance once in 10¹¹ times; `invalidQRCodePayload` if the
  ///   device has no name that can be found.
  public init(
    showing own: Peer, session: [UInt8], secret: [UInt8], now: Instant, expiresAt: Instant
  ) throws(SyncError) {
    let payload = PairingPayload(
      showing: own.name, session: session, secret: PairingSecret(bytes: secret), version: .two,
      expiresAt: expiresAt, publicKeyFingerprint: own.keyFingerprint)
    // What nobody could read is not shown.
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
