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

  package static func exists(_ name: String) -> Bool { unsafe if_nametoindex(name) != 0 }
}
