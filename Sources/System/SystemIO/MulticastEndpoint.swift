/// The sockets of a multicast group in both address families, with notifications about interfaces.
package struct MulticastEndpoint: ~Copyable {
  private let v4: MulticastSocket
  private let v6: MulticastSocket
  /// Sockets on their own ports.
  private let oneShot4: MulticastSocket
  private let oneShot6: MulticastSocket
  private let watch: CInt
  /// Whether the port was free on this machine when it was opened, so packets to the port are for us.
  package let isAlone: Bool

  /// Opens the sockets; an address family that the system does not have is skipped.
  package init(v4: IPAddress, v6: IPAddress, port: UInt16) throws(SystemError) {
    isAlone = PortTable.isFree(port)
    let first = try MulticastSocket(group: v4, port: port)
    let second = try MulticastSocket(group: v6, port: port)
    let third = try MulticastSocket(group: v4, port: port, isShared: false)
    let fourth = try MulticastSocket(group: v6, port: port, isShared: false)
    self.v4 = first
    self.v6 = second
    oneShot4 = third
    oneShot6 = fourth
    watch = Self.openWatch()
  }

  deinit { if watch >= 0 { _ = systemClose(watch) } }

  package borrowing func join(_ interface: NetworkInterface) {
    if interface.hasFamily(.v4) { v4.join(interface.index) }
    if interface.hasFamily(.v6) { v6.join(interface.index) }
  }

  package borrowing func leave(_ interface: NetworkInterface) {
    v4.leave(interface.index)
    v6.leave(interface.index)
  }

  /// Sends to the group in each family that the interface has.
  package borrowing func send(_ bytes: [UInt8], on interface: NetworkInterface) {
    if interface.hasFamily(.v4) { v4.send(bytes, on: interface.index) }
    if interface.hasFamily(.v6) { v6.send(bytes, on: interface.index) }
  }

  /// The same as `send`, from a port that only we use; answers to that port are received too.
  package borrowing func sendOneShot(_ bytes: [UInt8], on interface: NetworkInterface) {
    if interface.hasFamily(.v4) { oneShot4.send(bytes, on: interface.index) }
    if interface.hasFamily(.v6) { oneShot6.send(bytes, on: interface.index) }
  }

  package borrowing func send(
    _ bytes: [UInt8], on interface: NetworkInterface, to host: IPAddress, port: UInt16
  ) {
    switch host.family {
    case .v4: v4.send(bytes, on: interface.index, to: (host, port: port))
    case .v6: v6.send(bytes, on: interface.index, to: (host, port: port))
    }
  }

  /// The next packet, of the family `first` if both have one; nil if no packet is waiting.
  package borrowing func receive(_ first: IPAddress.Family) -> Datagram? {
    switch first {
    case .v4: v4.receive() ?? oneShot4.receive() ?? v6.receive() ?? oneShot6.receive()
    case .v6: v6.receive() ?? oneShot6.receive() ?? v4.receive() ?? oneShot4.receive()
    }
  }

  /// Watches for packets and changes of the interfaces.
  package borrowing func watch(_ polls: inout PollSet) {
    for raw in [v4.raw, v6.raw, oneShot4.raw, oneShot6.raw, watch] where raw >= 0 {
      polls.add(raw, reading: true)
    }
  }

  /// Waits for a signal or the end of a child, for at most a second.
  ///
  /// After the first signal, another one that arrives just before poll(2) does not end the wait.
  package borrowing func waitForProcesses() {
    var polls = PollSet()
    polls.addChildren()
    if Interruption.pending == nil { polls.addInterruption() }
    polls.wait(until: SystemClock.monotonic() + .seconds(1))
  }

  /// Whether interfaces or addresses have changed since the last call.
  package borrowing func takeChange() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var hasChanged = false
    while watch >= 0, unsafe recv(watch, &bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 { hasChanged = true }
    return hasChanged
  }

  /// A netlink socket that receives changes of links and addresses; -1 if the system does not have one.
  private static func openWatch() -> CInt {
    #if os(Linux)
      // NETLINK_ROUTE; the groups of links, IPv4 addresses and IPv6 addresses (linux/rtnetlink.h).
      let raw = socket(16, CInt(SOCK_RAW.rawValue), 0)
      guard raw >= 0 else { return -1 }
      _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
      let address =
        PacketAddress.native(UInt16(16)) + [0, 0, 0, 0, 0, 0] + PacketAddress.native(UInt32(0x111))
      let status = unsafe address.withUnsafeBytes { bytes in
        unsafe bind(raw, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      }
      return status == 0 ? raw : -1
    #else
      return -1
    #endif
  }
}

/// The UDP ports that are in use on this machine.
enum PortTable {
  /// Whether a port is free; false if the system does not show its ports.
  ///
  /// It does not test this by binding to the port, because a program that starts at that time would then
  /// fail.
  static func isFree(_ port: UInt16) -> Bool {
    #if os(Linux)
      let tables = ["/proc/net/udp", "/proc/net/udp6"].compactMap { try? ByteInput.contents(of: $0) }
      return !tables.isEmpty && !tables.contains { lists(port, String(decoding: $0, as: UTF8.self)) }
    #else
      return false
    #endif
  }

  /// Whether a table of proc(5) has a socket with a local port; its lines are `N: ADDRESS:PORT …`, in hex.
  static func lists(_ port: UInt16, _ table: String) -> Bool {
    table.split(separator: "\n").dropFirst().contains { line in
      let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
      guard fields.count > 1, let digits = fields[1].split(separator: ":").last else { return false }
      return UInt16(digits, radix: 16) == port
    }
  }
}
