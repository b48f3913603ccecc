import JSONLines
import PeerProtocol
package import SyncCore
package import SystemIO

/// Connects a dialogue, a store and a pair of descriptors, message by message.
package struct DialogueRun: ~Copyable {
  package private(set) var course: DialogueCourse<PeerStore>
  private var channel: LineChannel
  private let limits: Limits

  package struct Limits: Sendable {
    /// The longest time without progress in an expected message; ``MessagePace`` has the other limits.
    package var patience: Duration
    /// The longest message that is read, in bytes.
    package var message: Int
    /// The longest time of the session; nil without a limit.
    package var session: Duration?

    package init(patience: Duration, message: Int, session: Duration?) {
      (self.patience, self.message, self.session) = (patience, message, session)
    }
  }

  package init(
    _ course: DialogueCourse<PeerStore>, input: consuming Descriptor, output: consuming Descriptor,
    _ limits: Limits
  ) {
    self.course = course
    channel = LineChannel(input, output, limit: limits.message)
    self.limits = limits
  }

  /// Runs the dialogue to its end and returns that end.
  ///
  /// An error does not leave messages unsent: a page is stored completely with its checkpoint before it is
  /// acknowledged. Throws ``Diagnostic/longSession`` if the session has taken too long.
  package mutating func run() throws -> DialogueEnd {
    let last = limits.session.map { SystemClock.monotonic() + $0 }
    var event = DialogueEvent.start
    while true {
      if let last, SystemClock.monotonic() >= last { throw Diagnostic.longSession }
      let (messages, pause) = try course.handle(event)
      for message in messages where !(try send(message)) { return .timedOut }
      switch pause {
      case .end(let end): return end
      case .message(let extra, let wantsChanges):
        event = try awaited(pace(extra: extra), wantsChanges: wantsChanges)
      case .change(let time):
        event = try awaited(until: deadline(time), pace(extra: time), wantsChanges: true)
      case .rest(let time):
        event = try awaited(until: deadline(time), pace(extra: time), wantsChanges: false)
      // This is not reached, because `handle` returns this pause only with `waiting`.
      case .store: return .busy
      }
    }
  }

  private func deadline(_ time: Duration) -> Duration { SystemClock.monotonic() + time }

  private func pace(extra: Duration = .zero) -> MessagePace {
    var pace = MessagePace(patience: limits.patience)
    pace.begin(extra: extra, at: SystemClock.monotonic())
    return pace
  }

  private mutating func send(_ message: Message) throws -> Bool {
    var pace = pace()
    return try channel.send(message.line, pace: &pace)
  }

  // MARK: Waiting

  /// The interval between two checks for changes in the store.
  private static let interval = Duration.milliseconds(250)

  private mutating func awaited(
    until end: Duration? = nil, _ pace: MessagePace, wantsChanges: Bool
  ) throws -> DialogueEvent {
    var pace = pace
    while true {
      let look = wantsChanges ? deadline(Self.interval) : nil
      switch try channel.receive(until: [end, look].compactMap { $0 }.min(), pace: &pace) {
      case .line(let line):
        if let event = event(line) { return event }
      case .tooLong: return .unreadable(.tooLarge(limit: limits.message))
      case .end: return .closed
      case .timeOut:
        if wantsChanges, try course.hasChanged() { return .changed }
        if min(end ?? pace.limit, pace.limit) <= SystemClock.monotonic() { return .timedOut }
      }
    }
  }

  /// The event of a line; nil for a blank line.
  ///
  /// An incomplete message on a closed connection counts as the end.
  private func event(_ line: [UInt8]) -> DialogueEvent? {
    if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return nil }
    do throws(MessageError) {
      return .message(try Message(receiving: line.span, over: course.settings.version))
    } catch {
      if error.jsonFault == .unexpectedEnd, channel.hasEnded { return .closed }
      return .unreadable(error)
    }
  }
}
