/// Numbers of socket options that the C library's headers show only behind macros; -1 for what a system lacks.
enum SocketOption {
  static let ip = CInt(0)
  static let ip6 = CInt(41)
  #if os(Linux)
    static let datagram = CInt(SOCK_DGRAM.rawValue)
    static let (hops, multicastInterface, multicastHops, multicastLoop) = (
      CInt(2), CInt(32), CInt(33), CInt(34)
    )
    static let (join, leave, multicastAll) = (CInt(35), CInt(36), CInt(49))
    static let (wantsPacketInfo, packetInfo) = (CInt(8), CInt(8))
    static let (hops6, multicastInterface6, multicastHops6, multicastLoop6) = (
      CInt(16), CInt(17), CInt(18), CInt(19)
    )
    static let (join6, leave6, only6, multicastAll6) = (CInt(20), CInt(21), CInt(26), CInt(29))
    static let (wantsPacketInfo6, packetInfo6) = (CInt(49), CInt(50))
  #else
    static let datagram = SOCK_DGRAM
    static let (hops, multicastInterface, multicastHops, multicastLoop) = (
      CInt(4), CInt(9), CInt(10), CInt(11)
    )
    static let (join, leave, multicastAll) = (CInt(12), CInt(13), CInt(-1))
    static let (wantsPacketInfo, packetInfo) = (CInt(26), CInt(26))
    static let (hops6, multicastInterface6, multicastHops6, multicastLoop6) = (
      CInt(4), CInt(9), CInt(10), CInt(11)
    )
    static let (join6, leave6, only6, multicastAll6) = (CInt(12), CInt(13), CInt(27), CInt(-1))
    static let (wantsPacketInfo6, packetInfo6) = (CInt(61), CInt(46))
  #endif
}
