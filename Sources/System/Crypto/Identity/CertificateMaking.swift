internal import COpenSSL
internal import SystemIO

/// The certificate that carries our key in TLS: nobody reads anything in it but the key.
///
/// It names nobody, as whoever connects gets to see it. Pins ignore dates, so it begins long ago and has "no
/// well-defined expiration date" (RFC 5280 §4.1.2.5), and no clock is asked.
enum CertificateMaking {
  private static let notBefore = "20000101000000Z"
  private static let notAfter = "99991231235959Z"

  /// A certificate for `key`, signed with it; the caller owns it.
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
    // Positive, never zero and short enough (RFC 5280 §4.1.2.2); nobody tells certificates apart by it.
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
