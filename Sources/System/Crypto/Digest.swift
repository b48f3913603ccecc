internal import COpenSSL
package import SyncCore

/// SHA-256 (FIPS 180-4), HMAC-SHA256 (RFC 2104) and a comparison in constant time.
package enum Digest {
  package static let byteCount = 32

  package static func sha256(_ bytes: Span<UInt8>) throws(TransportError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: byteCount)
    // The library's functions get addresses, and do not keep them after the call.
    let status = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe EVP_Digest(input.baseAddress, input.count, &digest, nil, EVP_sha256(), nil)
    }
    guard status == 1 else { throw TransportError(library: "EVP_Digest") }
    return digest
  }

  package static func hmacSHA256(
    key: Span<UInt8>, message: Span<UInt8>
  ) throws(TransportError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: byteCount)
    let result = unsafe key.withUnsafeBufferPointer { key in
      unsafe message.withUnsafeBufferPointer { message in
        // An empty key does not have an address, and the library would treat that as "the key of the last call".
        var none: UInt8 = 0
        return unsafe withUnsafePointer(to: &none) { none in
          unsafe HMAC(
            EVP_sha256(), key.baseAddress ?? none, CInt(key.count), message.baseAddress ?? none,
            message.count, &digest, nil)
        }
      }
    }
    guard unsafe result != nil else { throw TransportError(library: "HMAC") }
    return digest
  }

  /// Whether the bytes are equal; the time depends only on their number.
  package static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe CRYPTO_memcmp(a, b, a.count) == 0
  }
}

extension RecordShape {
  /// The digest that represents the rules in a dialogue: the SHA-256 of their canonical form in lower-case hex digits.
  package func rulesDigest() throws(TransportError) -> String {
    HexDigits.text(try Digest.sha256(mergeRules.span))
  }
}
