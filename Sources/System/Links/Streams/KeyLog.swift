package import SystemIO

/// A file with the keys of TLS sessions, which other programs use to decrypt captures (RFC 9850).
package final class KeyLog {
  package let log: SideLog

  /// Appends to an existing file, or creates one; only its owner can read it.
  package init(_ path: String) throws { log = try SideLog(path, Self.kind) }

  /// Writes a line; if this fails, the session continues but cannot be decrypted later.
  func write(_ line: String) { log.write(Array("\(line)\n".utf8).span) }

  /// A line is a label, the client's random bytes as 64 hex digits, and a secret; `#` begins a remark.
  private static let kind = SideLog.Kind("key log", isOfOneRun: false) { lines in
    guard let line = lines.first(where: { !$0.hasPrefix("#") }) else { return true }
    let words = line.split(separator: " ")
    guard words.count == 3 else { return false }
    return words[1].utf8.count == 64 && words[1].allSatisfy(\.isHexDigit)
  }
}
