package import JSONLines
package import Crypto
import Links
import Store
package import Pairing
import SyncCore
package import SystemIO

/// Concurrent sessions, one with each of several peers; they do not wait for each other.
package final class SyncRun {
  /// The progress of all sessions together.
  package struct Progress: Sendable {
    /// Bytes sent and received.
    package var bytes = 0
    /// Changes sent and received.
    package var changes = 0
    /// The approximate number of changes left; 0 if neither side has reported it.
    package var left = 0
  }

  private final class Target {
    let record: TrustRecord
    let peer: LinkPeer
    /// The current attempt to connect.
    var attempt: PeerAttempt?
    /// The link on which the peer has proved its key, and its address.
    var link: Link?
    var address: String?
    var isDone = false
    var progress = Progress()

    init(_ record: TrustRecord) { (self.record, peer) = (record, LinkPeer(record)) }
  }

  private let caller: Caller
  private let settings: SessionSettings
  private let notes: SessionNotes
  private let part: DialogueSpeaker.Part
  private let targets: [Target]
  private let moved: (Progress) -> Void
  private let report: (SessionReport) throws -> Void
  /// The error thrown by `report`.
  private var failure: (any Error)?
  /// Ends the run early.
  package var cancellation: Cancellation?

  /// `report` is called with each session as it ends, `moved` when bytes are sent or received.
  package init(
    _ caller: Caller, _ settings: SessionSettings, _ part: DialogueSpeaker.Part,
    _ records: [TrustRecord], moved: @escaping (Progress) -> Void,
    report: @escaping (SessionReport) throws -> Void
  ) {
    (self.caller, self.settings, self.part) = (caller, settings, part)
    notes = SessionNotes(caller.peers, settings)
    targets = records.map { Target($0) }
    (self.moved, self.report) = (moved, report)
  }

  /// Runs until all sessions have ended, or a signal has ended them.
  ///
  /// The reports contain all errors, including interruptions by signals and failures to write notes.
  package func run(_ identity: DeviceIdentity) throws {
    let loop = LinkLoop(LinkSettings(.connector, identity: identity) { _ in nil }, nil) { [self] in handle($0)
    }
    loop.tend = { [self, unowned loop] now in tend(loop, at: now) }
    loop.companion = self
    loop.cancellation = cancellation
    for target in targets { call(target) }
    try loop.run()
    for target in targets { end(target, Self.report(of: target, SystemError.interrupted)) }
    if let failure { throw failure }
  }

  /// Writes notes that had to wait for another process; call it after `run`.
  package func finishNotes() throws { try notes.finish() }

  /// Continues all attempts; returns the time of the next call, nil when all have ended.
  ///
  /// A new connection wakes the loop.
  private func tend(_ loop: LinkLoop, at now: Duration) -> Duration? {
    let turns = targets.compactMap { advance($0, loop, at: now) }
    let next = notes.tend(at: now)
    return targets.allSatisfy(\.isDone) ? nil : (turns + [next ?? now + SessionSettings.idle]).min()
  }

  // MARK: Connections

  private func call(_ target: Target) {
    do {
      _ = try LinkPeer(target.record, over: caller.places.version)
    } catch {
      return end(target, Self.report(of: target, error))
    }
    target.attempt = PeerAttempt(caller, target.record, part, at: SystemClock.monotonic()) {
      [unowned self, unowned target] speaker in
      target.progress = Progress(bytes: speaker.bytes, changes: speaker.tally.moved, left: speaker.tally.left)
      moved(progress)
    }
  }

  /// Continues an attempt; returns the latest time to continue again.
  private func advance(_ target: Target, _ loop: LinkLoop, at now: Duration) -> Duration? {
    guard let attempt = target.attempt else { return nil }
    let next = attempt.advance(loop, at: now)
    if case .failed(let session, let address, _) = attempt.outcome {
      target.attempt = nil
      end(target, session, address)
    }
    return next
  }

  private func handle(_ event: LinkLoop.Event) {
    let now = SystemClock.monotonic()
    switch event {
    case .opened(let link):
      for target in targets where target.attempt?.handle(opened: link, at: now) == true {
        guard case .connected(_, let address) = target.attempt?.outcome else { continue }
        (target.link, target.address, target.attempt) = (link, address, nil)
      }
    case .closed(let link), .refused(let link):
      if let target = targets.first(where: { $0.link === link }) {
        return end(target, SessionReport(link, with: target.peer, settings), target.address)
      }
      for target in targets where target.attempt?.handle(lost: link, settings, at: now) == true { return }
    }
  }

  // MARK: The end

  /// Ends a target; later calls are ignored.
  private func end(_ target: Target, _ session: SessionReport, _ address: String? = nil) {
    guard !target.isDone else { return }
    target.isDone = true
    var session = session
    session.blameSignal()
    if !part.isDryRun {
      do {
        try notes.write(session, address: address)
      } catch {
        session.trouble = session.trouble ?? Self.diagnostic(error)
      }
    }
    do { try report(session) } catch { failure = failure ?? error }
  }

  private var progress: Progress {
    targets.map(\.progress).reduce(into: Progress()) { sum, one in
      sum.bytes += one.bytes
      sum.changes += one.changes
      sum.left += one.left
    }
  }

  private static func report(of target: Target, _ error: any Error) -> SessionReport {
    SessionReport(target.peer, trouble: diagnostic(error))
  }

  package static func diagnostic(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as Diagnostic: error
    case let error as SystemError where error.isInterruption: SessionReport.interruption
    case let error as SystemError: Diagnostic(error)
    default: Diagnostic(.bug, "unexpected error: \(error)")
    }
  }
}

extension SyncRun: LoopCompanion {
  package func watch(_ polls: inout PollSet) { for target in targets { target.attempt?.watch(&polls) } }
  package var deadline: Duration? { nil }
  package func advance(at now: Duration) {}
  package func end() {}
}

extension Link {
  var dialogue: DialogueSpeaker? { speaker as? DialogueSpeaker }

  /// Whether other addresses are useless, because the other end has the peer's key, or the fault is on this
  /// device.
  var isSettled: Bool {
    switch failure {
    case .local: true
    case .refusedByPeer, .busyPeer: hasProvenKey
    default: hasOpened
    }
  }

  /// Whether the connection has failed, and neither this side nor the other one has refused it.
  var isDisturbed: Bool {
    switch failure {
    case nil, .local, .untrustedPeer, .refusedByPeer, .busyPeer: false
    default: true
    }
  }
}
