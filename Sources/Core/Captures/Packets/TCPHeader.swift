/// The header of a TCP segment (RFC 9293 §3.1).
struct TCPHeader: Equatable, Sendable {
  var source: UInt16
  var destination: UInt16
  /// The number of the first byte of the payload, or of the SYN before it.
  var sequence: UInt32
  /// The number of the next byte that the sender expects from the other side.
  var acknowledgment: UInt32?
  var isSynchronizing: Bool
  var isFinal: Bool
  var isReset: Bool
  /// The captured part of the payload.
  var payload: Range<Int>
  /// The length of the payload on the wire; fewer bytes may be captured.
  var length: Int

  /// Reads a header, nil if it is incomplete; `length` is the length of the segment on the wire.
  init?(_ bytes: Span<UInt8>, length wireLength: Int) {
    guard let source = bytes.number16(at: 0), let destination = bytes.number16(at: 2),
      let sequence = bytes.number32(at: 4), let acknowledgment = bytes.number32(at: 8),
      let header = bytes.byte(at: 12).map({ Int($0 >> 4) * 4 }), let flags = bytes.byte(at: 13),
      header >= 20, header <= wireLength
    else { return nil }
    (self.source, self.destination, self.sequence) = (source, destination, sequence)
    self.acknowledgment = flags & 0x10 != 0 ? acknowledgment : nil
    (isFinal, isSynchronizing, isReset) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    payload = min(header, bytes.count)..<bytes.count
    length = wireLength - header
  }
}
