import Crypto
import JSONLines
import Links
@testable import Store
import SyncCore
import TestSupport

/// One side of a session, played by the real code against the bytes that the vector has of the other side.
struct SessionReplay {
  private let vector: SessionVector
  private let side: SessionVector.Side
  private let peer: SessionVector.Side
  private let stamps: [MessageStamp]
  private var dialogue: Dialogue
  private var store: PeerStore
  private var frames = FrameExchange(limit: 16 << 20)
  private(set) var sent: [[UInt8]] = []
  private(set) var end: DialogueEnd?

  /// The present of the stores; no clock that they read is later.
  private static let now = Instant("2026-01-01T08:00:00Z")!

  init(_ vector: SessionVector, side number: Int) throws {
    self.vector = vector
    (side, peer) = (vector.sides[number], vector.sides[1 - number])
    stamps = try vector.messages(by: side).compactMap(\.message).map { text in
      let bytes = Array(text.utf8)
      let message = try Message(parsing: bytes.span)
      return MessageStamp(id: message.id, sentAt: message.sentAt)
    }
    let history = try Self.store(side)
    let shape = try history.rules()
    store = PeerStore(history, shape, maximumDrift: .seconds(300)) { Self.now }
    let settings = DialogueSettings(
      role: number == 0 ? .connector(.both) : .acceptor, version: .two, ownId: side.peerId,
      ownName: side.deviceName, peerId: peer.peerId, shared: try history.sharedRules { try $0.rulesDigest() })
    dialogue = Dialogue(settings!, wire: WireCodec(shape ?? RecordShape(), types: WireTypes()))
  }

  /// A store in memory as it is before the session.
  private static func store(_ side: SessionVector.Side) throws -> ChangeStore {
    let store = try ChangeStore(inMemory: RepeatedByte(value: [UInt8](hex: side.randomByte)[0]))
    guard let rules = side.before.rules else { return store }
    let shape = try RecordShape(rules: Array(rules.utf8).span)
    try store.write { try store.setRules(shape) }
    try put(side.before.changes, into: store)
    return store
  }

  private static func put(_ lines: [String], into store: ChangeStore) throws {
    let shape = try store.rules() ?? RecordShape()
    try store.write {
      var (intake, reader) = (try LocalIntake(store, shape, now: now), LineReader(shape))
      for line in lines {
        var key: [UInt8] = []
        let bytes = Array(line.utf8)
        let change = try reader.read(bytes.span, key: &key)
        _ = try intake.put(key.span, bytes.span, change)
      }
    }
  }

  // MARK: Playing

  /// Plays all of the session; a frame that cannot be read ends it.
  mutating func run() throws {
    try handle(.start)
    for step in vector.steps {
      if let change = step.change, step.by == side.deviceName { try Self.put([change], into: store.store) }
      guard let frame = step.frame, step.by == peer.deviceName else { continue }
      let bytes = [UInt8](hex: frame)
      frames.append(bytes.span)
      guard case .message(let message)? = frames.next() else { return }
      try handle(.message(message))
    }
    if end == nil { try handle(.closed) }
  }

  private mutating func handle(_ first: DialogueEvent) throws {
    var event = first
    while true {
      let spare = MessageStamp(id: UUIDText(random: [UInt8](repeating: 0, count: 16)), sentAt: .epoch)
      let step = dialogue.handle(event, sent.count < stamps.count ? stamps[sent.count] : spare)
      if let message = step.message { send(message) }
      switch step.next {
      case .store(let request): event = .store(try store.answer(request, aboutPeer: peer.peerId))
      case .end(let end): return self.end = end
      default: return
      }
    }
  }

  private mutating func send(_ message: Message) {
    frames.send(message)
    sent.append(frames.take(.max >> 1))
  }

  /// What the store holds now.
  func state() throws -> SessionVector.State {
    var changes: [String] = []
    let (history, peer) = (store.store, try store.known(peer.peerId))
    _ = try history.changes(after: nil, for: nil, leavingOutEcho: false, limits: .init()) { line in
      var bytes: [UInt8] = []
      bytes.append(line)
      changes.append(String(decoding: bytes, as: UTF8.self))
    }
    return SessionVector.State(
      rules: try history.rules().map { String(decoding: $0.rules, as: UTF8.self) }, changes: changes,
      checkpoint: try peer.flatMap { try history.checkpoint($0, .outgoing) },
      acknowledged: try peer.flatMap { try history.checkpoint($0, .incoming) })
  }
}

/// Random numbers of which every byte is the same, however many are drawn.
private struct RepeatedByte: RandomNumberGenerator {
  var value: UInt8

  mutating func next() -> UInt64 { 0x0101_0101_0101_0101 * UInt64(value) }
}
