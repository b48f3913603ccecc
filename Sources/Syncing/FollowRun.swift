import CommandLineTool
import Peering
package import SyncCore
import SystemIO
package import Transport
import Trust

/// Sessions with some peers at once that go on when everything is read, and are begun again when they break off.
package final class FollowRun {
  /// What has become of a session.
  package enum Event {
    case moved(TrustRecord, DialogueSpeaker)
    /// With `isFinal` it is not begun again: that could not help.
    case ended(SessionReport, isFinal: Bool)
  }

  fileprivate final class Target {
    let record: TrustRecord
    var link: Link?
    var address: String?
    var nextTry = Duration.zero
    var failures = 0
    var isGivenUp = false
    /// What of the session has been written down, and whether there is more, and when that may be.
    var noted: SessionReport?
    var hasMoved = false
    var nextNote = Duration.zero

    init(_ record: TrustRecord) { self.record = record }
  }

  private let caller: Caller
  private let rules: SyncRules
  private let book: TransferBook
  private let part: DialogueSpeaker.Part
  private let targets: [Target]
  private let report: (Event) -> Void

  /// The longest pause between two tries.
  private static let longestPause = Duration.seconds(60)
  /// How often what moves is written down, at most.
  private static let notePause = Duration.seconds(10)

  package init(
    _ caller: Caller, _ rules: SyncRules, _ book: TransferBook, _ part: DialogueSpeaker.Part,
    _ records: [TrustRecord], report: @escaping (Event) -> Void
  ) {
    (self.caller, self.rules, self.book, self.part) = (caller, rules, book, part)
    targets = records.map { Target($0) }
    self.report = report
  }

  /// Runs until a signal comes, or until no peer is left with which trying again could help.
  package func run(_ identity: DeviceIdentity) throws {
    let loop = LinkLoop(LinkRules(.connector, identity: identity) { _ in nil }, nil) { [self] event in
      take(event)
    }
    loop.tend = { [self, unowned loop] now in try tend(loop, at: now) }
    try loop.run()
  }

  private func tend(_ loop: LinkLoop, at now: Duration) throws -> Duration? {
    for target in targets where target.link == nil && !target.isGivenUp && target.nextTry <= now {
      do {
        let (link, address) = try call(target)
        (target.link, target.address) = (link, address)
        loop.add(link)
      } catch let error as SystemError where error.isInterruption {
        return nil
      } catch {
        end(target, SessionReport(LinkPeer(target.record), trouble: SyncRun.diagnostic(error)))
      }
    }
    for target in targets where target.mayBeNoted && target.nextNote <= now {
      noteProgress(of: target, at: now)
    }
    return targets.compactMap { target in
      if target.link == nil { return target.isGivenUp ? nil : target.nextTry }
      return target.mayBeNoted ? target.nextNote : nil
    }.min()
  }

  /// Where the peer is not where it was, and nobody is kept waiting meanwhile, it is looked for.
  private func call(_ target: Target) throws -> (link: Link, address: String) {
    let moved = { [report] (speaker: DialogueSpeaker) in
      target.hasMoved = true
      report(.moved(target.record, speaker))
    }
    do {
      return try caller.link(to: target.record, part, moved: moved)
    } catch let error as SystemError where error.isInterruption {
      throw error
    } catch {
      guard targets.allSatisfy({ $0.link == nil }),
        let link = try caller.foundLink(to: target.record, part, moved: moved)
      else { throw error }
      return (link, link.remote.text)
    }
  }

  /// A session may go on for weeks.
  private func noteProgress(of target: Target, at now: Duration) {
    guard let link = target.link else { return }
    let session = SessionReport(soFar: link, with: LinkPeer(target.record))
    try? book.note(session.since(target.noted), address: target.address, now: rules.store.present)
    target.noted = session
    target.hasMoved = false
    target.nextNote = now + Self.notePause
  }

  private func take(_ event: LinkLoop.Event) {
    switch event {
    case .opened: break
    case .closed(let link), .refused(let link):
      guard let target = targets.first(where: { $0.link === link }) else { return }
      target.link = nil
      let session = SessionReport(link, with: LinkPeer(target.record), rules)
      // A side that only lets this one in is not to be asked for the same again every second.
      let hasCaughtUp = (link.speaker as? DialogueSpeaker)?.hasCaughtUp == true
      if hasCaughtUp || session.isChanged { target.failures = 0 }
      end(target, session)
    }
  }

  private func end(_ target: Target, _ session: SessionReport) {
    let retry = session.trouble.map { $0.code.isRetryable || $0.code.exit == .unavailable } ?? true
    target.isGivenUp = !retry
    let pause = Duration.seconds(1) * (1 << min(target.failures, 6))
    target.nextTry = SystemClock.monotonic() + min(pause, Self.longestPause)
    target.failures += 1
    // A disk that is full must not end what only reads.
    try? book.note(session.since(target.noted), address: target.address, now: rules.store.present)
    (target.noted, target.hasMoved) = (nil, false)
    report(.ended(session, isFinal: target.isGivenUp))
  }
}

extension FollowRun.Target {
  /// All has been read that there was, and something of it is not written down.
  fileprivate var mayBeNoted: Bool {
    hasMoved && (link?.speaker as? DialogueSpeaker)?.hasCaughtUp == true
  }
}
