package import SystemIO

/// Connections to devices of the local network that may be the wanted peer, one after the other.
///
/// A connection does not prove an identity: its user must check the other side's key.
package final class PeerDialer {
  private var run: DiscoveryRun
  private var browser: Browser
  private var queue: CandidateQueue
  private let interface: String?
  private let deadline: Duration
  /// Whether an address may be tried.
  package var admits: (SocketAddress) -> Bool = { _ in true }
  /// Called with an address that did not answer.
  package var forgets: (SocketAddress) -> Void = { _ in }
  /// Ends the search like a signal.
  package var cancellation: Cancellation?
  private var turn: DeviceTurn?

  /// Searches for the peer with an id, or for any peer, up to `deadline` on the monotonic clock.
  ///
  /// With `isPairing` it searches for devices that wait to be paired. With `isNamed` it accepts only devices
  /// that announce the id, and with `name` only devices of version 1 with this name.
  package init(
    id: String?, isPairing: Bool = false, isNamed: Bool = false, name: String? = nil, interface: String?,
    until deadline: Duration
  ) throws(SystemError) {
    run = try DiscoveryRun(interfaces: interface.map { [$0] } ?? [])
    browser = Browser(.service(.peers), random: DiscoveryRun.random())
    queue = CandidateQueue(
      id: id, isPairing: isPairing, isNamed: isNamed, name: name, at: SystemClock.monotonic())
    self.interface = interface
    self.deadline = deadline
  }

  /// Whether a device was tried that has not disappeared and has not proven to be another one.
  package var hasUnproven: Bool { queue.hasUnproven }

  /// The time for the other side to prove its identity; limited so that a silent device does not use up all
  /// the time.
  package var patience: Duration {
    let left = deadline - SystemClock.monotonic()
    return max(.milliseconds(100), min(left, max(.seconds(1), left / 4)))
  }

  /// Waits for the next connection; nil when the time has expired.
  ///
  /// At a signal or a cancellation, throws an error for which `isInterruption` holds.
  package func next() throws -> Connection? {
    while true {
      while let place = turn?.next() {
        if let connection = try connect(to: place) { return connection }
      }
      guard let peer = try search() else { return nil }
      turn = DeviceTurn(peer)
    }
  }

  /// Drops the device of the last connection, because it is another one; it is not retried.
  package func giveUp() {
    if let turn { queue.giveUp(turn.peer) }
    turn = nil
  }

  private func connect(to place: Peer.Address) throws(SystemError) -> Connection? {
    guard let port = turn?.peer.port, SystemClock.monotonic() < deadline else { return nil }
    var tried: SocketAddress?
    do throws(SystemError) {
      guard let address = try SocketAddress.resolve(place.text, port: Int(port)).first, admits(address) else {
        return nil
      }
      tried = address
      turn?.countTry()
      return try Connection.connect(
        to: address, through: interface, until: SystemClock.monotonic() + patience, cancellation)
    } catch {
      if error.isInterruption { throw error }
      if let tried { forgets(tried) }
      return nil
    }
  }

  private func search() throws -> Peer? {
    while true {
      let now = SystemClock.monotonic()
      if now >= deadline { return nil }
      if let peer = queue.next(at: now) { return peer }
      var queue = queue
      defer { self.queue = queue }
      let end = min(deadline, queue.deadline ?? deadline)
      let ending = try run.run(&browser, until: end, cancellation) { browser in
        let now = SystemClock.monotonic()
        for event in browser.takeEvents() { queue.handle(event, at: now) }
        return queue.deadline.map { $0 <= now } ?? false
      }
      if ending == .interrupted { throw SystemError(.connect, "-", code: EINTR) }
    }
  }
}

extension Peer.Address {
  /// The address in a form that the system resolves: `192.0.2.7`, or `fe80::1%eth0`.
  package var text: String {
    guard case .v6 = address, address.isLinkLocal else { return address.description }
    return "\(address)%\(link.name)"
  }
}
