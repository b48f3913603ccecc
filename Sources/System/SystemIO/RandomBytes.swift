/// Random bytes for secrets and ids, from the system's generator.
package enum RandomBytes {
  /// At most 256 bytes.
  package static func make(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe getentropy(&bytes, count) == 0 else { throw SystemError(.read, "getentropy", code: errno) }
    return bytes
  }
}
