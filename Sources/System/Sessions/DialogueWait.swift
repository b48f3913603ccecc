import Store
import SystemIO

/// The event that a dialogue waits for, and its deadline on the monotonic clock.
struct DialogueWait {
  private(set) var pause = DialoguePause.message(extra: .zero, wantsChanges: false)
  /// The latest end of the session, counted from its start or from a signal; nil without a limit.
  var lastMoment: Duration?
  private let settings: SessionSettings
  private var pace: MessagePace
  /// The end of a pause: the other side waits for changes, or this side rests or lingers.
  private var changeLimit = Duration.zero
  private var turn = StoreTurn()
  private var outlook = ChangeOutlook()

  init(_ settings: SessionSettings) {
    self.settings = settings
    pace = MessagePace(patience: settings.patience)
  }

  /// Notes that this many bytes have been sent or received.
  mutating func move(_ count: Int, at now: Duration) { pace.move(count, at: now) }

  /// Begins the next wait; `isUnread` means that the other side has not read our output.
  ///
  /// With `isUnread`, our next message does not extend the wait, unless it allows the other side to wait.
  mutating func begin(_ next: DialoguePause, at now: Duration, isUnread: Bool = false) {
    switch next {
    case .message(let extra, _): if !isUnread || extra > .zero { pace.begin(extra: extra, at: now) }
    case .change(let time), .rest(let time): changeLimit = now + time
    case .store:
      if pause != .store { turn.begin(for: settings.wait, at: now) }
      turn.wait(at: now)
    case .end: break
    }
    pause = next
    outlook.watch(next.wantsChanges, settings.storePath, at: now)
  }

  // MARK: What is due

  /// Whether to retry a store that another process has locked.
  func isTimeToAsk(at now: Duration) -> Bool { pause == .store && turn.nextTry <= now }

  /// Whether another process has locked the store for too long.
  func isStoreOver(at now: Duration) -> Bool { pause == .store && turn.isOver(at: now) }

  /// Whether to inspect the store for changes of other processes.
  mutating func takeLook(at now: Duration) -> Bool {
    guard pause.wantsChanges, outlook.isTimeToLook(at: now) else { return false }
    outlook.next(at: now)
    return true
  }

  /// Whether the time limit has passed without the event.
  func isOver(at now: Duration) -> Bool { limit.map { $0 <= now } == true }

  private var limit: Duration? {
    switch pause {
    case .message: pace.limit
    case .change, .rest: changeLimit
    case .store, .end: nil
    }
  }

  /// The time by which there is work to do.
  var deadline: Duration? {
    [limit, pause == .store ? turn.nextTry : outlook.nextLook, lastMoment].compactMap { $0 }.min()
  }

  var alarm: CInt? { pause.wantsChanges ? outlook.alarm : nil }
}
