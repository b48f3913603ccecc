import CommandLineTool
import JSONLines
import SyncCore
import SystemIO
import Transport

/// What a link needs to know of a pairing that is under way.
struct PairingSession {
  /// When it is over, on the monotonic clock.
  var end: Duration
  /// The provider's key, in protocol version 2.
  var fingerprint: KeyFingerprint?

  static let expired = Diagnostic(
    .expiredPairingPayload, "the time of the pairing is over",
    hint: "make a new payload with 'qrpayload create'")

  /// Reads the payload of a QR symbol, JSON or Base64 of it; the file holds a secret and has to be 0600.
  init(readingFrom path: String) throws {
    guard let source = SecretSource(argument: path) else { throw SystemError.unreachable(path) }
    let text = try source.read().bytes
    var json = text
    if text.first(where: { ![32, 9, 10, 13].contains($0) }) != UInt8(ascii: "{") {
      json = []
      do { try Base64.decode(text.span, into: &json) } catch { throw Self.invalid(path, "not Base64") }
    }
    guard let payload = try? JSONValue(parsing: json.span) else { throw Self.invalid(path, "not JSON") }
    guard let text = payload["expiresAt"]?.stringValue, let expiry = Instant(text) else {
      throw Self.invalid(path, "no expiresAt")
    }
    let (seconds, nanoseconds) = SystemClock.wallTime()
    let left =
      Duration.seconds(expiry.seconds - seconds)
      + .nanoseconds(Int64(expiry.nanoseconds) - Int64(nanoseconds))
    guard left > .zero else { throw Self.expired }
    end = SystemClock.monotonic() + left
    fingerprint = payload["publicKeyFingerprint"]?.stringValue.flatMap(KeyFingerprint.init(text:))
  }

  private static func invalid(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(.invalidQRCodePayload, "no pairing payload: \(reason)", file: path)
  }
}
