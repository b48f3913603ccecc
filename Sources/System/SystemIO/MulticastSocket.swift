/// A UDP socket that receives packets of a multicast group on a shared port, or that only sends to the group.
package struct MulticastSocket: ~Copyable {
  package let family: IPAddress.Family
  let raw: CInt
  private let group: IPAddress
  private let port: UInt16

  /// Opens a socket; if the system lacks the family, the socket does not receive packets.
  ///
  /// A socket that is not shared has its own port.
  package init(group: IPAddress, port: UInt16, isShared: Bool = true) throws(SystemError) {
    family = group.family
    self.group = group
    self.port = port
    raw = try Self.open(group.family, isShared ? port : 0)
    guard raw >= 0 else { return }
    let options =
      family == .v4
      ? [
        (SocketOption.ip, SocketOption.multicastHops, 255), (SocketOption.ip, SocketOption.hops, 255),
        (SocketOption.ip, SocketOption.multicastLoop, 1), (SocketOption.ip, SocketOption.multicastAll, 0),
        (SocketOption.ip, SocketOption.wantsPacketInfo, 1),
      ]
      : [
        (SocketOption.ip6, SocketOption.multicastHops6, 255), (SocketOption.ip6, SocketOption.hops6, 255),
        (SocketOption.ip6, SocketOption.multicastLoop6, 1), (SocketOption.ip6, SocketOption.multicastAll6, 0),
        (SocketOption.ip6, SocketOption.wantsPacketInfo6, 1),
      ]
    for (level, name, value) in options { Self.set(raw, level, name, PacketAddress.native(CInt(value))) }
    // Hundreds of peers may answer one question within a tenth of a second.
    Self.set(raw, SOL_SOCKET, SO_RCVBUF, PacketAddress.native(CInt(1 << 20)))
  }

  deinit { if raw >= 0 { _ = systemClose(raw) } }

  private static func open(_ family: IPAddress.Family, _ port: UInt16) throws(SystemError) -> CInt {
    let raw = make(family)
    if raw < 0 {
      if errno == EAFNOSUPPORT { return -1 }
      throw SystemError(.listen, "UDP port \(port)", code: errno)
    }
    // Both options are needed: if a daemon of another user has the port, the system refuses a socket with
    // only one of them. Our own port is not shared.
    let isShared = CInt(port == 0 ? 0 : 1)
    set(raw, SOL_SOCKET, SO_REUSEADDR, PacketAddress.native(isShared))
    set(raw, SOL_SOCKET, SO_REUSEPORT, PacketAddress.native(isShared))
    guard bind(raw, family, port) else {
      let code = errno
      _ = systemClose(raw)
      throw SystemError(.listen, "UDP port \(port)", code: code)
    }
    return raw
  }

  private static func make(_ family: IPAddress.Family) -> CInt {
    let raw = socket(family == .v4 ? AF_INET : AF_INET6, SocketOption.datagram, 0)
    guard raw >= 0 else { return raw }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    if family == .v6 { set(raw, SocketOption.ip6, SocketOption.only6, PacketAddress.native(CInt(1))) }
    return raw
  }

  private static func bind(_ raw: CInt, _ family: IPAddress.Family, _ port: UInt16) -> Bool {
    let any = family == .v4 ? IPAddress.v4(0) : .v6(0, 0)
    return unsafe PacketAddress.bytes(any, port: port).withPacketAddress { unsafe systemBind(raw, $0, $1) }
      == 0
  }

  /// Sets an option; false if the system does not know it.
  @discardableResult
  private static func set(_ raw: CInt, _ level: CInt, _ name: CInt, _ value: [UInt8]) -> Bool {
    guard name >= 0 else { return false }
    return unsafe value.withUnsafeBytes {
      unsafe setsockopt(raw, level, name, $0.baseAddress, socklen_t($0.count)) == 0
    }
  }

  /// Receives packets of the group on an interface from now on.
  package borrowing func join(_ interface: UInt32) { setMembership(interface, isMember: true) }

  package borrowing func leave(_ interface: UInt32) { setMembership(interface, isMember: false) }

  private borrowing func setMembership(_ interface: UInt32, isMember: Bool) {
    switch family {
    case .v4:
      let name = isMember ? SocketOption.join : SocketOption.leave
      Self.set(raw, SocketOption.ip, name, group.bytes + [0, 0, 0, 0] + PacketAddress.native(interface))
    case .v6:
      let name = isMember ? SocketOption.join6 : SocketOption.leave6
      Self.set(raw, SocketOption.ip6, name, group.bytes + PacketAddress.native(interface))
    }
  }

  /// Sends to the group on an interface, or to a host; a packet that cannot be sent is dropped, as packets
  /// may be lost anyway.
  package borrowing func send(
    _ bytes: [UInt8], on interface: UInt32, to host: (IPAddress, port: UInt16)? = nil
  ) {
    switch family {
    case .v4:
      let request = [UInt8](repeating: 0, count: 8) + PacketAddress.native(interface)
      Self.set(raw, SocketOption.ip, SocketOption.multicastInterface, request)
    case .v6:
      Self.set(raw, SocketOption.ip6, SocketOption.multicastInterface6, PacketAddress.native(interface))
    }
    let target = host ?? (group, port: port)
    // The scope is set only for addresses that are ambiguous without it.
    let needsScope = target.0.isLinkLocal || host == nil
    unsafe PacketAddress.bytes(target.0, port: target.port, scope: needsScope ? interface : 0)
      .withPacketAddress {
        address, length in
        unsafe bytes.withUnsafeBytes {
          _ = unsafe sendto(raw, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT), address, length)
        }
      }
  }
}

extension [UInt8] {
  /// Passes the bytes as the C type of system calls.
  fileprivate func withPacketAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    unsafe withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }
}

/// Numbers of socket options that the C library's headers define only as macros; -1 for options that a system
/// lacks.
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
