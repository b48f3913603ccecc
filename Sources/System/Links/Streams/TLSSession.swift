import Crypto

internal import COpenSSL
internal import SystemIO

/// One TLS session over a connection that does not block.
@safe
final class TLSSession {
  enum Side { case client, server }

  private let ssl: OpaquePointer
  private let context: TLSContext
  private let accept: (KeyFingerprint) throws -> Bool
  private let side: Side
  /// The key that the other side has shown, which is not a proof.
  private(set) var shown: KeyFingerprint?
  /// The key that the other side has proved; nil until the handshake is done.
  private(set) var peer: KeyFingerprint?
  private var isRefused = false
  /// The number of handshake messages received since a time on the monotonic clock.
  private var messages = (count: 0, since: Duration.zero)
  /// The maximum number of handshake messages in a minute.
  ///
  /// Each costs us work; an honest peer sends fewer than 10 in a handshake, and later one key update a day.
  private static let messageLimit = 32
  /// Whether the last call waits for room to write.
  private(set) var wantsRoom = false
  /// Whether the last call was a write that waits for input.
  private(set) var wantsInputToWrite = false

  /// `accept` decides by the other side's key alone; it throws if it cannot decide now.
  init(
    _ context: TLSContext, _ side: Side, over connection: Connection,
    accept: @escaping (KeyFingerprint) throws -> Bool
  ) throws(TransportError) {
    guard let ssl = unsafe SSL_new(context.pointer) else { throw TransportError(library: "SSL_new") }
    unsafe self.ssl = ssl
    self.context = context
    self.side = side
    self.accept = accept
    guard unsafe SSL_set_fd(ssl, connection.raw) == 1,
      unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
    else { throw TransportError(library: "SSL_set_fd") }
    switch side {
    case .client: unsafe SSL_set_connect_state(ssl)
    case .server: unsafe SSL_set_accept_state(ssl)
    }
  }

  deinit { unsafe SSL_free(ssl) }

  /// Called by the library with the other side's certificate; returns the code of the decision.
  ///
  /// The code determines the alert. If `accept` cannot decide, the alert is `internal_error`, after which the
  /// other side may try again.
  func judge(_ certificate: OpaquePointer) -> CInt {
    guard let fingerprint = try? unsafe KeyMaterial.fingerprint(of: certificate) else {
      return X509_V_ERR_CERT_REJECTED
    }
    (shown, isRefused) = (fingerprint, true)
    do {
      isRefused = try !accept(fingerprint)
      return isRefused ? X509_V_ERR_CERT_REJECTED : X509_V_OK
    } catch {
      return X509_V_ERR_UNSPECIFIED
    }
  }

  /// Called by the library with a line that contains a key, if keys are logged.
  func log(key line: String) { context.keyLog?.write(line) }

  /// Called by the library for each message of the handshake, and for each similar message after it.
  func countHandshakeMessage() {
    let now = SystemClock.monotonic()
    if messages.count == 0 || now - messages.since >= .seconds(60) { messages = (0, now) }
    messages.count += 1
    // Otherwise the library would continue to read handshake messages; after a received end, it stops
    // reading.
    if hasTooManyMessages { unsafe SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN) }
  }

  private var hasTooManyMessages: Bool { messages.count > Self.messageLimit }

  /// Continues with the handshake; true once it is done and the other side is authenticated.
  func handshake() throws(LinkFailure) -> Bool {
    guard let result = try call({ unsafe SSL_do_handshake(ssl) }) else { return false }
    // The peer closed before finishing the handshake.
    guard result > 0 else {
      throw .connectionLost("the other side closed the connection before it authenticated")
    }
    peer = shown
    return true
  }

  /// Reads available bytes; 0 after the other side's `close_notify`, nil if nothing has arrived.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws(LinkFailure) -> Int? {
    var count = 0
    guard let result = try call({ unsafe SSL_read_ex(ssl, bytes.baseAddress, bytes.count, &count) })
    else { return nil }
    return result == 0 ? 0 : count
  }

  /// Writes at most a record; 0 if there is no room, or a handshake message is incomplete.
  func write(_ bytes: Span<UInt8>) throws(LinkFailure) -> Int {
    var count = 0
    let result = try call {
      unsafe bytes.withUnsafeBytes { unsafe SSL_write_ex(ssl, $0.baseAddress, $0.count, &count) }
    }
    wantsInputToWrite = result == nil && !wantsRoom
    // The connection broke after the other side's `close_notify`, and the library reports the latter again.
    if result == 0 { throw .connectionLost("the connection broke off") }
    return count
  }

  /// Sends `close_notify`; false if the call must be repeated later.
  ///
  /// With this alert the other side can distinguish the end of our data from a broken connection.
  func sendEnd() throws(LinkFailure) -> Bool {
    // 0 is success too: our `close_notify` is sent, and the other side's has not arrived.
    try call({ unsafe SSL_shutdown(ssl) >= 0 ? 1 : -1 }) != nil
  }

  /// 32 bytes that only the two ends of this session can compute (RFC 8446 §7.5).
  func exporter(label: String) throws(TransportError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    let status = unsafe SSL_export_keying_material(
      ssl, &bytes, bytes.count, label, label.utf8.count, nil, 0, 0)
    guard status == 1 else { throw TransportError(library: "SSL_export_keying_material") }
    return bytes
  }

  /// Calls the library; nil if the call must be repeated later, 0 after the other side's `close_notify`.
  private func call(_ body: () -> CInt) throws(LinkFailure) -> CInt? {
    ERR_clear_error()
    (wantsRoom, wantsInputToWrite) = (false, false)
    let result = body()
    if hasTooManyMessages {
      throw .protocolBroken("more than \(Self.messageLimit) handshake messages within a minute")
    }
    if result > 0 { return result }
    let code = unsafe SSL_get_error(ssl, result)
    switch code {
    case SSL_ERROR_WANT_READ: return nil
    case SSL_ERROR_WANT_WRITE:
      wantsRoom = true
      return nil
    case SSL_ERROR_ZERO_RETURN: return 0
    default: throw failure(code)
    }
  }

  private func failure(_ code: CInt) -> LinkFailure {
    let reason = ERR_GET_REASON(ERR_peek_error())
    let text = LibraryErrors.take()
    if isRefused { return .untrustedPeer(shown) }
    if code == SSL_ERROR_SYSCALL || reason == SSL_R_UNEXPECTED_EOF_WHILE_READING {
      return .connectionLost("the connection broke off")
    }
    if reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE { return .untrustedPeer(nil) }
    if isForeign(reason) {
      return .protocolBroken("the other side does not use TLS; it may use protocol version 1")
    }
    let alert = reason - SSL_AD_REASON_OFFSET
    if Self.refusals.contains(alert) {
      // A server proves its key before it can refuse us; without that proof, the refusal is not authentic.
      guard side == .server || peer != nil else {
        return .connectionLost("the other side closed the connection before it authenticated")
      }
      return .refusedByPeer("it does not accept this device's key")
    }
    if alert == SSL_AD_INTERNAL_ERROR {
      return .connectionLost("the other side ended the connection because of an error of its own")
    }
    return .protocolBroken(text ?? "TLS error \(reason)")
  }

  /// Whether an error means that the other side does not use TLS.
  ///
  /// Some bytes look like a record of TLS, but not like a first message.
  private func isForeign(_ reason: CInt) -> Bool {
    switch reason {
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: true
    case SSL_R_UNEXPECTED_MESSAGE: messages.count == 0
    default: false
    }
  }

  /// Alerts with which the other side refuses our certificate (RFC 8446 §6.2).
  private static let refusals: Set<CInt> = [
    SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED,
    SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA, SSL_AD_ACCESS_DENIED,
    SSL_AD_CERTIFICATE_REQUIRED,
  ]
}
