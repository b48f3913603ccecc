internal import SyncCore
import Pairing
package import SystemIO

/// Drives any number of links, and accepts new ones, in one thread.
package final class LinkLoop {
  package enum Event {
    case opened(Link)
    /// A link that had been open has ended.
    case closed(Link)
    /// A connection failed.
    case refused(Link)
  }

  /// The maximum number of unauthenticated connections that may be open at a time.
  package var openDoor = 256
  /// Whether the loop ends after it has served the first proven link.
  package var endsAfterFirst = false
  /// The time to stop accepting connections, on the monotonic clock; nil for never.
  package var lastCall: Duration?
  /// The time left to accept connections by the wall clock; nil for no limit.
  ///
  /// It is asked at least every 5 s, because a suspend or a step of that clock does not wake the loop.
  package var timeLeft: (() -> Duration)?
  /// Called in each turn with the monotonic time; returns the time of its next call, nil for never.
  package var tend: ((_ now: Duration) throws -> Duration?)?
  /// Stops the loop like a signal.
  package var cancellation: Cancellation?
  /// The companion runs between the turns of the links; it ends when the loop stops accepting connections.
  package var companion: (any LoopCompanion)?

  private let settings: LinkSettings
  private let context: TLSContext?
  private var listeners: [Listener]
  private var links: [Link]
  private var backoff = AddressBackoff()
  private var door = OpenDoor()
  private let report: (Event) -> Void
  /// Whether the loop has stopped accepting connections.
  private var isStopping = false
  /// Whether a signal has requested a stop.
  private var isInterrupted = false
  private var isAborting = false
  /// The time to accept connections again after the descriptors ran out, or after a firewall's refusal.
  private var pause: Duration?

  /// Without listeners the loop ends when the last of `links` has ended and `tend` returns nil.
  package init(
    _ settings: LinkSettings, _ context: TLSContext?, listeners: [Listener] = [], links: [Link] = [],
    report: @escaping (Event) -> Void
  ) {
    self.settings = settings
    self.context = context
    self.listeners = listeners
    self.links = links
    self.report = report
  }

  /// Drives one link to its end.
  package static func run(_ link: Link, _ cancellation: Cancellation? = nil) throws {
    let loop = LinkLoop(link.settings, nil, links: [link]) { _ in }
    loop.cancellation = cancellation
    try loop.run()
  }

  package func run() throws {
    if settings.command != nil { Interruption.heedSecond() }
    if !listeners.isEmpty { spareDescriptors() }
    var polls = PollSet()
    while true {
      removeClosed()
      try renewListeners()
      let turn = isStopping ? nil : try tend?(SystemClock.monotonic())
      if links.isEmpty, isStopping || listeners.isEmpty && turn == nil { return }
      polls.removeAll()
      for link in links { link.watch(&polls) }
      let areOpen = pause.map { $0 <= SystemClock.monotonic() } ?? true
      if areOpen { pause = nil }
      let doors = listeners.map { polls.add($0.raw, reading: areOpen) }
      companion?.watch(&polls)
      polls.addChildren()
      if !isInterrupted {
        polls.addInterruption()
        cancellation?.watch(&polls)
      } else if !isAborting {
        polls.addInsistence()
      }
      polls.wait(until: links.contains { $0.hasWork } ? .zero : nextDeadline(turn))
      let now = SystemClock.monotonic()
      companion?.advance(at: now)
      if let signal = Interruption.pending ?? (isCancelled ? Signals.terminate : nil), !isInterrupted {
        isInterrupted = true
        stop(by: signal)
      }
      if Interruption.isInsisted, !isAborting { abort(at: now) }
      if let lastCall, lastCall <= now { closeDoors() }
      if let timeLeft, timeLeft() <= .zero { closeDoors() }
      for link in links where link.isDue(polls, at: now) { advance(link, at: now) }
      if areOpen, doors.contains(where: { polls.isReady($0) }) { try letIn(at: now) }
    }
  }

  private var isCancelled: Bool { cancellation?.isCancelled == true }

  private func nextDeadline(_ turn: Duration?) -> Duration? {
    let looks = timeLeft != nil || listeners.contains(where: \.isOnInterface)
    let look = looks ? SystemClock.monotonic() + .seconds(5) : nil
    return (links.map(\.wakeUp) + [lastCall, pause, turn, look, companion?.deadline]).compactMap { $0 }.min()
  }

  /// Drives one more link.
  package func add(_ link: Link) { links.append(link) }

  private func advance(_ link: Link, at now: Duration) {
    let (hadOpened, wasProven) = (link.hasOpened, link.isProven)
    link.advance(at: now)
    if link.isProven, !wasProven {
      backoff.recordSuccess(of: link.origin)
      door.recordSuccess(of: link.origin)
    }
    if link.hasOpened, !hadOpened { report(.opened(link)) }
  }

  private func removeClosed() {
    guard links.contains(where: \.isClosed) else { return }
    let closed = links.filter(\.isClosed)
    links.removeAll(where: \.isClosed)
    for link in closed {
      if link.hasOpened { link.trace?.end(peer: link.peer?.peerId) }
      if case .untrustedPeer = link.failure { penalize(link) }
      if case .untrustedSender = link.failure { penalize(link) }
      if case .protocolBroken = link.failure { penalize(link) }
      report(link.hasOpened ? .closed(link) : .refused(link))
      if endsAfterFirst, link.hasServed { closeDoors() }
    }
  }

  private func penalize(_ link: Link) {
    backoff.recordRefusal(of: link.origin, at: SystemClock.monotonic())
  }

  // MARK: New connections

  /// Limits unauthenticated connections to a quarter of the descriptors.
  ///
  /// Reading the trust store needs a descriptor too.
  private func spareDescriptors() { openDoor = min(openDoor, max(4, DescriptorLimit.raise() / 4)) }

  /// Listens again through interfaces that have been created again.
  private func renewListeners() throws(SystemError) {
    for (place, listener) in listeners.enumerated() {
      if let renewed = try listener.renewed() { listeners[place] = renewed }
    }
  }

  private func letIn(at now: Duration) throws {
    for listener in listeners {
      // Accept a limited number, because open links need their turn too.
      for _ in 0..<64 {
        guard let connection = try accept(from: listener, at: now) else { break }
        try letIn(connection, at: now)
      }
    }
  }

  private func accept(from listener: Listener, at now: Duration) throws(SystemError) -> Connection? {
    while true {
      do throws(SystemError) {
        return try listener.accept()
      } catch {
        guard error.isShortage || error.isForbidden else { throw error }
        if error.isShortage, dropStranger(at: now) { continue }
        pause = now + .milliseconds(100)
        return nil
      }
    }
  }

  /// Closes an unproven connection when descriptors have run out; false if all are proven.
  private func dropStranger(at now: Duration) -> Bool {
    let unproven = unproven
    guard !unproven.isEmpty else { return false }
    unproven[door.victim(among: unproven.map(\.origin), at: now)].fail(.crowdedOut, at: now)
    removeClosed()
    return true
  }

  private var unproven: [Link] { links.filter { !$0.isProven && !$0.phase.isOver } }

  private func letIn(_ connection: Connection, at now: Duration) throws {
    guard makeRoom(for: connection, at: now) else {
      // Close it without any computation.
      let link = Link(.plain(connection), settings)
      link.fail(.crowdedOut, at: now)
      return report(.refused(link))
    }
    let stream =
      if let context {
        try PeerStream.server(context, over: connection) { [settings] key in try settings.accepts(key) }
      } else {
        PeerStream.plain(connection)
      }
    let link = Link(stream, settings)
    link.begin(at: now + backoff.delay(for: link.origin, at: now))
    links.append(link)
    advance(link, at: now)
  }

  /// Makes room for a new connection; false if the new connection itself must be closed.
  private func makeRoom(for connection: Connection, at now: Duration) -> Bool {
    let origin = OpenDoor.group(of: connection.remote.host)
    door.recordArrival(from: origin, at: now)
    let unproven = unproven
    guard unproven.count >= openDoor else { return true }
    let victim = door.victim(among: unproven.map(\.origin) + [origin], at: now)
    guard victim < unproven.count else { return false }
    unproven[victim].fail(.crowdedOut, at: now)
    removeClosed()
    return true
  }

  // MARK: Stopping

  private func closeDoors() {
    isStopping = true
    (listeners, pause, lastCall, timeLeft) = ([], nil, nil, nil)
    companion?.end()
    companion = nil
    for link in links where !link.hasOpened { link.stop(by: 0) }
  }

  /// Gives up all links at once, and kills programs that do not end.
  private func abort(at now: Duration) {
    isAborting = true
    closeDoors()
    for link in links { link.abort(at: now) }
  }

  /// Stops accepting connections, and finishes open links.
  package func stop(by signal: CInt) {
    closeDoors()
    for link in links { link.stop(by: signal) }
  }
}
