import JSONLines
import SyncCore

/// A dialogue driven by hand: the result of each event.
struct DialogueScenario {
  /// One line of the table.
  struct Walked: Hashable, CustomStringConvertible {
    var row: String
    var from: String
    var sends: String
    var wants: String
    var to: String

    var description: String { [row, from, sends, wants, to].joined(separator: " | ") }
  }

  private(set) var dialogue: Dialogue
  private(set) var walked: [Walked] = []
  private(set) var steps: [DialogueStep] = []
  /// The clock of this side.
  var now = Instant(seconds: 1_767_225_600)!

  static let own = "6f2c9a4e-0000-4000-8000-000000000001"
  static let peer = "6f2c9a4e-0000-4000-8000-000000000002"
  static let rules = String(repeating: "a", count: 64)

  /// Tasks with an `id`.
  private static var entities: StoredEntities {
    var entities = StoredEntities()
    let key = Array(#"["Task",{"id":"1"}]"#.utf8)
    entities.note(key.span)
    return entities
  }

  init(
    _ role: DialogueSettings.Role, version: ProtocolVersion = .two, waitSeconds: Int = 0,
    asksBack: Bool = false, window: Int = 1
  ) {
    var settings = DialogueSettings(
      role: role, version: version, ownId: Self.own, ownName: "Mac", peerId: Self.peer,
      shared: SharedRules(RecordShape(), digest: Self.rules, entities: Self.entities))!
    (settings.waitSeconds, settings.window) = (waitSeconds, window)
    (settings.asksBack, settings.lingerSeconds) = (asksBack, 5)
    dialogue = Dialogue(settings, wire: WireCodec(RecordShape(), types: WireTypes()))
  }

  /// The step of event n, from 1, sends the message with the id n.
  static func id(_ number: Int) -> UUIDText {
    UUIDText("00000000-0000-4000-8000-" + String(String(1_000_000_000_000 + number).suffix(12)))!
  }

  /// Takes an event, and returns the next wanted event.
  @discardableResult
  mutating func handle(_ event: DialogueEvent) -> DialogueStep.Next {
    let from = dialogue.state.name
    let stamp = MessageStamp(id: Self.id(steps.count + 1), sentAt: now)
    let step = dialogue.handle(event, stamp)
    steps.append(step)
    walked.append(
      Walked(
        row: step.row.rawValue, from: from, sends: Self.name(step.message), wants: Self.name(step.next),
        to: dialogue.state.name))
    return step.next
  }

  /// A message of the other side, in reply to this side's last one.
  @discardableResult
  mutating func hear(_ body: Message.Body, replyTo: UUIDText? = nil) -> DialogueStep.Next {
    handle(.message(message(body, replyTo: replyTo ?? steps.last { $0.message != nil }?.message?.id)))
  }

  func message(_ body: Message.Body, version: ProtocolVersion? = nil, replyTo: UUIDText? = nil) -> Message {
    Message(
      id: Self.id(1_000 + steps.count), version: version ?? dialogue.settings.version,
      sentAt: Instant(seconds: 1_767_225_600)!, inReplyTo: replyTo, body: body)
  }

  // MARK: Errors reported by the other side

  static func request(
    since: [UInt8]? = nil, waitSeconds: Int = 0, rules: String = rules, entities: String? = nil,
    window: Int = 1
  ) -> Message.Body {
    var request = SyncRequest(peerId: peer, deviceName: "Phone", since: since, rulesDigest: rules)
    (request.waitSeconds, request.window) = (waitSeconds, window)
    request.facts = entities.flatMap { try? JSONValue(parsing: Array($0.utf8).span) }
      .flatMap(StoredEntities.init).map { .init(mergeRules: Array("{}".utf8), entities: $0) }
    return .syncRequest(request)
  }

  static func response(
    _ token: [UInt8] = [1], _ lines: String = "{}\n", hasMore: Bool = false, continues: Bool = false,
    resync: ResyncFacts? = nil
  ) -> Message.Body {
    var response = SyncResponse(
      peerId: peer, deviceName: "Phone", content: .lines(Array(lines.utf8)), token: token, hasMore: hasMore,
      resync: resync)
    response.continues = continues
    return .syncResponse(response)
  }

  /// A response of version 1.
  static var delta: Message.Body {
    let delta = Array(#"{"upserts":[],"deletes":[],"newTokenData":"AQ=="}"#.utf8)
    return .syncResponse(
      SyncResponse(peerId: peer, deviceName: "Phone", content: .delta(delta), token: [1]))
  }

  static func ack(_ token: [UInt8] = [], yourTurn: Bool = false) -> Message.Body {
    .ack(SyncAck(peerId: peer, token: token, yourTurn: yourTurn))
  }

  static func error(_ code: PeerErrorCode) -> Message.Body { .error(PeerError(code, "x")) }

  static func page(
    _ text: String = "{}\n", hasMore: Bool = false, token: [UInt8] = [7]
  ) -> DialogueEvent {
    .store(.page(.page(StorePage(lines: Array(text.utf8), token: token, hasMore: hasMore))))
  }

  // MARK: Names

  private static func name(_ message: Message?) -> String {
    switch message?.body {
    case nil: "–"
    case .ack(let ack): "ack" + (ack.token.isEmpty ? " empty" : "") + (ack.yourTurn ? " yourTurn" : "")
    case .error(let error): "error \(error.code)"
    case .syncRequest(let request):
      "syncRequest" + (request.since == nil ? "" : " since") + (request.resync ? " resync" : "")
        + (request.waitSeconds > 0 ? " wait" : "")
    case .syncResponse(let response): "syncResponse" + (response.continues ? " continues" : "")
    default: message?.kind.rawValue ?? "–"
    }
  }

  private static func name(_ next: DialogueStep.Next) -> String {
    switch next {
    case .receive: "message"
    case .awaitChange: "change"
    case .rest: "time"
    case .store(.checkpoint): "store: checkpoint"
    case .store(.page): "store: page"
    case .store(.apply): "store: apply"
    case .store(.acknowledge): "store: acknowledge"
    case .store(.disownChanges): "store: disown"
    case .end(let end): "end \(end.status)"
    }
  }
}
