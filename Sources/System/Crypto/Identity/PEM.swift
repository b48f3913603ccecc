internal import COpenSSL

/// PEM blocks in memory.
enum PEM {
  /// The first private key and the first certificate, which the caller owns; nil what is not there or is damaged.
  static func read(_ text: Span<UInt8>) throws(TransportError) -> (
    key: OpaquePointer?, certificate: OpaquePointer?
  ) {
    let key = try unsafe readKey(text)
    var noPassPhrase: CChar = 0
    let certificate = try unsafe reading(text) { unsafe PEM_read_bio_X509($0, nil, nil, &noPassPhrase) }
    return unsafe (key, certificate)
  }

  /// The first private key, which the caller owns; nil where there is none or it is damaged.
  static func readKey(_ text: Span<UInt8>) throws(TransportError) -> OpaquePointer? {
    // With an empty pass phrase at hand the library never asks the terminal for one.
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

  /// A certificate and, in PKCS #8, a private key.
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
