import CommandLineTool
import Peering
package import SyncCore
package import SystemIO
package import Transport
import Trust

/// Sessions with some peers at once that go on when everything is read, and are begun again when they break off.
package final class FollowRun {
  /// What has become of a session.
  package enum Event {
    /// Changes have moved: what has since the last time.
    case moved(SessionReport)
    /// With `isFinal` it is not begun again: that could not help.
    case ended(SessionReport, isFinal: Bool)
  }

  private final class Target {
    let record: TrustRecord
    /// A connection that is being made.
    var call: Errand<PeerPlaces.Way>?
    var link: Link?
    /// What has been told of its session.
    var told: SessionReport?
    var nextTry = Duration.zero
    var failures = 0
    var isGivenUp = false
    /// Where somebody else has answered in its place, and what came of that the last time.
    var strangers: Set<String> = []
    var strangeness: Diagnostic?

    init(_ record: TrustRecord) { self.record = record }

    var isIdle: Bool { link == nil && call == nil && !isGivenUp }
  }

  private let caller: Caller
  private let rules: SyncRules
  private let notes: SessionNotes
  private let book: TransferBook
  private let part: DialogueSpeaker.Part
  private let targets: [Target]
  private let report: (Event) -> Void

  /// The longest pause between two tries.
  private static let longestPause = Duration.seconds(60)

  package init(
    _ caller: Caller, _ rules: SyncRules, _ book: TransferBook, _ part: DialogueSpeaker.Part,
    _ records: [TrustRecord], report: @escaping (Event) -> Void
  ) {
    (self.caller, self.rules, self.book, self.part) = (caller, rules, book, part)
    notes = SessionNotes(book, rules)
    targets = records.map { Target($0) }
    self.report = report
  }

  /// Runs until a signal comes, or until no peer is left with which trying again could help.
  package func run(_ identity: DeviceIdentity) throws {
    let loop = LinkLoop(LinkRules(.connector, identity: identity) { _ in nil }, nil) { [self] event in
      take(event)
    }
    loop.tend = { [self, unowned loop] now in tend(loop, at: now) }
    loop.companion = self
    try loop.run()
    // As above: a disk that is full must not make a failure of what was done.
    try? notes.finish()
  }

  private func tend(_ loop: LinkLoop, at now: Duration) -> Duration? {
    for target in targets where target.isIdle && target.nextTry <= now { call(target) }
    for target in targets {
      guard let outcome = target.call?.outcome else { continue }
      target.call = nil
      take(outcome, of: target, loop)
    }
    for target in targets { tellMoved(target) }
    let next = notes.tend(at: now)
    let tries = targets.compactMap { $0.call == nil ? $0.isIdle ? $0.nextTry : nil : now + Self.longestPause }
    return (tries + [next].compactMap { $0 }).min()
  }

  /// Not while a link is at work: it counts what has moved when it is done with that.
  private func tellMoved(_ target: Target) {
    guard let link = target.link else { return }
    let session = SessionReport(soFar: link, with: LinkPeer(target.record))
    let rest = session.since(target.told)
    guard rest.isChanged else { return }
    target.told = session
    report(.moved(rest))
  }

  /// Nobody is kept waiting for a peer that does not answer.
  private func call(_ target: Target) {
    do {
      _ = try caller.callee(of: target.record)
    } catch {
      return end(target, SessionReport(LinkPeer(target.record), trouble: SyncRun.diagnostic(error)))
    }
    let (places, record, strangers) = (caller.places, target.record, target.strangers)
    target.call = Errand { try places.find(record, except: strangers) }
  }

  private func take(_ outcome: Result<PeerPlaces.Way, any Error>, of target: Target, _ loop: LinkLoop) {
    do {
      let way = try outcome.get()
      let peer = try caller.callee(of: target.record)
      let link = try caller.link(over: way.connection, to: peer, part, patience: way.patience)
      (target.link, target.told) = (link, nil)
      notes.begin(link, with: peer, at: way.address)
      loop.add(link)
    } catch let error as SystemError where error.isInterruption {
      return
    } catch {
      // Who has answered in its place says more than that it was not found elsewhere, and has been written down.
      let session = SessionReport(
        LinkPeer(target.record), trouble: target.strangeness ?? SyncRun.diagnostic(error))
      let mayBeElsewhere = target.strangeness != nil
      if !mayBeElsewhere { try? notes.write(session, address: nil) }
      // Next time it may be where it was.
      (target.strangers, target.strangeness) = ([], nil)
      end(target, session, mayBeElsewhere: mayBeElsewhere)
    }
  }

  private func take(_ event: LinkLoop.Event) {
    switch event {
    case .opened: break
    case .closed(let link), .refused(let link):
      guard let target = targets.first(where: { $0.link === link }) else { return }
      tellMoved(target)
      target.link = nil
      var session = SessionReport(link, with: LinkPeer(target.record), rules)
      session.blameSignal()
      // A disk that is full must not end what only reads.
      try? notes.end(link, as: session)
      // A side that only lets this one in is not to be asked for the same again every second.
      let hasCaughtUp = (link.speaker as? DialogueSpeaker)?.hasCaughtUp == true
      if hasCaughtUp || session.isChanged { target.failures = 0 }
      let mayBeElsewhere = !link.isSettled && caller.places.maySearch
      if mayBeElsewhere { target.strangers.insert(link.remote.text) } else { target.strangers = [] }
      target.strangeness = mayBeElsewhere ? session.trouble : nil
      end(target, session, mayBeElsewhere: mayBeElsewhere)
    }
  }

  /// What another try could mend is tried again: a disk may get room, and a peer may be elsewhere.
  private func end(_ target: Target, _ session: SessionReport, mayBeElsewhere: Bool = false) {
    let code = session.trouble?.code
    target.isGivenUp = !(code?.isRetryable ?? true) && code != .storeFull && !mayBeElsewhere
    let pause = Duration.seconds(1) * (1 << min(target.failures, 6))
    target.nextTry = SystemClock.monotonic() + min(pause, Self.longestPause)
    target.failures += 1
    report(.ended(session, isFinal: target.isGivenUp))
  }
}

extension FollowRun: LoopCompanion {
  package func watch(_ polls: inout PollSet) { for target in targets { target.call?.watch(&polls) } }
  package var deadline: Duration? { nil }
  package func advance(at now: Duration) {}
  package func end() {}
}
