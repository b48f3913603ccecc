/// The kind of header before the IP packet in a captured packet.
package enum LinkType: Sendable {
  case ethernet
  /// The two forms of Linux "cooked" captures.
  case linuxCooked, linuxCooked2
  /// BSD loopback: four bytes before the packet.
  case loopback
  /// The IP packet without a header.
  case raw

  /// The type by its number in libpcap (DLT_…); nil if it is not supported.
  ///
  /// Source: https://www.tcpdump.org/linktypes.html. Raw IP has another number on some systems.
  package init?(dataLink number: Int) {
    switch number {
    case 1: self = .ethernet
    case 113: self = .linuxCooked
    case 276: self = .linuxCooked2
    case 0, 108: self = .loopback
    case 12, 14, 101, 228, 229: self = .raw
    default: return nil
    }
  }

  /// The start of the IP packet in a captured packet; nil for another kind of packet.
  ///
  /// The address family in a loopback header depends on the capturing system, so the version in the packet
  /// decides.
  func networkStart(in packet: Span<UInt8>) -> Int? {
    switch self {
    case .ethernet: Self.start(in: packet, behind: packet.number16(at: 12), 14)
    case .linuxCooked: Self.start(in: packet, behind: packet.number16(at: 14), 16)
    case .linuxCooked2: Self.start(in: packet, behind: packet.number16(at: 0), 20)
    case .loopback: 4
    case .raw: 0
    }
  }

  /// The start of the IP packet after VLAN tags (IEEE 802.1Q, 802.1ad), four bytes each; nil if it is not IP.
  ///
  /// If the type is missing, because the header is incomplete, this is the end of the header.
  private static func start(in packet: Span<UInt8>, behind type: UInt16?, _ start: Int) -> Int? {
    var (type, start) = (type, start)
    while let tag = type, [0x8100, 0x88A8, 0x9100].contains(tag) {
      type = packet.number16(at: start + 2)
      start += 4
    }
    return type == nil || type == 0x0800 || type == 0x86DD ? start : nil
  }
}
