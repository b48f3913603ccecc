internal import COpenSSL
internal import SystemIO

/// A private key and the self-signed certificate with its public key.
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

  /// Reads both from PEM blocks (RFC 7468), with any text around them; nil if one is missing or they do not
  /// belong together.
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

  /// Takes over the two references on success; if it throws, it frees the certificate.
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

/// Makes the certificate with our key for TLS; peers read only the key.
///
/// The certificate does not contain a name, because anyone who connects can read it. Pins ignore dates, so
/// the certificate's validity begins long ago and has "no well-defined expiration date" (RFC 5280 §4.1.2.5).
/// So a clock is not needed.
enum CertificateMaking {
  private static let notBefore = "20000101000000Z"
  private static let notAfter = "99991231235959Z"

  /// A certificate for `key`, signed with `key`; the caller owns the certificate.
  static func selfSigned(_ key: OpaquePointer) throws(TransportError) -> OpaquePointer {
    guard let certificate = unsafe X509_new() else { throw TransportError(library: "X509_new") }
    do throws(TransportError) {
      try unsafe fill(certificate, key)
      guard unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
        throw TransportError(library: "X509_sign")
      }
    } catch {
      unsafe X509_free(certificate)
      throw error
    }
    return unsafe certificate
  }

  private static func fill(_ certificate: OpaquePointer, _ key: OpaquePointer) throws(TransportError) {
    // The serial number is positive, not zero and short enough (RFC 5280 §4.1.2.2); it is not used to
    // distinguish certificates.
    let random = try TransportError.wrapping { () throws(SystemError) in try RandomBytes.make(8) }
    let serial = random.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1 | 1
    let name = unsafe X509_get_subject_name(certificate)
    // Version 3 is written as 2.
    guard unsafe X509_set_version(certificate, 2) == 1,
      unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
      unsafe ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), notBefore) == 1,
      unsafe ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), notAfter) == 1,
      unsafe X509_NAME_add_entry_by_txt(name, "CN", utf8String, "peersync", -1, -1, 0) == 1,
      unsafe X509_set_issuer_name(certificate, name) == 1, unsafe X509_set_pubkey(certificate, key) == 1
    else { throw TransportError(library: "X509_set_pubkey") }
  }

  /// MBSTRING_UTF8, a macro that the importer cannot read.
  private static let utf8String: CInt = 0x1000
}

/// PEM blocks in memory.
enum PEM {
  /// The first private key and the first certificate, which the caller owns; nil if missing or damaged.
  static func read(_ text: Span<UInt8>) throws(TransportError) -> (
    key: OpaquePointer?, certificate: OpaquePointer?
  ) {
    let key = try unsafe readKey(text)
    var noPassPhrase: CChar = 0
    let certificate = try unsafe reading(text) { unsafe PEM_read_bio_X509($0, nil, nil, &noPassPhrase) }
    return unsafe (key, certificate)
  }

  /// The first private key, which the caller owns; nil if it is missing or damaged.
  static func readKey(_ text: Span<UInt8>) throws(TransportError) -> OpaquePointer? {
    // With an empty pass phrase, the library never prompts for one on the terminal.
    var noPassPhrase: CChar = 0
    return try unsafe reading(text) { unsafe PEM_read_bio_PrivateKey($0, nil, nil, &noPassPhrase) }
  }

  private static func reading(
    _ text: Span<UInt8>, _ read: (OpaquePointer) -> OpaquePointer?
  ) throws(TransportError) -> OpaquePointer? {
    defer { _ = LibraryErrors.take() }
    return unsafe text.withUnsafeBufferPointer { bytes in
      guard let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count)) else { return nil }
      defer { unsafe BIO_free(bio) }
      return unsafe read(bio)
    }
  }

  /// The PEM text of a certificate and a private key (PKCS #8).
  static func text(certificate: OpaquePointer, key: OpaquePointer) throws(TransportError) -> [UInt8] {
    guard let bio = unsafe BIO_new(BIO_s_secmem()) else { throw TransportError(library: "BIO_new") }
    defer { unsafe BIO_free(bio) }
    guard unsafe PEM_write_bio_X509(bio, certificate) == 1,
      unsafe PEM_write_bio_PKCS8PrivateKey(bio, key, nil, nil, 0, nil, nil) == 1
    else { throw TransportError(library: "PEM_write_bio_PKCS8PrivateKey") }
    var bytes = [UInt8](repeating: 0, count: Int(unsafe BIO_ctrl_pending(bio)))
    guard unsafe BIO_read(bio, &bytes, CInt(bytes.count)) == bytes.count else {
      throw TransportError(library: "BIO_read")
    }
    return bytes
  }
}
