internal import COpenSSL

/// Random bytes that nobody can foretell.
package enum SecureRandom {
  package static func bytes(_ count: Int) throws(TransportError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe RAND_bytes(&bytes, CInt(count)) == 1 else { throw TransportError(library: "RAND_bytes") }
    return bytes
  }

  /// A random UUID (RFC 9562, version 4), lower-case with dashes.
  package static func uuid() throws(TransportError) -> String {
    var bytes = try bytes(16)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let hex = Hex.text(bytes)
    var rest = Substring(hex)
    let parts = [8, 4, 4, 4, 12].map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }
    return parts.joined(separator: "-")
  }
}
