package import SyncCore
package import SystemIO

/// Connects an agent to the network: opens sockets, waits, passes packets to the agent, and sends.
package struct DiscoveryRun: ~Copyable {
  package enum Ending: Sendable { case stopped, timeOut, interrupted }

  private let endpoint: MulticastEndpoint
  private let names: [String]
  private var interfaces: [NetworkLink: NetworkInterface] = [:]
  private var echoes = EchoFilter()
  private var nextScan = Duration.zero

  /// The interval between checks of the interfaces, for changes that the kernel does not announce.
  private static let scanInterval = Duration.seconds(5)
  /// The number of packets that are read before the agent does its due work again.
  private static let batch = 64

  /// `names` are the interfaces to use; an empty list means all interfaces with multicast, otherwise the
  /// loopback.
  package init(interfaces names: [String]) throws(SystemError) {
    self.names = names
    // The addresses and the port of RFC 6762 §3.
    endpoint = try MulticastEndpoint(
      v4: .v4(0xE000_00FB), v6: .v6(0xFF02_0000_0000_0000, 0xFB), port: MulticastDNS.port)
  }

  /// A random generator for an agent; the seed only needs to differ between hosts.
  package static func random() -> SplitMix64 { SplitMix64(seed: .random(in: 0...UInt64.max)) }

  /// Runs until `step`, which is called after every turn of the agent, returns true.
  ///
  /// A cancellation interrupts it like a signal.
  package mutating func run<Agent: LinkAgent>(
    _ agent: inout Agent, until end: Duration?, _ cancellation: Cancellation? = nil,
    step: (inout Agent) throws -> Bool
  ) throws -> Ending {
    var polls = PollSet()
    while true {
      turn(&agent)
      if try step(&agent) { return .stopped }
      let now = SystemClock.monotonic()
      if Interruption.pending != nil || cancellation?.isCancelled == true { return .interrupted }
      if let end, end <= now { return .timeOut }
      polls.removeAll()
      endpoint.watch(&polls)
      polls.addChildren()
      polls.addInterruption()
      cancellation?.watch(&polls)
      polls.wait(until: [deadline(of: agent), end].compactMap { $0 }.min())
    }
  }

  /// Handles the received packets, and does all due work.
  package mutating func turn(_ agent: inout some LinkAgent) {
    if endpoint.takeChange() || SystemClock.monotonic() >= nextScan { scan(&agent) }
    for count in 0..<Self.batch {
      // Read the families alternately, so that a flood of one does not block the other.
      guard let datagram = endpoint.receive(count.isMultiple(of: 2) ? .v4 : .v6) else { break }
      let now = SystemClock.monotonic()
      guard let origin = origin(of: datagram, at: now) else { continue }
      send(agent.receive(packet: datagram.bytes.span, origin, at: now), at: now)
    }
    let now = SystemClock.monotonic()
    send(agent.advance(to: now), at: now)
  }

  /// The time when the agent has work to do, even without packets.
  package borrowing func deadline(of agent: some LinkAgent) -> Duration? {
    [agent.deadline, nextScan].compactMap { $0 }.min()
  }

  /// Adds the descriptors to wait for between two turns.
  package borrowing func watch(_ polls: inout PollSet) { endpoint.watch(&polls) }

  /// Sends the agent's last packets.
  package mutating func end(_ agent: inout some LinkAgent) {
    let now = SystemClock.monotonic()
    send(agent.end(at: now), at: now)
  }

  /// Waits for a child or a signal, for at most a second, without reading packets.
  package borrowing func idle() { endpoint.waitForProcesses() }

  /// The origin of a packet; nil for a packet to ignore, from an unused interface or from ourselves.
  private borrowing func origin(of datagram: Datagram, at now: Duration) -> Origin? {
    guard let (link, interface) = interfaces.first(where: { $0.key.index == datagram.interface }),
      !echoes.isEcho(datagram.bytes, at: now)
    else { return nil }
    return Origin(
      link: link, address: datagram.source, port: datagram.port,
      isMulticast: datagram.destination.map(Self.isMulticast) ?? true,
      isOnLink: interface.reaches(datagram.source))
  }

  private static func isMulticast(_ address: IPAddress) -> Bool {
    switch address {
    case .v4(let number): number >> 28 == 0xE
    case .v6(let high, _): high >> 56 == 0xFF
    }
  }

  private mutating func send(_ outgoing: [Outgoing], at now: Duration) {
    for item in outgoing {
      guard let interface = interfaces[item.link] else { continue }
      let bytes = item.bytes
      switch item.destination {
      case .group:
        echoes.note(bytes, at: now)
        endpoint.send(bytes, on: interface)
      case .groupOneShot:
        echoes.note(bytes, at: now)
        endpoint.sendOneShot(bytes, on: interface)
      case .host(let address, let port): endpoint.send(bytes, on: interface, to: address, port: port)
      }
    }
  }
}

extension DiscoveryRun {
  /// Checks the interfaces, and reports differences to the agent.
  private mutating func scan(_ agent: inout some LinkAgent) {
    let now = SystemClock.monotonic()
    let isStart = nextScan == .zero
    nextScan = now + Self.scanInterval
    let usable = Self.usable(NetworkInterface.all(), names)
    let found = Dictionary(
      usable.map { (NetworkLink(index: $0.index, name: $0.name), $0) }, uniquingKeysWith: { a, _ in a })
    for (link, interface) in interfaces where found[link] == nil {
      endpoint.leave(interface)
      interfaces[link] = nil
      agent.removeLink(link, at: now)
    }
    for (link, interface) in found where interfaces[link] != interface {
      let isNew = interfaces[link] == nil
      interfaces[link] = interface
      endpoint.join(interface)
      agent.setAddresses(interface.addresses.map(\.address), on: link, at: now)
      // Later, other programs may share the port, and would receive the unicast answers.
      let allowsUnicast = isStart && endpoint.isAlone
      if isNew { agent.addLink(link, at: now, isStart: isStart, allowsUnicast: allowsUnicast) }
    }
  }

  static func usable(_ all: [NetworkInterface], _ names: [String]) -> [NetworkInterface] {
    let running = all.filter { $0.isRunning && !$0.addresses.isEmpty }
    guard names.isEmpty else { return running.filter { names.contains($0.name) } }
    let networks = running.filter { $0.hasMulticast && !$0.isLoopback }
    return networks.isEmpty ? running.filter(\.isLoopback) : networks
  }

  /// The first of these names that is not an interface.
  package static func missing(_ names: [String]) -> String? {
    names.first { !Interface.exists($0) }
  }
}

/// Recognizes our own packets, which we also receive on every link to the same network.
struct EchoFilter {
  private static let memory = Duration.seconds(2)
  private var sent: [[UInt8]: Duration] = [:]

  mutating func note(_ bytes: [UInt8], at now: Duration) {
    if sent.count > 64 { sent = sent.filter { now - $0.value < Self.memory } }
    sent[bytes] = now
  }

  func isEcho(_ bytes: [UInt8], at now: Duration) -> Bool {
    sent[bytes].map { now - $0 < Self.memory } ?? false
  }
}
