/// An address of the Internet Protocol with a port, in the form of the system's calls.
package struct SocketAddress: Sendable {
  private let storage: sockaddr_storage
  private let length: socklen_t

  init(_ storage: sockaddr_storage, _ length: socklen_t) {
    self.storage = storage
    self.length = length
  }

  /// All addresses of a host, in the order in which they should be tried (RFC 6724).
  ///
  /// `isPassive` requests addresses to listen on; without a host these are all addresses of this machine.
  package static func resolve(
    _ host: String?, port: Int, isPassive: Bool = false
  ) throws(SystemError) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = streamType
    unsafe hints.ai_flags = isPassive ? AI_PASSIVE : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else {
      let (host, isSystem) = (host ?? "*", status == EAI_SYSTEM)
      throw isSystem ? SystemError(.connect, host, code: errno) : SystemError(.resolve, host, code: status)
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe addresses.append(SocketAddress(entry.pointee.ai_addr, entry.pointee.ai_addrlen))
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }

  private init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    var storage = sockaddr_storage()
    unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
    self.init(storage, length)
  }

  /// An address in the system's form; nil if it is not an Internet address.
  @unsafe
  package init?(copying address: UnsafePointer<sockaddr>) {
    switch unsafe CInt(address.pointee.sa_family) {
    case AF_INET: unsafe self.init(address, socklen_t(MemoryLayout<sockaddr_in>.size))
    case AF_INET6: unsafe self.init(address, socklen_t(MemoryLayout<sockaddr_in6>.size))
    default: return nil
    }
  }

  /// The address that a system call fills in, and the call's result.
  static func filled(
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
  ) -> (address: SocketAddress, result: CInt) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
    }
    return (SocketAddress(storage, length), result)
  }

  /// The address of this side of a socket.
  static func local(of raw: CInt) -> SocketAddress {
    unsafe filled { unsafe getsockname(raw, $0, $1) }.address
  }

  var family: CInt { CInt(storage.ss_family) }

  /// Calls `body` with the address in the form of C functions.
  func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    unsafe withUnsafePointer(to: storage) { pointer in
      // A sockaddr_storage has room for all kinds of addresses.
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }

  /// The address without its port, `192.0.2.1` or `fe80::1%eth0`; an IPv4 address received through IPv6 is
  /// written as IPv4.
  package var host: String { names.host }
  package var port: Int { Int(names.port) ?? 0 }

  /// The address with its port: `192.0.2.1:4711` or `[2001:db8::1]:4711`.
  package var text: String {
    let names = names
    return names.host.contains(":") ? "[\(names.host)]:\(names.port)" : "\(names.host):\(names.port)"
  }

  package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

  private var names: (host: String, port: String) {
    var host = [CChar](repeating: 0, count: 128)
    var port = [CChar](repeating: 0, count: 16)
    let status = unsafe withPointer { pointer, length in
      unsafe getnameinfo(
        pointer, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
        NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard status == 0 else { return ("unknown", "0") }
    let name = Self.text(host)
    let mapped = "::ffff:"
    return (
      name.hasPrefix(mapped) && name.contains(".") ? String(name.dropFirst(mapped.count)) : name,
      Self.text(port)
    )
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  #if canImport(Glibc)
    static let streamType = CInt(SOCK_STREAM.rawValue)
  #else
    static let streamType = SOCK_STREAM
  #endif
}

/// The bytes of a sockaddr_in or sockaddr_in6.
enum PacketAddress {
  /// The address in a sockaddr_in or sockaddr_in6; in a link-local address BSD stores the interface, which is
  /// removed.
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

  /// A number in native byte order.
  static func native(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
  }
}
