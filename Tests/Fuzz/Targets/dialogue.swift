import Captures
import Drawings
import JSONLines
import SyncCore

/// Messages read back the same and can be drawn in any width, and both sides of a dialogue accept any of them
/// in any state.
///
/// The first byte chooses version, role and the store's answers; each line is a message, or otherwise an
/// event.
func fuzzDialogue(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let lines = bytes.dropFirst().split(separator: 10).map { Array($0) }
  draw(lines, width: Int(choice))
  for line in lines { checkMessage(line) }
  guard var side = Side(choice) else { return }
  side.handle(.start)
  for line in lines where !side.isOver { side.handle(line) }
  side.handle(.closed)
}

/// Checks the lines as `frame draw` does, and draws them.
private func draw(_ lines: [[UInt8]], width: Int) {
  var checks = ConversationChecks()
  var drawings = ConversationDrawings(lines: 1...Int.max, showsContent: width % 2 == 1)
  for (number, line) in lines.enumerated() {
    do throws(ConversationLine.Failure) {
      let found = try ConversationLine(line.span)
      let findings = checks.check(line.span, found.message, of: found.place.stream)
      drawings.add(line.span, number + 1, .message(found, findings), stream: found.place.stream, of: nil)
    } catch {
      guard case .lost(let place, let bytes) = error else { continue }
      drawings.add(line.span, number + 1, .lost(place, bytes), stream: place.stream, of: nil)
    }
  }
  _ = ConversationText(width: width, isColored: false).text(drawings)
  _ = ConversationSVG(drawings).text
}

private func checkMessage(_ line: [UInt8]) {
  guard let message = try? Message(parsing: line.span) else { return }
  let text = message.line
  guard let again = try? Message(parsing: text.span) else { fatalError("a message that is written is read") }
  require(again.line == text, "a message is written in one way")
}

/// One side of a dialogue with a store that gives what the input says.
private struct Side {
  private var dialogue: Dialogue
  private let choice: UInt8
  private var numbers = SplitMix64(seed: 1)
  private(set) var isOver = false

  init?(_ choice: UInt8) {
    let version = choice & 1 == 0 ? ProtocolVersion.two : .one
    let role: DialogueSettings.Role =
      choice & 2 == 0 ? .acceptor : .connector(DialogueSettings.Direction.allCases[Int(choice >> 2) % 3])
    let digest = String(repeating: "0", count: 64)
    guard
      var settings = DialogueSettings(
        role: role, version: version, ownId: "a", ownName: "A", peerId: "b",
        shared: choice & 128 == 0
          ? SharedRules(RecordShape(), digest: digest, entities: StoredEntities()) : nil)
    else { return nil }
    settings.waitSeconds = choice & 64 == 0 ? 0 : 60
    settings.window = choice & 16 == 0 ? 1 : 3
    dialogue = Dialogue(settings, wire: WireCodec(RecordShape(), types: WireTypes()))
    self.choice = choice
  }

  /// A message in reply to whatever was said last, or something that happens.
  mutating func handle(_ line: [UInt8]) {
    if let message = try? Message(parsing: line.span) { return handle(.message(message)) }
    switch line.first {
    case UInt8(ascii: "c"): handle(.changed)
    case UInt8(ascii: "t"): handle(.timedOut)
    default: handle(.unreadable(.notAnObject))
    }
  }

  mutating func handle(_ event: DialogueEvent) {
    var event = event
    while !isOver {
      let id = UUIDText(random: (0..<16).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
      // The ids of the replies in the corpus.
      let fixed = UUIDText("6F2C9A4E-0000-4000-8000-000000000001") ?? id
      let step = dialogue.handle(event, MessageStamp(id: choice & 128 == 0 ? fixed : id, sentAt: .epoch))
      if let message = step.message { checkMessage(message.line) }
      switch step.next {
      case .store(let request): event = .store(answer(request))
      case .end: isOver = true
      case .receive, .awaitChange, .rest: return
      }
    }
  }

  private func answer(_ request: StoreRequest) -> StoreAnswer {
    switch request {
    case .checkpoint: return .checkpoint(choice & 32 == 0 ? nil : [1, 2])
    case .page:
      let line = Array(#"{"id":"1","updatedAt":"2025-01-01T00:00:00Z","i\\":1}"#.utf8) + [10]
      return .page(.page(StorePage(lines: line, token: [65, 66], hasMore: choice & 16 != 0)))
    case .apply(let page):
      for line in page.lines.split(separator: 10) {
        var (reader, key) = (LineReader(RecordShape()), [UInt8]())
        _ = try? reader.read(Array(line).span, key: &key)
      }
      return .applied(.applied(quarantined: page.unusable.count))
    case .acknowledge: return .acknowledged
    case .disownChanges: return .disowned
    }
  }
}
