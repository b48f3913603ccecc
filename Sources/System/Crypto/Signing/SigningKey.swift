internal import COpenSSL

/// A private key that signs tokens.
///
/// A key on the curve P-256 signs by ES256: ECDSA with SHA-256 (RFC 7518 §3.4). An RSA key signs by RS256:
/// PKCS #1 v1.5 with SHA-256 (§3.3).
///
/// This is safe because the key is valid until `deinit`.
@safe
package final class SigningKey {
  private let key: OpaquePointer

  /// Reads the first private key of PEM blocks; nil if it is missing, or not on the curve P-256.
  package convenience init?(pem: Span<UInt8>) throws(TransportError) {
    try unsafe self.init(pem) { unsafe Self.isP256($0) }
  }

  /// Reads the first private key of PEM blocks; nil if it is missing, or not an RSA key of at least 2,048 bits.
  package convenience init?(rsaPEM pem: Span<UInt8>) throws(TransportError) {
    try unsafe self.init(pem) { key in
      unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && EVP_PKEY_get_bits(key) >= 2_048
    }
  }

  private init?(_ pem: Span<UInt8>, _ isOfKind: (OpaquePointer) -> Bool) throws(TransportError) {
    guard let key = try unsafe PEM.readKey(pem) else { return nil }
    guard unsafe isOfKind(key) else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    unsafe self.key = key
  }

  deinit { unsafe EVP_PKEY_free(key) }

  private static func isP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 32)
    var length = 0
    let status = unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length)
    _ = LibraryErrors.take()
    return status == 1 && name.prefix(length).elementsEqual("prime256v1".utf8.map { CChar($0) })
  }

  /// The signature as 64 bytes: r and s, big-endian.
  package func es256(_ message: Span<UInt8>) throws(TransportError) -> [UInt8] {
    let der = try signature(message)
    let parsed = unsafe der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &start, bytes.count)
    }
    guard let parsed = unsafe parsed else { throw TransportError(library: "d2i_ECDSA_SIG") }
    defer { unsafe ECDSA_SIG_free(parsed) }
    var (r, s) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(parsed), &r, 32) == 32,
      unsafe BN_bn2binpad(ECDSA_SIG_get0_s(parsed), &s, 32) == 32
    else { throw TransportError(library: "BN_bn2binpad") }
    return r + s
  }

  /// The signature, which is as long as the key.
  package func rs256(_ message: Span<UInt8>) throws(TransportError) -> [UInt8] { try signature(message) }

  /// The signature in the library's form; for ECDSA, this is DER.
  private func signature(_ message: Span<UInt8>) throws(TransportError) -> [UInt8] {
    guard let context = unsafe EVP_MD_CTX_new() else { throw TransportError(library: "EVP_MD_CTX_new") }
    defer { unsafe EVP_MD_CTX_free(context) }
    var count = Int(unsafe EVP_PKEY_get_size(key))
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      throw TransportError(library: "EVP_DigestSignInit")
    }
    let status = unsafe message.withUnsafeBufferPointer { input in
      unsafe EVP_DigestSign(context, &bytes, &count, input.baseAddress, input.count)
    }
    guard status == 1 else { throw TransportError(library: "EVP_DigestSign") }
    return Array(bytes.prefix(count))
  }
}
