import JSONLines
package import Crypto
package import Links
package import Pairing
import SyncCore
package import SystemIO

/// An object that does its own work in the loop of a following run.
package protocol FollowCompanion {
  /// Adds the descriptors that the companion waits for.
  func watch(_ polls: inout PollSet)
  /// Does pending work; returns the time of the next call, nil for never.
  func tend(at now: Duration) -> Duration?
}

/// Concurrent sessions with several peers; each session waits for further changes, and is restarted after a
/// failure.
package final class FollowRun {
  /// An event of a session.
  package enum Event {
    /// Changes were exchanged, perhaps into quarantine; the report covers the changes since the last event.
    case moved(SessionReport)
    /// A new session has received all changes, and waits for more.
    case caughtUp(LinkPeer)
    /// A session has ended; with `isFinal` it is not restarted, because a retry would not help.
    case ended(SessionReport, isFinal: Bool)
  }

  private final class Target {
    let record: TrustRecord
    /// The current attempt to connect.
    var attempt: PeerAttempt?
    /// Between two attempts: waits until the peer announces itself.
    var watch: BackgroundCall<PeerPlaces.Way?>?
    var link: Link?
    var isCaughtUp = false
    /// The last report about the session.
    var told: SessionReport?
    var nextTry = Duration.zero
    var failures = 0
    var isGivenUp = false

    init(_ record: TrustRecord) { self.record = record }

    var isIdle: Bool { link == nil && attempt == nil && !isGivenUp }
  }

  private let caller: Caller
  private let settings: SessionSettings
  private let notes: SessionNotes
  private let part: DialogueSpeaker.Part
  private let targets: [Target]
  private let report: (Event) -> Void
  /// A companion that keeps the run going.
  package var besides: (any FollowCompanion)?
  /// A companion that runs as long as the run does, but does not keep the run going.
  package var alongside: (any FollowCompanion)?

  /// The longest pause between two tries.
  private static let longestPause = Duration.seconds(60)

  package init(
    _ caller: Caller, _ settings: SessionSettings, _ part: DialogueSpeaker.Part,
    _ records: [TrustRecord], report: @escaping (Event) -> Void
  ) {
    (self.caller, self.settings, self.part) = (caller, settings, part)
    notes = SessionNotes(caller.peers, settings)
    targets = records.map { Target($0) }
    self.report = report
  }

  /// Runs until a signal arrives, or until retries are useless for all peers.
  package func run(_ identity: DeviceIdentity) throws {
    let loop = LinkLoop(LinkSettings(.connector, identity: identity) { _ in nil }, nil) { [self] event in
      handle(event)
    }
    loop.tend = { [self, unowned loop] now in tend(loop, at: now) }
    loop.companion = self
    try loop.run()
    // A full disk must not turn finished work into a failure.
    try? notes.finish()
  }

  private func tend(_ loop: LinkLoop, at now: Duration) -> Duration? {
    for target in targets where target.isIdle {
      var found: PeerPlaces.Way?
      if let outcome = target.watch?.outcome {
        target.watch = nil
        found = try? outcome.get()
      }
      if found != nil || target.nextTry <= now { call(target, found, at: now) }
    }
    var turns = targets.compactMap { advance($0, loop, at: now) }
    for target in targets {
      tellMoved(target)
      tellCaughtUp(target)
      if target.isIdle { turns.append(target.nextTry) }
    }
    let next = (turns + [notes.tend(at: now), besides?.tend(at: now)].compactMap { $0 }).min()
    guard next != nil || targets.contains(where: { $0.link != nil }) else { return nil }
    return [next, alongside?.tend(at: now)].compactMap { $0 }.min()
  }

  /// Reports the changes that a link has exchanged since the last report.
  private func tellMoved(_ target: Target) {
    guard let link = target.link else { return }
    let session = SessionReport(soFar: link, with: LinkPeer(target.record))
    let rest = session.since(target.told)
    guard rest.isChanged || rest.keptAfterRestore > 0 || rest.isSetAside else { return }
    target.told = session
    report(.moved(rest))
  }

  private func tellCaughtUp(_ target: Target) {
    guard !target.isCaughtUp, target.link?.dialogue?.hasCaughtUp == true else { return }
    target.isCaughtUp = true
    report(.caughtUp(LinkPeer(target.record)))
  }

  /// Calls a peer in the background, so that other peers do not wait for its answer.
  private func call(_ target: Target, _ found: PeerPlaces.Way?, at now: Duration) {
    target.watch = nil
    if let trouble = objection(to: target) {
      return end(
        target, SessionReport(LinkPeer(target.record), trouble: trouble), mayRecover: !isDecided(trouble))
    }
    target.attempt = PeerAttempt(caller, target.record, part, found: found, at: now)
  }

  /// Why the peer cannot be called.
  private func objection(to target: Target) -> Diagnostic? {
    do {
      _ = try caller.callee(of: target.record)
      return nil
    } catch {
      return SyncRun.diagnostic(error)
    }
  }

  /// Whether an objection is final; a file that cannot be read now may be readable later.
  private func isDecided(_ objection: Diagnostic) -> Bool {
    [.untrustedPeer, .otherProtocolVersion].contains(objection.code)
  }

  /// Continues an attempt; returns the latest time to continue again.
  private func advance(_ target: Target, _ loop: LinkLoop, at now: Duration) -> Duration? {
    guard let attempt = target.attempt else { return nil }
    let next = attempt.advance(loop, at: now)
    guard case .failed(var session, let address, let isSettled) = attempt.outcome else { return next }
    target.attempt = nil
    if Interruption.pending != nil { return nil }
    session.blameSignal()
    // A full disk must not end a run that only reads.
    try? notes.write(session, address: nil)
    let mayBeElsewhere = !isSettled && caller.places.maySearch
    // Another device may have the address for a while, or someone may disturb the connection.
    end(target, session, mayRecover: mayBeElsewhere || !isSettled && address != nil)
    if mayBeElsewhere { watch(for: target, attempt.claims) }
    return nil
  }

  /// Waits in the background for a returning peer, to call it at once; skips addresses of other devices.
  private func watch(for target: Target, _ claims: PlaceClaims) {
    let (places, record, end) = (caller.places, target.record, target.nextTry)
    target.watch = BackgroundCall { try places.waitFor(record, claims, until: end) }
  }

  private func handle(_ event: LinkLoop.Event) {
    let now = SystemClock.monotonic()
    switch event {
    case .opened(let link):
      for target in targets where target.attempt?.handle(opened: link, at: now) == true {
        guard case .connected(_, let address) = target.attempt?.outcome else { continue }
        (target.link, target.told, target.attempt, target.isCaughtUp) = (link, nil, nil, false)
        notes.begin(link, with: LinkPeer(target.record), at: address)
      }
    case .closed(let link), .refused(let link):
      if let target = targets.first(where: { $0.link === link }) { return close(target, link) }
      for target in targets where target.attempt?.handle(lost: link, settings, at: now) == true { return }
    }
  }

  private func close(_ target: Target, _ link: Link) {
    tellMoved(target)
    target.link = nil
    var session = SessionReport(link, with: LinkPeer(target.record), settings)
    session.blameSignal()
    try? notes.end(link, as: session)
    // Reset the pause only after progress, so that a peer does not receive the same request every second.
    let hasCaughtUp = link.dialogue?.hasCaughtUp == true
    if hasCaughtUp || session.isChanged { target.failures = 0 }
    // A third party on the network can damage the data, so a damaged connection is retried. Only a refusal or
    // an error by one of the two sides makes a retry useless.
    var mayRecover = link.dialogue?.isDone != true && link.isDisturbed
    // The list of trusted peers may have been unreadable for a short time.
    if case .untrustedPeer = link.failure {
      mayRecover = objection(to: target).map { !isDecided($0) } ?? true
    }
    end(target, session, mayRecover: mayRecover)
  }

  /// Ends a session, and retries it unless that cannot help.
  ///
  /// A full disk may get free space later, and a peer may get another address. Changes in quarantine do not
  /// keep back others.
  private func end(_ target: Target, _ session: SessionReport, mayRecover: Bool) {
    let code = session.trouble?.code
    let isPassing = code.map { $0.isRetryable || [.storeFull, .quarantined].contains($0) } ?? true
    target.isGivenUp = !isPassing && !mayRecover
    let pause = Duration.seconds(1) * (1 << min(target.failures, 6))
    target.nextTry = SystemClock.monotonic() + min(pause, Self.longestPause)
    target.failures += 1
    report(.ended(session, isFinal: target.isGivenUp))
  }
}

extension FollowRun: LoopCompanion {
  package func watch(_ polls: inout PollSet) {
    for target in targets {
      target.attempt?.watch(&polls)
      target.watch?.watch(&polls)
    }
    besides?.watch(&polls)
  }
  package var deadline: Duration? { nil }
  package func advance(at now: Duration) {}
  package func end() {}
}

/// Several companions that take turns in order.
package struct Companions: FollowCompanion {
  private let all: [any FollowCompanion]

  package init(_ all: [(any FollowCompanion)?]) { self.all = all.compactMap { $0 } }

  package func watch(_ polls: inout PollSet) { for one in all { one.watch(&polls) } }

  package func tend(at now: Duration) -> Duration? { all.compactMap { $0.tend(at: now) }.min() }
}
