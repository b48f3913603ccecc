/// The header of an IP packet, with its extension headers.
struct NetworkPacket: Equatable, Sendable {
  var source: NetworkAddress
  var destination: NetworkAddress
  /// The protocol of the payload: 6 is TCP, 17 is UDP (IANA, protocol numbers).
  var transport: UInt8
  /// The captured part of the payload.
  var payload: Range<Int>
  /// The length of the payload on the wire; fewer bytes may be captured.
  var length: Int
  var fragment: Fragment?

  /// The place of a fragment in its packet.
  struct Fragment: Equatable, Sendable {
    var identification: UInt32
    /// The offset of the fragment in its packet, in bytes.
    var offset: Int
    var isLast: Bool
  }

  /// Reads the header at the start of `bytes`; nil if it is invalid or incomplete.
  init?(_ bytes: Span<UInt8>, wireLength: Int) {
    switch bytes.byte(at: 0).map({ $0 >> 4 }) {
    case 4: self.init(ipv4: bytes, wireLength)
    case 6: self.init(ipv6: bytes, wireLength)
    default: return nil
    }
  }

  /// IPv4 (RFC 791 §3.1).
  private init?(ipv4 bytes: Span<UInt8>, _ wireLength: Int) {
    guard let first = bytes.byte(at: 0), let total = bytes.number16(at: 2),
      let place = bytes.number16(at: 6), let transport = bytes.byte(at: 9),
      let source = bytes.number32(at: 12), let destination = bytes.number32(at: 16)
    else { return nil }
    let header = Int(first & 15) * 4
    // If the network card splits large packets, the kernel writes 0 as the length.
    let end = total == 0 ? wireLength : Int(total)
    guard header >= 20, end >= header, bytes.count >= header else { return nil }
    (self.source, self.destination) = (NetworkAddress(ipv4: source), NetworkAddress(ipv4: destination))
    self.transport = transport
    payload = header..<min(bytes.count, end)
    length = end - header
    let (offset, isLast) = (Int(place & 0x1FFF) * 8, place & 0x2000 == 0)
    if offset > 0 || !isLast {
      fragment = Fragment(
        identification: UInt32(bytes.number16(at: 4) ?? 0), offset: offset, isLast: isLast)
    }
  }

  /// IPv6 (RFC 8200 §3).
  private init?(ipv6 bytes: Span<UInt8>, _ wireLength: Int) {
    guard let total = bytes.number16(at: 4), let next = bytes.byte(at: 6),
      let source = Self.address(bytes, at: 8), let destination = Self.address(bytes, at: 24)
    else { return nil }
    (self.source, self.destination, transport) = (source, destination, next)
    // A length of 0 belongs to a jumbogram (RFC 2675), or to a packet that the network card splits.
    let end = total == 0 ? wireLength : 40 + Int(total)
    guard end >= 40 else { return nil }
    payload = 40..<min(bytes.count, end)
    length = end - 40
    guard readExtensions(bytes) else { return nil }
  }

  private static func address(_ bytes: Span<UInt8>, at place: Int) -> NetworkAddress? {
    guard let high = bytes.number64(at: place), let low = bytes.number64(at: place + 8) else { return nil }
    return NetworkAddress(ipv6: high, low)
  }

  /// Skips the extension headers at the start of the payload (RFC 8200 §4); false if they are incomplete.
  ///
  /// It stops at a fragment header, as the next bytes may be the middle of a packet.
  mutating func readExtensions(_ bytes: Span<UInt8>) -> Bool {
    while let size = Self.extensionSize(transport, bytes, at: payload.lowerBound) {
      guard let next = bytes.byte(at: payload.lowerBound), size <= payload.count, size <= length else {
        return false
      }
      let (kind, start) = (transport, payload.lowerBound)
      transport = next
      payload = start + size..<payload.upperBound
      length -= size
      if kind == 44 {
        guard let place = bytes.number16(at: start + 2), let number = bytes.number32(at: start + 4) else {
          return false
        }
        let (offset, isLast) = (Int(place & 0xFFF8), place & 1 == 0)
        // One fragment may be the complete packet (RFC 6946).
        if offset == 0, isLast { continue }
        fragment = Fragment(identification: number, offset: offset, isLast: isLast)
        return true
      }
    }
    return true
  }

  /// The size of an extension header in bytes; nil for anything else.
  private static func extensionSize(_ kind: UInt8, _ bytes: Span<UInt8>, at start: Int) -> Int? {
    switch kind {
    // Hop by hop, routing, destination, mobility, host identity, shim6.
    case 0, 43, 60, 135, 139, 140: (Int(bytes.byte(at: start + 1) ?? 0) + 1) * 8
    case 44: 8
    // Authentication, whose length has another unit (RFC 4302 §2.2).
    case 51: (Int(bytes.byte(at: start + 1) ?? 0) + 2) * 4
    default: nil
    }
  }
}
