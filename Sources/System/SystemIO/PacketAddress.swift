/// The bytes of a sockaddr_in or sockaddr_in6.
enum PacketAddress {
  /// The address in a sockaddr_in or sockaddr_in6; a link-local one without the interface that BSD hides in it.
  static func address(_ pointer: UnsafeRawPointer, _ family: IPAddress.Family) -> IPAddress? {
    switch family {
    case .v4: IPAddress((4..<8).map { unsafe pointer.load(fromByteOffset: $0, as: UInt8.self) })
    case .v6:
      IPAddress(
        (8..<24).map { offset in
          let byte = unsafe pointer.load(fromByteOffset: offset, as: UInt8.self)
          let isHidden =
            unsafe (offset == 10 || offset == 11) && pointer.load(fromByteOffset: 8, as: UInt8.self) == 0xFE
          return isHidden ? 0 : byte
        })
    }
  }

  static func port(_ pointer: UnsafeRawPointer) -> UInt16 {
    unsafe UInt16(pointer.load(fromByteOffset: 2, as: UInt8.self)) << 8
      | UInt16(pointer.load(fromByteOffset: 3, as: UInt8.self))
  }

  /// A sockaddr_in or sockaddr_in6 as bytes; `scope` is the interface's number.
  static func bytes(_ address: IPAddress, port: UInt16, scope: UInt32 = 0) -> [UInt8] {
    let family = UInt16(address.family == .v4 ? AF_INET : AF_INET6)
    let portBytes = [UInt8(port >> 8), UInt8(port & 0xFF)]
    var bytes: [UInt8]
    switch address {
    case .v4: bytes = portBytes + address.bytes + [UInt8](repeating: 0, count: 8)
    case .v6: bytes = portBytes + [0, 0, 0, 0] + address.bytes + native(scope)
    }
    #if os(Linux)
      bytes = native(family) + bytes
    #else
      bytes = [UInt8(bytes.count + 2), UInt8(family)] + bytes
    #endif
    return bytes
  }

  /// A number as it lies in memory.
  static func native(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
  }
}
