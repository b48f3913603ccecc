import CommandLineTool
package import History
import Peering
package import StoreFiles
package import SyncCore
import SystemIO
package import Transport

/// A dialogue over a store, on a link of this process.
package final class DialogueSpeaker: Speaker {
  /// What tells this side of a dialogue from others of the same run.
  package struct Part {
    package var role: DialogueSettings.Role
    /// How long a request may wait for changes, in seconds; 0 ends when all is read.
    package var waitSeconds = 0
    /// Count what would come, and take nothing.
    package var isTrial = false

    package init(_ role: DialogueSettings.Role) { self.role = role }
  }

  private let rules: SyncRules
  private let part: Part
  private let store: OpenStore
  private let moved: (DialogueSpeaker) -> Void
  private var course: DialogueCourse?
  private var pause = DialogueCourse.Pause.message(extra: .zero, wantsChanges: false)
  private var frames: FrameExchange
  private var watch: FileWatch?
  /// When nothing has come or gone for too long.
  private var limit = Duration.zero
  private var nextLook: Duration?
  private var interval = Duration.milliseconds(1)
  private var isStopping = false
  /// How the dialogue has ended; nil while it has not, or could not go on.
  package private(set) var end: DialogueEnd?
  /// How many bytes have come and gone.
  package private(set) var bytes = 0
  /// Both sides had all that there was, and waited for changes.
  package private(set) var hasCaughtUp = false
  /// A signal has ended it before that.
  package private(set) var isCutShort = false
  /// What went wrong on this side.
  package private(set) var failure: (any Error)?

  /// `moved` is called whenever bytes or changes have come or gone.
  package init(
    _ rules: SyncRules, _ part: Part, _ store: OpenStore,
    moved: @escaping (DialogueSpeaker) -> Void = { _ in }
  ) {
    (self.rules, self.part, self.store, self.moved) = (rules, part, store, moved)
    frames = FrameExchange(limit: rules.messageLimit)
  }

  package var tally: PeerStore.Tally { course?.tally ?? PeerStore.Tally() }
  package var settings: DialogueSettings? { course?.settings }
  package var refusal: StoreError? { course?.refusal }

  package func begin(_ facts: LinkFacts, at now: Duration) {
    guard var settings = rules.settings(part.role, facts, waitSeconds: part.waitSeconds) else {
      end = .refused(.untrustedPeer)
      return
    }
    let opened: ChangeStore
    do {
      opened = try store.current()
    } catch {
      failure = error
      return
    }
    settings.isTrial = part.isTrial
    let bounds = rules.store
    let peerStore = PeerStore(
      opened, rules.shape, limit: bounds.maxDelete, maximumDrift: bounds.maxDrift.duration,
      isTrial: part.isTrial
    ) { bounds.present }
    course = DialogueCourse(Dialogue(settings, wire: WireCodec(rules.shape, types: WireTypes())), peerStore) {
      bounds.present
    }
    take(.start, at: now)
  }

  // MARK: Events

  package func hear(_ bytes: Span<UInt8>, at now: Duration) {
    frames.append(bytes)
    self.bytes += bytes.count
    wait(at: now)
    while !isDone, let heard = frames.next() {
      switch heard {
      case .message(let message): take(.message(message), at: now)
      case .unreadable(let error): take(.unreadable(error), at: now)
      }
    }
    moved(self)
  }

  package func hearEnd(at now: Duration) { if !isDone { take(.closed, at: now) } }

  package func advance(at now: Duration) {
    guard !isDone else { return }
    if pause.wantsChanges, isTimeToLook(at: now) { look(at: now) }
    if !isDone, limit <= now { take(.timedOut, at: now) }
  }

  /// Who has asked is served to the end; who waits or asks by himself can do so again another time.
  package func stop(at now: Duration) {
    isStopping = true
    guard !isDone, part.role != .acceptor || pause.wantsChanges else { return }
    isCutShort = !pause.wantsChanges
    take(.stop, at: now)
  }

  private func take(_ event: DialogueEvent, at now: Duration) {
    do {
      try store.check()
      guard let (messages, pause) = try course?.take(event) else { return }
      for message in messages { frames.send(message) }
      self.pause = pause
      if case .end(let end) = pause { self.end = end }
      if pause.wantsChanges { hasCaughtUp = true }
      wait(at: now)
      watchStore(at: now)
      if isStopping, pause.wantsChanges { take(.stop, at: now) }
    } catch {
      failure = error
    }
  }

  /// Something has moved: the time begins anew.
  private func wait(at now: Duration) {
    switch pause {
    case .message(let extra, _): limit = now + rules.patience + extra
    case .change(let time): limit = now + time
    case .end: break
    }
  }

  // MARK: Changes in the own store

  /// How often the store is looked at where nothing tells that it has changed, and where nothing ever does.
  private static let longestInterval = (watched: Duration.seconds(5), unwatched: Duration.milliseconds(50))

  private func watchStore(at now: Duration) {
    guard pause.wantsChanges else {
      nextLook = nil
      return
    }
    watch = watch ?? FileWatch(rules.store.path + "-wal")
    // Once at once: what was stored while nobody looked.
    nextLook = now
  }

  /// The log is written to before a commit can be seen, and nothing tells when: looked at soon, and then less and less.
  private func isTimeToLook(at now: Duration) -> Bool {
    if watch?.takeChange() == true {
      interval = .milliseconds(1)
      return true
    }
    return nextLook.map { $0 <= now } == true
  }

  private func look(at now: Duration) {
    let longest = Self.longestInterval
    interval = min(interval * 2, watch == nil ? longest.unwatched : longest.watched)
    nextLook = now + interval
    do {
      if try course?.hasChanged() == true { take(.changed, at: now) }
    } catch {
      failure = error
    }
    moved(self)
  }

  // MARK: The link

  package var deadline: Duration? { isDone ? nil : [limit, nextLook].compactMap { $0 }.min() }
  package var alarm: CInt? { pause.wantsChanges ? watch?.raw : nil }
  package var hasOutput: Bool { frames.hasOutput }
  package var isDone: Bool { end != nil || failure != nil }

  package func takeOutput(_ limit: Int, at now: Duration) -> [UInt8] {
    if case .message = pause { wait(at: now) }
    let piece = frames.take(limit)
    bytes += piece.count
    moved(self)
    return piece
  }
}
