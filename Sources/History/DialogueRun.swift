import JSONLines
package import SyncCore
package import SystemIO

/// Brings a dialogue, a store and a pair of descriptors together, message by message.
package struct DialogueRun: ~Copyable {
  private var dialogue: Dialogue
  private var store: PeerStore
  private var channel: LineChannel
  private let limits: Limits
  private let now: () -> Instant

  package struct Limits: Sendable {
    /// How long a message may take, be it to come or to go.
    package var patience: Duration
    /// The longest message that is read, in bytes.
    package var message: Int

    package init(patience: Duration, message: Int) { (self.patience, self.message) = (patience, message) }
  }

  package init(
    _ dialogue: Dialogue, _ store: PeerStore, input: consuming Descriptor, output: consuming Descriptor,
    _ limits: Limits, now: @escaping () -> Instant
  ) {
    self.dialogue = dialogue
    self.store = store
    channel = LineChannel(input, output, limit: limits.message)
    self.limits = limits
    self.now = now
  }

  /// What reading deltas of version 1 has told of types.
  package var types: WireTypes { dialogue.wireTypes }
  /// Why the store has refused a page.
  package var refusal: StoreError? { store.refusal }
  /// Records that a store which was restored has kept though the other side does not have them.
  package var keptAfterRestore: Int { store.keptAfterRestore }

  /// Runs to the end, and says how it came.
  ///
  /// Nothing is in the air when it throws: a page is stored whole with its checkpoint before it is acknowledged.
  package mutating func run() throws -> DialogueEnd {
    var event = DialogueEvent.start
    while true {
      let step = dialogue.take(event, stamp())
      if let message = step.message, !(try channel.send(message.line, until: deadline(limits.patience))) {
        return .timedOut
      }
      switch step.next {
      case .end(let end): return end
      case .store(let request):
        event = .store(try store.answer(request, aboutPeer: dialogue.settings.peerId))
      case .receive(let extra, let wantsChanges):
        event = try awaited(limits.patience + .seconds(extra), wantsChanges: wantsChanges)
      case .awaitChange(let seconds): event = try awaited(.seconds(seconds), wantsChanges: true)
      }
    }
  }

  private func deadline(_ time: Duration) -> Duration { SystemClock.monotonic() + time }

  private func stamp() -> MessageStamp { MessageStamp(id: .random(), sentAt: now()) }

  // MARK: Waiting

  /// How often the store is asked whether it has changed.
  private static let interval = Duration.milliseconds(250)

  private mutating func awaited(_ time: Duration, wantsChanges: Bool) throws -> DialogueEvent {
    let end = deadline(time)
    while true {
      let next = wantsChanges ? min(end, deadline(Self.interval)) : end
      switch try channel.receive(until: next) {
      case .line(let line):
        if let event = event(line) { return event }
      case .tooLong: return .unreadable(.tooLarge(limit: limits.message))
      case .end: return .closed
      case .timeOut:
        if wantsChanges, try store.hasChanged() { return .changed }
        if next == end { return .timedOut }
      }
    }
  }

  /// Nil for a blank line; what a connection that was cut has left of a message is its end.
  private func event(_ line: [UInt8]) -> DialogueEvent? {
    if line.allSatisfy({ $0 == 32 || $0 == 9 }) { return nil }
    do throws(MessageError) {
      return .message(try Message(parsing: line.span))
    } catch {
      if case .json(let error) = error, error.code == .unexpectedEnd, channel.hasEnded { return .closed }
      return .unreadable(error)
    }
  }
}

extension UUIDText {
  /// A random UUID (RFC 9562, version 4).
  fileprivate static func random() -> UUIDText {
    let high = UInt64.random(in: .min ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = UInt64.random(in: .min ... .max) >> 2 | 1 << 63
    let digits = [high, low].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var rest = digits[...]
    let parts = [8, 4, 4, 4, 12].map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }
    guard let uuid = UUIDText(parts.joined(separator: "-")) else { preconditionFailure("32 hex digits") }
    return uuid
  }
}
