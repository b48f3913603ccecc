import JSONLines
import CommandLine
import Crypto
import Links
import Pairing
import SyncCore
import SystemIO

/// What a link needs to know of a pairing that is under way.
struct PairingWindow {
  /// When it is over, on the monotonic clock.
  var end: Duration
  /// The provider's key, in protocol version 2.
  var fingerprint: KeyFingerprint?

  static let expired = Diagnostic(
    .expiredPairingPayload, "the time of the pairing is over",
    hint: "make a new payload with 'qrpayload create'")

  /// Reads the payload of a QR symbol, JSON or Base64 of it; the file holds a secret and has to be 0600.
  ///
  /// A payload of another version than the link's would leave the other side's key open.
  init(readingFrom path: String, over version: ProtocolVersion) throws {
    guard let source = SecretSource(argument: path) else { throw SystemError.unreachable(path) }
    let text = try source.read().bytes
    let payload: PairingPayload
    do throws(PairingPayloadProblem) {
      payload = try PairingPayload(parsing: text.span)
    } catch {
      throw Diagnostic(.invalidQRCodePayload, error.message, file: path)
    }
    guard payload.version == version else { throw Self.otherVersion(payload, version, path) }
    let left = payload.timeLeft(at: .wallClock)
    guard left > .zero else { throw Self.expired }
    end = SystemClock.monotonic() + left
    fingerprint = payload.publicKeyFingerprint.flatMap { KeyFingerprint(text: $0) }
  }

  private static func otherVersion(
    _ payload: PairingPayload, _ version: ProtocolVersion, _ path: String
  ) -> Diagnostic {
    let problem = PairingPayloadProblem.incompatibleVersion(payload.protocolVersion, wanted: version)
    let remedy = payload.version.map { "with this payload: --protocol \($0.rawValue)" }
    var diagnostic = Diagnostic(.incompatibleProtocolVersion, problem.message, file: path, hint: remedy)
    diagnostic.ending = .refused
    return diagnostic
  }
}
