package import SystemIO

/// A file with the keys of TLS sessions, by which other programs decrypt captures of them (RFC 9850).
package final class KeyLog {
  private let file: Descriptor

  /// Adds to the file if there is one; only its owner can read it.
  package init(_ path: String) throws(SystemError) { file = try Descriptor.appendingPrivately(to: path) }

  /// A session goes on where this fails: it can only not be decrypted.
  func write(_ line: String) { try? file.write(line + "\n") }
}
