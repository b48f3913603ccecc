import JSONLines
import Crypto
package import Links
import PeerProtocol
package import Store
package import SyncCore
import SystemIO

/// A dialogue over a store, on a link of this process.
package final class DialogueSpeaker: Speaker {
  /// The settings of one dialogue that differ from other dialogues of the same run.
  package struct Part {
    package var role: DialogueSettings.Role
    /// Whether to wait for further changes once everything has been read.
    package var follows = false
    /// Whether changes are only counted, and not stored.
    package var isDryRun = false
    /// In a dry run: whether to find the records that differ.
    package var comparesRecords = false

    package init(_ role: DialogueSettings.Role) { self.role = role }
  }

  private let settings: SessionSettings
  private let part: Part
  private let store: OpenStore
  private let moved: (DialogueSpeaker) -> Void
  package private(set) var course: DialogueCourse<PeerStore>?
  private var frames: FrameExchange
  private var wait: DialogueWait
  /// The settings of a dialogue that has not begun, because another process has locked the store.
  private var opening: DialogueSettings?
  /// Whether the other side has ended its data; received data may still wait to be handled.
  private var hasHeardEnd = false
  private var isStopping = false
  /// Whether received bytes are held back, because the other side does not read or other links need their turn.
  private var isHeld = false
  /// Whether the link has taken output since the wait for a message began.
  private var hasTaken = false
  /// The end of the dialogue; nil before that, or after a failure on this side.
  package private(set) var end: DialogueEnd?
  /// The number of bytes sent and received.
  package private(set) var bytes = 0
  /// Whether both sides had read everything and waited for changes.
  package private(set) var hasCaughtUp = false
  /// Whether a signal has ended the dialogue early.
  package private(set) var isCutShort = false
  /// The seconds by which the other side's clock was ahead at its first message, by our system clock.
  package private(set) var clockAhead: Int?
  /// The error on this side; nil without one.
  package private(set) var failure: (any Error)?

  /// `moved` is called whenever bytes or changes have been sent or received.
  package init(
    _ settings: SessionSettings, _ part: Part, _ store: OpenStore,
    moved: @escaping (DialogueSpeaker) -> Void = { _ in }
  ) {
    (self.settings, self.part, self.store, self.moved) = (settings, part, store, moved)
    frames = FrameExchange(limit: DialogueSettings.longestMessage)
    wait = DialogueWait(settings)
  }

  package var tally: PeerStore.Tally { course?.tally ?? PeerStore.Tally() }

  package func begin(_ facts: LinkFacts, at now: Duration) {
    guard let dialogue = settings.dialogue(part, facts) else {
      end = .refused(.untrustedPeer)
      return
    }
    (frames.version, frames.inflates) = (facts.version, dialogue.inflates)
    wait.lastMoment = dialogue.longestSession.map { now + $0 }
    opening = dialogue
    open(at: now)
  }

  private func open(at now: Duration) {
    guard var dialogue = opening else { return }
    do {
      let opened = try store.current()
      opening = nil
      if dialogue.version == .two { dialogue.shared = try opened.sharedRules { try $0.rulesDigest() } }
      course = try DialogueCourse(
        dialogue, over: opened, limit: settings.maxDelete, maximumDrift: settings.maxDrift,
        comparingRecords: part.comparesRecords,
        types: dialogue.version == .one ? settings.wireTypes() : nil, now: settings.present)
    } catch let error as Diagnostic where error.code == .storeBusy && !wait.isStoreOver(at: now) {
      return wait.begin(.store, at: now)
    } catch {
      failure = error
      return
    }
    handle(.start, at: now)
  }

  // MARK: Events

  package func hear(_ bytes: Span<UInt8>, at now: Duration) {
    frames.append(bytes)
    self.bytes += bytes.count
    if !isUnread { wait.move(bytes.count, at: now) }
    hearFrames(at: now)
    moved(self)
  }

  /// The maximum number of messages to handle before other links get their turn.
  private static let portion = 8

  private func hearFrames(at now: Duration) {
    var count = 0
    while !isDone, wait.pause != .store, !frames.isFull, count < Self.portion, let heard = frames.next() {
      count += 1
      switch heard {
      case .message(let message):
        clockAhead = clockAhead ?? Int(message.sentAt.seconds - SystemClock.wallTime().seconds)
        // A side that writes a trace, or lacks zlib, requests uncompressed messages.
        if case .syncRequest(let request) = message.body {
          frames.deflates = frames.inflates && request.deflate
        }
        handle(.message(message), at: now)
      case .unreadable(let error): handle(.unreadable(error), at: now)
      }
    }
    isHeld = frames.isFull || count == Self.portion
    guard hasHeardEnd, !isDone, isListening else { return }
    if frames.isInFrame { end = .closed } else { handle(.closed, at: now) }
  }

  package func hearEnd(at now: Duration) {
    hasHeardEnd = true
    hearFrames(at: now)
  }

  package func advance(at now: Duration) {
    if mayGoOn {
      hearFrames(at: now)
      moved(self)
    }
    guard !isDone else { return }
    if wait.isTimeToAsk(at: now) {
      askStoreAgain(at: now)
    } else if wait.takeLook(at: now) {
      look(at: now)
    }
    if !isDone, let last = wait.lastMoment, last <= now { return giveUp(at: now) }
    if !isDone, wait.isOver(at: now) { handle(.timedOut, at: now) }
  }

  /// Stops the dialogue: the answers to a peer may take at most `patience` longer; our own requests are cut
  /// short.
  package func stop(at now: Duration) {
    isStopping = true
    guard !isDone, part.role != .acceptor || wait.pause.wantsChanges else {
      wait.lastMoment = now + settings.patience
      return
    }
    isCutShort = !(wait.pause.wantsChanges || wait.pause.isRest)
    cutShort(at: now)
  }

  private func cutShort(at now: Duration) {
    guard opening != nil else { return handle(.stop, at: now) }
    // The dialogue has not begun.
    (opening, end) = (nil, .stopped)
  }

  /// Ends the dialogue; everything exchanged so far is kept.
  private func giveUp(at now: Duration) {
    if isStopping {
      isCutShort = true
      return cutShort(at: now)
    }
    failure = Diagnostic.longSession
  }

  private func handle(_ event: DialogueEvent, at now: Duration) {
    goOn(at: now) { course throws in try course?.handle(event, waiting: true) }
  }

  private func goOn(
    at now: Duration, _ step: (inout DialogueCourse<PeerStore>?) throws -> DialogueCourse<PeerStore>.Outcome?
  ) {
    do {
      try store.check()
      guard let (messages, pause) = try step(&course) else { return }
      wait.begin(pause, at: now, isUnread: isUnread)
      if !isUnread { hasTaken = false }
      for message in messages { frames.send(message) }
      if case .end(let end) = pause { self.end = end }
      if pause.wantsChanges { hasCaughtUp = true }
      if isStopping, pause.wantsChanges { handle(.stop, at: now) }
    } catch {
      failure = error
    }
  }

  // MARK: A store that another process has locked

  private func askStoreAgain(at now: Duration) {
    if opening != nil {
      open(at: now)
    } else {
      let isLast = wait.isStoreOver(at: now)
      goOn(at: now) { course throws in try course?.resume(isLast: isLast) }
    }
    hearFrames(at: now)
    moved(self)
  }

  package var isListening: Bool { wait.pause != .store && !isHeld }

  /// Whether bytes are held back although the reason for that no longer applies.
  private var mayGoOn: Bool { isHeld && !frames.isFull && wait.pause != .store }

  /// Whether output waits, and the other side has not read any output since the wait for a message began.
  private var isUnread: Bool { frames.hasOutput && !hasTaken }

  // MARK: Changes in our own store

  private func look(at now: Duration) {
    do {
      if try course?.hasChanged() == true { handle(.changed, at: now) }
    } catch StoreError.busy {
      // Ignore the error, because the store is inspected again soon.
    } catch {
      failure = error
    }
    moved(self)
  }

  // MARK: The link

  package var deadline: Duration? { isDone ? nil : mayGoOn ? .zero : wait.deadline }
  package var alarm: CInt? { wait.alarm }
  package var hasOutput: Bool { frames.hasOutput }
  package var isDone: Bool { end != nil || failure != nil }

  package func takeOutput(_ limit: Int, at now: Duration) -> [UInt8] {
    let piece = frames.take(limit)
    bytes += piece.count
    hasTaken = hasTaken || !piece.isEmpty
    wait.move(piece.count, at: now)
    moved(self)
    return piece
  }
}
