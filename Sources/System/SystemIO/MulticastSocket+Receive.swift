/// A received packet.
package struct Datagram: Sendable {
  package var bytes: [UInt8]
  package var source: IPAddress
  package var port: UInt16
  /// The interface on which it arrived.
  package var interface: UInt32
  package var destination: IPAddress?
}

extension MulticastSocket {
  /// The next packet; nil if no packet is waiting.
  package borrowing func receive() -> Datagram? {
    var bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { _, count in count = 65_536 }
    var address = [UInt8](repeating: 0, count: 128)
    var control = [UInt8](repeating: 0, count: 256)
    var header = unsafe msghdr()
    let count = unsafe bytes.withUnsafeMutableBytes { data in
      unsafe address.withUnsafeMutableBytes { name in
        unsafe control.withUnsafeMutableBytes { rest in
          var part = unsafe iovec(iov_base: data.baseAddress, iov_len: data.count)
          return unsafe withUnsafeMutablePointer(to: &part) { part in
            unsafe header.msg_iov = part
            unsafe header.msg_iovlen = 1
            unsafe header.msg_name = name.baseAddress
            unsafe header.msg_namelen = socklen_t(name.count)
            unsafe header.msg_control = rest.baseAddress
            unsafe header.msg_controllen = numericCast(rest.count)
            return unsafe recvmsg(raw, &header, CInt(MSG_DONTWAIT))
          }
        }
      }
    }
    guard count >= 0 else { return nil }
    let source = unsafe address.withUnsafeBytes { bytes in
      unsafe (PacketAddress.address(bytes.baseAddress!, family), PacketAddress.port(bytes.baseAddress!))
    }
    guard let from = source.0 else { return nil }
    var datagram = Datagram(
      bytes: Array(bytes[..<count]), source: from, port: source.1, interface: 0, destination: nil
    )
    unsafe Self.readControl(Array(control.prefix(Int(header.msg_controllen))), into: &datagram)
    return datagram
  }

  /// Reads the interface and the destination from control messages: a header of length, level and type, then
  /// data.
  private static func readControl(_ bytes: [UInt8], into datagram: inout Datagram) {
    let alignment = MemoryLayout<cmsghdr>.alignment
    let header = (MemoryLayout<cmsghdr>.size + alignment - 1) / alignment * alignment
    var position = 0
    while position + header <= bytes.count {
      let length = number(bytes[position..<position + MemoryLayout.size(ofValue: cmsghdr().cmsg_len)])
      guard length >= header, position + length <= bytes.count else { return }
      let level = number(bytes[position + header - 8..<position + header - 4])
      let type = number(bytes[position + header - 4..<position + header])
      read(CInt(level), CInt(type), Array(bytes[position + header..<position + length]), into: &datagram)
      position += (length + alignment - 1) / alignment * alignment
    }
  }

  private static func read(_ level: CInt, _ type: CInt, _ data: [UInt8], into datagram: inout Datagram) {
    switch (level, type) {
    case (SocketOption.ip, SocketOption.packetInfo) where data.count >= 12:
      datagram.interface = UInt32(number(data[0..<4]))
      datagram.destination = IPAddress(Array(data[8..<12]))
    case (SocketOption.ip6, SocketOption.packetInfo6) where data.count >= 20:
      datagram.destination = IPAddress(Array(data[0..<16]))
      datagram.interface = UInt32(number(data[16..<20]))
    default: break
    }
  }

  /// A number with the lowest byte first, the native order of our machines.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
