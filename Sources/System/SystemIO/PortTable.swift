/// The UDP ports that are in use on this machine.
enum PortTable {
  /// Whether no program has a port; false where the system does not tell.
  ///
  /// It is not tried by taking the port, which would refuse it to a program that starts at that moment.
  static func isFree(_ port: UInt16) -> Bool {
    #if os(Linux)
      let tables = ["/proc/net/udp", "/proc/net/udp6"].compactMap { try? ByteInput.contents(of: $0) }
      return !tables.isEmpty && !tables.contains { lists(port, String(decoding: $0, as: UTF8.self)) }
    #else
      return false
    #endif
  }

  /// Whether a table of proc(5) has a socket with a local port: `N: ADDRESS:PORT …`, all in hex.
  static func lists(_ port: UInt16, _ table: String) -> Bool {
    table.split(separator: "\n").dropFirst().contains { line in
      let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
      guard fields.count > 1, let digits = fields[1].split(separator: ":").last else { return false }
      return UInt16(digits, radix: 16) == port
    }
  }
}
