package import Crypto

internal import COpenSSL

/// The common settings of all TLS sessions of a process.
///
/// These sessions use only TLS 1.3, and a certificate on both sides. They do not keep state after a
/// connection (no tickets, no resumption, no early data).
///
/// They do not use a chain of trust. Only the key of the other side decides, in a callback that receives its
/// fingerprint.
@safe
package final class TLSContext {
  let pointer: OpaquePointer
  /// The library counts its own references to key and certificate; this reference keeps the Swift object alive.
  private let identity: DeviceIdentity
  /// Records the keys of each session; nil without a key log.
  let keyLog: KeyLog?

  package init(_ identity: DeviceIdentity, keyLog: KeyLog? = nil) throws(TransportError) {
    guard let pointer = unsafe SSL_CTX_new(TLS_method()) else { throw TransportError(library: "SSL_CTX_new") }
    unsafe self.pointer = pointer
    (self.identity, self.keyLog) = (identity, keyLog)
    unsafe limit(pointer)
    if keyLog != nil { unsafe SSL_CTX_set_keylog_callback(pointer, logKey) }
    guard unsafe SSL_CTX_use_certificate(pointer, identity.material.certificate) == 1,
      unsafe SSL_CTX_use_PrivateKey(pointer, identity.material.key) == 1
    else { throw TransportError(library: "SSL_CTX_use_PrivateKey") }
  }

  deinit { unsafe SSL_CTX_free(pointer) }

  private func limit(_ pointer: OpaquePointer) {
    // The documented functions for these settings are macros over SSL_CTX_ctrl.
    unsafe SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil)
    unsafe SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    unsafe SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_CERT_LIST, Self.longestCertificate, nil)
    unsafe SSL_CTX_ctrl(
      pointer, SSL_CTRL_MODE, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER), nil)
    unsafe SSL_CTX_set_num_tickets(pointer, 0)
    unsafe SSL_CTX_set_options(pointer, Self.noTicket)
    unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    unsafe SSL_CTX_set_cert_verify_callback(pointer, verifyPeer, nil)
    unsafe SSL_CTX_set_msg_callback(pointer, watchMessages)
    unsafe SSL_CTX_ctrl(pointer, SSL_CTRL_SET_READ_AHEAD, 1, nil)
    unsafe SSL_CTX_set_default_read_buffer_len(pointer, 128 << 10)
  }

  /// The maximum size in bytes of certificates from an unauthenticated side; ours has about 300.
  private static let longestCertificate = 8 << 10
  /// SSL_OP_NO_TICKET, a macro that the importer cannot read.
  private static let noTicket: UInt64 = 1 << 14
}

/// Reports the other side's handshake messages to the session; the library itself handles any number of them.
///
/// Such messages are key updates and tickets after the handshake, and requests for a handshake during it.
private func watchMessages(
  _ isWritten: CInt, _: CInt, _ type: CInt, _: UnsafeRawPointer?, _: Int, _ ssl: OpaquePointer?,
  _: UnsafeMutableRawPointer?
) {
  guard isWritten == 0, type == SSL3_RT_HANDSHAKE, let ssl = unsafe ssl,
    let address = unsafe SSL_get_ex_data(ssl, 0)
  else { return }
  unsafe Unmanaged<TLSSession>.fromOpaque(address).takeUnretainedValue().countHandshakeMessage()
}

/// Passes a line for the key log to the session, which writes it.
private func logKey(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
  guard let ssl = unsafe ssl, let line = unsafe line, let address = unsafe SSL_get_ex_data(ssl, 0) else {
    return
  }
  unsafe Unmanaged<TLSSession>.fromOpaque(address).takeUnretainedValue().log(key: String(cString: line))
}

/// Lets the session accept or reject the other side's key; the rest of the certificate is ignored.
private func verifyPeer(_ store: OpaquePointer?, _: UnsafeMutableRawPointer?) -> CInt {
  guard let ssl = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
    let address = unsafe SSL_get_ex_data(OpaquePointer(ssl), 0),
    let certificate = unsafe X509_STORE_CTX_get0_cert(store)
  else { return 0 }
  // The session owns the SSL object that is calling, so the session is alive.
  let session = unsafe Unmanaged<TLSSession>.fromOpaque(address).takeUnretainedValue()
  let code = unsafe session.judge(certificate)
  unsafe X509_STORE_CTX_set_error(store, code)
  return code == X509_V_OK ? 1 : 0
}
