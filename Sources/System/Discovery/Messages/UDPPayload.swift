/// The message inside a packet as capture programs show it, with headers of Ethernet, IP and UDP before it.
package enum UDPPayload {
  /// What the UDP header announces, where there are headers whose lengths agree and a port is that of multicast DNS; else
  /// all of the bytes.
  package static func message(in bytes: [UInt8]) -> [UInt8] {
    let starts = [0] + (word(bytes, 12).map { $0 == 0x0800 || $0 == 0x86DD } == true ? [14] : [])
    for start in starts {
      guard let datagram = datagram(in: bytes[start...], isFrame: start > 0) else { continue }
      let header = Array(datagram.prefix(8))
      guard word(header, 4) == datagram.count,
        word(header, 0) == Int(MulticastDNS.port) || word(header, 2) == Int(MulticastDNS.port)
      else { continue }
      return Array(datagram.dropFirst(8))
    }
    return bytes
  }

  /// What an IP header without fragments announces (RFC 791, RFC 8200); a frame may be filled up behind it.
  private static func datagram(in bytes: ArraySlice<UInt8>, isFrame: Bool) -> ArraySlice<UInt8>? {
    let packet = Array(bytes)
    guard let first = packet.first else { return nil }
    let range: Range<Int>
    switch first >> 4 {
    case 4:
      guard let length = word(packet, 2), packet.count > 20, packet[9] == 17 else { return nil }
      let header = Int(first & 15) * 4
      guard header >= 20, header <= length else { return nil }
      range = header..<length
    case 6:
      guard let length = word(packet, 4), packet.count > 40, packet[6] == 17 else { return nil }
      range = 40..<40 + length
    default: return nil
    }
    guard isFrame ? range.upperBound <= packet.count : range.upperBound == packet.count else { return nil }
    return packet[range]
  }

  private static func word(_ bytes: [UInt8], _ index: Int) -> Int? {
    bytes.count >= index + 2 ? Int(bytes[index]) << 8 | Int(bytes[index + 1]) : nil
  }
}
