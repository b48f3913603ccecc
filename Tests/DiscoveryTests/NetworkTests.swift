@testable import Discovery
@testable import SystemIO
import Testing

/// Addresses and interfaces.
@Suite struct NetworkTests {
  @Test(arguments: [
    ([0xFE80, 0, 0, 0, 0, 0, 0, 1], "fe80::1"), ([0, 0, 0, 0, 0, 0, 0, 0], "::"),
    ([0, 0, 0, 0, 0, 0, 0, 1], "::1"),
    ([1, 0, 0, 2, 0, 0, 0, 3], "1:0:0:2::3"), ([1, 0, 0, 2, 3, 0, 0, 4], "1::2:3:0:0:4"),
    ([1, 0, 2, 3, 4, 5, 6, 7], "1:0:2:3:4:5:6:7"), ([1, 2, 3, 4, 5, 6, 0, 0], "1:2:3:4:5:6::"),
  ])
  func addressesAreShown(groups: [UInt16], text: String) {
    let bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(IPAddress(bytes)?.description == text)
    #expect(IPAddress(bytes)?.bytes == bytes)
  }

  @Test func oldAddressesAreShown() {
    #expect(IPAddress([10, 0, 255, 1])?.description == "10.0.255.1")
    #expect(IPAddress([1, 2, 3]) == nil)
  }

  @Test func prefixesAreCompared() {
    let a = IPAddress([10, 77, 0, 1])!
    #expect(
      a.matches(IPAddress([10, 77, 0, 255])!, prefix: 24)
        && !a.matches(IPAddress([10, 77, 1, 1])!, prefix: 24))
    #expect(
      a.matches(IPAddress([192, 0, 2, 1])!, prefix: 0) && !a.matches(IPAddress([10, 77, 0, 2])!, prefix: 32))
    let six = IPAddress.v6(0xFD77_0000_0000_0000, 1)
    #expect(
      six.matches(.v6(0xFD77_0000_0000_0000, 2), prefix: 64)
        && !six.matches(.v6(0xFD77_0000_0000_0001, 1), prefix: 64))
    #expect(!six.matches(a, prefix: 0) && IPAddress.v6(0xFE80 << 48, 1).isLinkLocal && !six.isLinkLocal)
  }

  private func interface(
    _ index: UInt32, _ name: String, loopback: Bool = false, running: Bool = true, multicast: Bool = true
  )
    -> NetworkInterface
  {
    var interface = NetworkInterface(
      index: index, name: name, isRunning: running, isLoopback: loopback, hasMulticast: multicast)
    interface.addresses = [.init(address: .v4(index), prefix: 8)]
    return interface
  }

  @Test func interfacesAreChosen() {
    let lo = interface(1, "lo", loopback: true, multicast: false)
    let (eth, down, tun) = (
      interface(2, "eth0"), interface(3, "eth1", running: false), interface(4, "tun0", multicast: false)
    )
    let names = { (all: [NetworkInterface], wanted: [String]) in DiscoveryRun.usable(all, wanted).map(\.name)
    }
    #expect(names([lo, eth, down, tun], []) == ["eth0"])
    #expect(names([lo, down, tun], []) == ["lo"])
    #expect(names([lo, eth], ["lo"]) == ["lo"])
    #expect(names([lo, eth, tun], ["tun0", "eth1"]) == ["tun0"])
  }

  @Test func echoesAreKnownForAWhile() {
    var echoes = EchoFilter()
    echoes.note([1, 2], at: .zero)
    #expect(echoes.isEcho([1, 2], at: .seconds(1)) && !echoes.isEcho([1, 3], at: .seconds(1)))
    #expect(!echoes.isEcho([1, 2], at: .seconds(3)))
  }

  @Test func portsInUseAreSeen() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
       12: 00000000:14E9 0100007F:0035 07 00000000:00000000 00:00000000 00000000     0        0 1234 2 0000000000000000 0

      """
    #expect(PortTable.lists(5_353, table) && !PortTable.lists(53, table) && !PortTable.lists(5_353, ""))
  }

  @Test func thereIsALoopback() {
    #expect(NetworkInterface.all().contains { $0.isLoopback })
    #expect(DiscoveryRun.missing(["no-such-0"]) == "no-such-0")
  }
}
