/// A network interface with its addresses.
package struct NetworkInterface: Equatable, Sendable {
  package struct Address: Equatable, Sendable {
    package var address: IPAddress
    package var prefix: Int
  }

  package var index: UInt32
  package var name: String
  /// Whether the interface is up and connected.
  package var isRunning: Bool
  package var isLoopback: Bool
  package var hasMulticast: Bool
  package var addresses: [Address] = []

  package func hasFamily(_ family: IPAddress.Family) -> Bool {
    addresses.contains { $0.address.family == family }
  }

  /// Whether a sender with that address is on the same link.
  package func reaches(_ other: IPAddress) -> Bool {
    other.isLinkLocal || addresses.contains { $0.address.matches(other, prefix: $0.prefix) }
  }

  /// All interfaces, in the order of their numbers; empty if the system does not list them.
  package static func all() -> [NetworkInterface] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return [] }
    defer { unsafe freeifaddrs(first) }
    var found: [UInt32: NetworkInterface] = [:]
    var entry = unsafe first
    while let current = unsafe entry?.pointee {
      unsafe add(current, to: &found)
      unsafe entry = current.ifa_next
    }
    return found.values.sorted { $0.index < $1.index }
  }

  // if.h declares the flags as an enumeration here and as macros elsewhere, so their numbers are used.
  #if os(Linux)
    private static let (up, loopback, running, multicast): (UInt32, UInt32, UInt32, UInt32) = (
      1, 8, 0x40, 0x1000
    )
  #else
    private static let (up, loopback, running, multicast): (UInt32, UInt32, UInt32, UInt32) = (
      1, 8, 0x40, 0x8000
    )
  #endif

  private static func add(_ entry: ifaddrs, to found: inout [UInt32: NetworkInterface]) {
    guard let text = unsafe entry.ifa_name else { return }
    let index = unsafe if_nametoindex(text)
    guard index > 0 else { return }
    let flags = unsafe UInt32(entry.ifa_flags)
    let new = unsafe NetworkInterface(
      index: index, name: String(cString: text), isRunning: flags & (up | running) == up | running,
      isLoopback: flags & loopback != 0, hasMulticast: flags & multicast != 0)
    var interface = found[index] ?? new
    if let address = unsafe address(entry.ifa_addr) {
      let mask = unsafe Self.address(entry.ifa_netmask, as: address.family)
      let prefix = mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount } ?? address.bytes.count * 8
      interface.addresses.append(Address(address: address, prefix: prefix))
    }
    found[index] = interface
  }

  /// The address at a pointer; `family` is needed for a mask, because some systems leave out its family.
  private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?, as family: IPAddress.Family? = nil)
    -> IPAddress?
  {
    guard let pointer = unsafe pointer else { return nil }
    let kind = unsafe Int32(pointer.pointee.sa_family)
    switch family ?? (kind == AF_INET ? .v4 : kind == AF_INET6 ? .v6 : nil) {
    case .v4?: return unsafe PacketAddress.address(UnsafeRawPointer(pointer), .v4)
    case .v6?: return unsafe PacketAddress.address(UnsafeRawPointer(pointer), .v6)
    case nil: return nil
    }
  }
}

/// Network interfaces of this machine.
package enum Interface {
  /// Lets a socket send and receive through one interface only.
  static func bind(_ raw: CInt, _ family: CInt, to name: String) throws(SystemError) {
    #if os(Linux)
      let status = unsafe setsockopt(
        raw, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.utf8.count))
    #else
      var index = if_nametoindex(name)
      let status =
        family == AF_INET6
        ? unsafe setsockopt(raw, IPPROTO_IPV6, IPV6_BOUND_IF, &index, socklen_t(MemoryLayout<UInt32>.size))
        : unsafe setsockopt(raw, IPPROTO_IP, IP_BOUND_IF, &index, socklen_t(MemoryLayout<UInt32>.size))
    #endif
    guard status == 0 else { throw SystemError(.connect, name, code: errno) }
  }

  /// The number of an interface; nil if it does not exist.
  static func index(of name: String) -> UInt32? {
    let index = unsafe if_nametoindex(name)
    return index == 0 ? nil : index
  }

  package static func exists(_ name: String) -> Bool { index(of: name) != nil }
}
