import JSONLines
package import SyncCore
package import SystemIO

/// An address on the command line: `host:7411`, `192.0.2.7:7411` or `[2001:db8::7]:7411`.
package struct HostAndPort: Equatable, Sendable {
  /// The text as it was given.
  package var text: String
  package var host: String
  package var port: Int

  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    (self.text, self.host, self.port) = (text, String(host), Int(port))
  }

  /// Whether the host is this machine.
  package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// Whether a text has this form with a port out of range, so that it cannot be a name.
  package static func hasWrongPort(_ text: String) -> Bool {
    guard HostAndPort(text) == nil, let colon = text.lastIndex(of: ":") else { return false }
    let port = text[text.index(after: colon)...]
    return !port.isEmpty && port.utf8.allSatisfy { (48...57).contains($0) }
      && HostAndPort("\(text[..<colon]):1") != nil
  }

  /// Tries the host's addresses that `admits` accepts, one after the other, each for its share of the time.
  ///
  /// Version 1 does not authenticate, so it needs a named interface to reach other machines. At a signal or a
  /// cancellation, throws an error for which `isInterruption` holds.
  package func connect(
    through interface: String?, until deadline: Duration, over version: ProtocolVersion = .two,
    _ cancellation: Cancellation? = nil, admits: (SocketAddress) -> Bool = { _ in true }
  ) throws -> Connection {
    try connect(
      to: try SocketAddress.resolve(host, port: port), through: interface, until: deadline, over: version,
      cancellation, admits: admits)
  }

  func connect(
    to addresses: [SocketAddress], through interface: String?, until deadline: Duration,
    over version: ProtocolVersion, _ cancellation: Cancellation? = nil, admits: (SocketAddress) -> Bool
  ) throws -> Connection {
    var failure = SystemError.unreachable(text)
    for (index, address) in addresses.enumerated() {
      guard version == .two || interface != nil || address.isLoopback else {
        throw Diagnostic(
          .conflictingOptions,
          "protocol 1 does not authenticate the other side, so other machines need --interface: '\(host)'"
        )
      }
      guard admits(address) else { continue }
      let now = SystemClock.monotonic()
      let share = (deadline - now) / (addresses.count - index)
      do throws(SystemError) {
        return try Connection.connect(to: address, through: interface, until: now + share, cancellation)
      } catch {
        if error.isInterruption { throw error }
        failure = error
      }
    }
    throw failure
  }
}
