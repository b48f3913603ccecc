internal import COpenSSL

/// A private key and the self-signed certificate that carries its public half.
///
/// The library counts references to both; this class holds one to each.
@safe
package final class KeyMaterial {
  package let key: OpaquePointer
  package let certificate: OpaquePointer
  let fingerprint: KeyFingerprint

  /// Takes over the two references.
  private init(owning key: OpaquePointer, _ certificate: OpaquePointer, _ fingerprint: KeyFingerprint) {
    unsafe self.key = key
    unsafe self.certificate = certificate
    self.fingerprint = fingerprint
  }

  deinit {
    unsafe EVP_PKEY_free(key)
    unsafe X509_free(certificate)
  }

  /// A new P-256 key with its certificate.
  static func make() throws(TransportError) -> KeyMaterial {
    let key = try unsafe makeKey()
    do throws(TransportError) {
      let certificate = try unsafe CertificateMaking.selfSigned(key)
      return try unsafe KeyMaterial(adopting: key, certificate)
    } catch {
      unsafe EVP_PKEY_free(key)
      throw error
    }
  }

  /// Reads both from PEM blocks (RFC 7468), with any text around them; nil where they are not there or do not belong
  /// together.
  static func read(pem: Span<UInt8>) throws(TransportError) -> KeyMaterial? {
    let blocks = try unsafe PEM.read(pem)
    guard let key = unsafe blocks.key, let certificate = unsafe blocks.certificate else {
      unsafe EVP_PKEY_free(blocks.key)
      unsafe X509_free(blocks.certificate)
      return nil
    }
    guard unsafe X509_check_private_key(certificate, key) == 1 else {
      _ = LibraryErrors.take()
      unsafe EVP_PKEY_free(key)
      unsafe X509_free(certificate)
      return nil
    }
    return try unsafe KeyMaterial(adopting: key, certificate)
  }

  /// The certificate and the private key (PKCS #8) as PEM blocks.
  func pem() throws(TransportError) -> [UInt8] { try unsafe PEM.text(certificate: certificate, key: key) }

  /// Takes over the two references where it does not throw; the certificate is freed where it does.
  private convenience init(
    adopting key: OpaquePointer, _ certificate: OpaquePointer
  ) throws(TransportError) {
    do throws(TransportError) {
      let fingerprint = try unsafe KeyMaterial.fingerprint(of: certificate)
      unsafe self.init(owning: key, certificate, fingerprint)
    } catch {
      unsafe X509_free(certificate)
      throw error
    }
  }

  private static func makeKey() throws(TransportError) -> OpaquePointer {
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
      throw TransportError(library: "EVP_PKEY_CTX_new_from_name")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
      unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
    else { throw TransportError(library: "EVP_PKEY_generate") }
    return unsafe key
  }

  /// The digest of the certificate's SubjectPublicKeyInfo.
  package static func fingerprint(of certificate: OpaquePointer) throws(TransportError) -> KeyFingerprint {
    var der: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der)
    guard count > 0, let der = unsafe der else { throw TransportError(library: "i2d_X509_PUBKEY") }
    defer { unsafe CRYPTO_free(der, #file, #line) }
    return try unsafe KeyFingerprint(
      subjectPublicKeyInfo: UnsafeBufferPointer(start: der, count: Int(count)).span)
  }
}
