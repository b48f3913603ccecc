import SystemIO

extension LinkAgent {
  /// Takes a packet in.
  ///
  /// What is no message, what is no query or response of the plain kind, and what reports an error is passed
  /// over in silence (RFC 6762 §18.3, §18.11).
  package mutating func receive(packet: Span<UInt8>, _ origin: Origin, at now: Duration) -> [Outgoing] {
    guard let message = try? DNSMessage(reading: packet), message.opcode == 0, message.responseCode == 0
    else {
      return []
    }
    return receive(message, origin, at: now)
  }
}
