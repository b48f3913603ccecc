import JSONLines
import SyncCore

/// Two sides and a pipe between them that can break.
struct DialoguePipe {
  struct Side {
    var store: MemoryStore
    var dialogue: Dialogue
    var next = DialogueStep.Next.receive(extraSeconds: 0, wantsChanges: false)
    var inbox: [[UInt8]] = []
    var end: DialogueEnd?
  }

  var sides: [Side]
  /// Every message that was sent, and its sender.
  private(set) var sent: [(side: Int, line: [UInt8])] = []
  private(set) var rows: Set<DialogueRow> = []
  /// After this number of messages the connection ends, and the next message is lost.
  var breaksAfter = Int.max
  /// Called when both sides wait; if it does nothing, time passes.
  var onIdle: (inout DialoguePipe) -> Void = { _ in }
  private var stamps = 0

  init(
    _ connector: MemoryStore, _ acceptor: MemoryStore, direction: DialogueSettings.Direction = .both,
    version: ProtocolVersion = .two, pageLimit: Int = 4 << 20, waitSeconds: Int = 0, window: Int = 1
  ) {
    sides = [
      (connector, acceptor, DialogueSettings.Role.connector(direction)), (acceptor, connector, .acceptor),
    ]
    .map { own, other, role in
      var settings = DialogueSettings(
        role: role, version: version, ownId: own.id, ownName: own.id, peerId: other.id,
        shared: SharedRules(
          RecordShape(), digest: String(repeating: "a", count: 64), entities: StoredEntities()))!
      settings.pageLimit = pageLimit
      (settings.waitSeconds, settings.window) = (waitSeconds, window)
      settings.asksBack = version == .one && direction == .both
      return Side(
        store: own, dialogue: Dialogue(settings, wire: WireCodec(RecordShape(), types: WireTypes())))
    }
  }

  var ends: [DialogueEnd?] { sides.map(\.end) }
  var isBroken: Bool { sent.count >= breaksAfter }

  /// Runs until both sides have ended.
  mutating func run() {
    for index in sides.indices { deliver(.start, to: index) }
    var rounds = 0
    while sides.contains(where: { $0.end == nil }), rounds < 10_000 {
      rounds += 1
      if !advance() { idle() }
    }
    precondition(rounds < 10_000, "the dialogue does not end")
  }

  mutating func deliver(_ event: DialogueEvent, to index: Int) {
    stamps += 1
    let id = UUIDText("00000000-0000-4000-8000-" + String(String(1_000_000_000_000 + stamps).suffix(12)))!
    let sentAt = Instant(seconds: 1_767_225_600 + Int64(stamps))!
    let step = sides[index].dialogue.handle(event, MessageStamp(id: id, sentAt: sentAt))
    rows.insert(step.row)
    if let message = step.message {
      if !isBroken { sides[1 - index].inbox.append(message.line) }
      sent.append((index, message.line))
    }
    sides[index].next = step.next
    if case .end(let end) = step.next { sides[index].end = end }
  }

  /// One event for a side that has one; false if both wait.
  private mutating func advance() -> Bool {
    // The acceptor first where it may send pages ahead.
    let first = sides[0].dialogue.settings.window > 1 ? 1 : 0
    for index in [first, 1 - first] where sides[index].end == nil {
      if case .store(let request) = sides[index].next {
        let peer = sides[index].dialogue.settings.peerId
        let answer = sides[index].store.answer(request, aboutPeer: peer)
        deliver(.store(answer), to: index)
        return true
      }
      if !sides[index].inbox.isEmpty {
        let line = sides[index].inbox.removeFirst()
        deliver(event(line), to: index)
        return true
      }
      if isBroken || sides[1 - index].end != nil {
        deliver(.closed, to: index)
        return true
      }
    }
    return false
  }

  private func event(_ line: [UInt8]) -> DialogueEvent {
    do throws(MessageError) {
      return .message(try Message(parsing: line.span))
    } catch {
      return .unreadable(error)
    }
  }

  /// Both wait: something changes, or time passes.
  private mutating func idle() {
    let before = sent.count
    onIdle(&self)
    if sides.contains(where: { $0.end != nil }) || sent.count > before
      || sides.contains(where: { if case .store = $0.next { true } else { false } })
    {
      return
    }
    for index in sides.indices {
      switch sides[index].next {
      case .awaitChange, .rest: return deliver(.timedOut, to: index)
      default: continue
      }
    }
    for index in sides.indices where sides[index].end == nil { deliver(.timedOut, to: index) }
  }
}
