package import Crypto
import JSONLines
package import Pairing
package import SyncCore
import SystemIO

/// One side of a pairing, on a link of this process.
package final class PairingSpeaker: Speaker {
  package struct Setting {
    package var role: PairingRole
    package var payload: PairingPayload
    package var identity: DeviceIdentity
    package var peers: Peers
    /// The longest silence of the other side.
    package var patience: Duration
    /// The `patience` after a scanner has sent its `pairDone`; nil leaves it unchanged.
    package var lastPatience: Duration?
    package var now: () -> Instant
    /// Whether to trust a peer with a valid proof.
    package var approve: (PeerIntroduction) -> Bool
    /// Called with a peer once it is trusted, before the peer is notified.
    var didPair: (PeerIntroduction) -> Void = { _ in }

    package init(
      _ role: PairingRole, _ payload: PairingPayload, _ identity: DeviceIdentity, _ peers: Peers,
      patience: Duration, now: @escaping () -> Instant, approve: @escaping (PeerIntroduction) -> Bool
    ) {
      (self.role, self.payload, self.identity, self.peers) = (role, payload, identity, peers)
      (self.patience, self.now, self.approve) = (patience, now, approve)
    }
  }

  private let setting: Setting
  private var machine: PairingMachine?
  private var frames = FrameExchange(limit: PairingGate.limit)
  private var wasAsked = false
  package var deadline: Duration? { isDone ? nil : limit }
  /// The time at which the other side has been silent for too long.
  private var limit = Duration.zero
  /// The error on this side.
  package private(set) var failure: (any Error)?
  /// Whether the user has declined the peer.
  package private(set) var isDeclined = false

  package init(_ setting: Setting) { self.setting = setting }

  /// The newly trusted peer; nil before that.
  package var paired: PeerIntroduction? { machine?.state == .paired ? machine?.peer : nil }

  /// The machine, once it has reached a final state.
  package var finished: PairingMachine? { machine?.state.isFinal == true ? machine : nil }

  package func begin(_ facts: LinkFacts, at now: Duration) {
    limit = now + setting.patience
    frames.version = facts.version
    do {
      let context = try PairingContext(
        setting.role, setting.payload, PeerlinkVariables(facts), setting.identity)
      machine = PairingMachine(context)
    } catch {
      failure = error
    }
    if setting.role == .scanner { handle(.connected) }
  }

  package func hear(_ bytes: Span<UInt8>, at now: Duration) {
    frames.append(bytes)
    while !isDone, let heard = frames.next() {
      switch heard {
      case .message(let message): handle(.message(message))
      case .unreadable(.tooLarge): handle(.tooLarge)
      case .unreadable(let error): handle(.unreadable(error))
      }
      // The limit applies to a complete message, so single bytes do not extend it.
      // The user may have taken long to answer; that is not the other side's silence.
      limit = max(now, SystemClock.monotonic()) + patience
    }
  }

  private var patience: Duration {
    machine?.state == .finishing ? setting.lastPatience ?? setting.patience : setting.patience
  }

  package func hearEnd(at now: Duration) { if !isDone { handle(.end) } }

  package func advance(at now: Duration) {
    if !isDone, limit <= now { handle(.timeOut) }
  }

  package func stop(at now: Duration) { if !isDone { handle(.end) } }

  private func handle(_ input: PairingInput) {
    guard var machine else { return }
    defer { self.machine = machine }
    do {
      let messages = try setting.peers.handle(input, by: &machine, now: setting.now())
      guard isApproved(machine) else { return decline(messages.last) }
      if machine.state == .paired, let peer = machine.peer { setting.didPair(peer) }
      for message in messages { frames.send(message) }
    } catch {
      failure = error
    }
  }

  /// A provider asks its user before it accepts; the scanner asked before it connected.
  private func isApproved(_ machine: PairingMachine) -> Bool {
    guard setting.role == .provider, machine.state == .confirmed, !wasAsked, let peer = machine.peer else {
      return true
    }
    wasAsked = true
    return setting.approve(peer)
  }

  /// Refuses instead of sending the accepting message.
  private func decline(_ confirm: Message?) {
    isDeclined = true
    guard var message = confirm else { return }
    message.body = .error(PeerError(.untrustedPeer, "this device was not accepted"))
    frames.send(message)
  }

  package var alarm: CInt? { nil }
  package var hasOutput: Bool { frames.hasOutput }
  package func takeOutput(_ limit: Int, at now: Duration) -> [UInt8] { frames.take(limit) }
  package var isDone: Bool { isDeclined || failure != nil || machine?.state.isFinal != false }
  package var hasGivenUp: Bool { failure != nil || machine?.state == .unfinished }
}
