import JSONLines
import PeerProtocol
import PeerSync
import SyncCore
import TestSupport
import Testing

/// A store of an app, in memory: the one of docs/library.md.
private struct MemoryStore: DialogueStore {
  typealias Failure = SyncError
  let rules: ChangeRules
  /// Distinguishes the tokens of this store from those of others.
  let id = UInt64.random(in: 0...(.max))
  /// Change lines with their line feeds, each with its origin.
  var lines: [(line: [UInt8], origin: String?)] = []
  /// The rules of the other side.
  var theirs: [UInt8]?
  var checkpoints: [String: [UInt8]] = [:]
  var acknowledged: [String: [UInt8]] = [:]

  func checkpoint(onPeer peer: String) -> [UInt8]? { checkpoints[peer] }
  func acknowledged(byPeer peer: String) -> [UInt8]? { acknowledged[peer] }
  mutating func acknowledge(_ token: [UInt8], byPeer peer: String) { acknowledged[peer] = token }
  func token(_ end: Int) -> [UInt8] { Array("\(id) \(end)".utf8) }

  func page(_ request: PageRequest, forPeer peer: String) -> PageAnswer {
    let since = String(decoding: request.since ?? token(0), as: UTF8.self).split(separator: " ")
    guard since.count == 2, since[0] == "\(id)", let start = Int(since[1]), (0...lines.count).contains(start)
    else { return .tokenForeign }
    // The peer still has the changes that it sent only if it knows how far this store has read.
    let hasOwn = request.acked != nil && request.acked == checkpoints[peer]
    var (end, changes) = (start, [UInt8]())
    for (line, origin) in lines[start...] {
      if !hasOwn || origin != peer {
        if !changes.isEmpty, changes.count + line.count > request.limit ?? .max { break }
        changes += line
      }
      end += 1
    }
    var page = StorePage(lines: changes, token: token(end), hasMore: end < lines.count)
    if request.isResync { page.resync = ResyncFacts(heldToken: checkpoints[peer] ?? []) }
    if request.wantsRules { page.rules = rules.mergeRules }
    return .page(page)
  }

  mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws(SyncError) -> ApplyAnswer {
    let known = Set(lines.map(\.line))
    let changes = page.lines.split(separator: 10).map { $0 + [10] }
    // A change that cannot be read must not stop the others.
    let usable = changes.filter { (try? rules.merge([Array($0)])) != nil }
    // Lines that lost stay: merging them again does not change the result.
    for line in try rules.merge([lines.flatMap(\.line), usable.flatMap(\.self)]).split(separator: 10) {
      let line = Array(line) + [10]
      if !known.contains(line) { lines.append((line, peer)) }
    }
    theirs = page.profile ?? theirs
    if !page.token.isEmpty { checkpoints[peer] = page.token }
    return .applied(quarantined: changes.count - usable.count)
  }

  mutating func disownChanges(fromPeer peer: String) {
    for index in lines.indices where lines[index].origin == peer {
      lines.append((lines[index].line, nil))
      lines[index] = ([], nil)
    }
  }
}

/// The dialogue as a value, with an app's own store.
@Suite struct PeerDialogueTests {
  private let peers = ["Phone", "Laptop"].enumerated().map { number, name in
    Peer(
      id: "6f1b2c3d-0000-4000-8000-00000000000\(number)", name: name,
      keyFingerprint: String(repeating: "\(number)f", count: 32))
  }
  private let folder: TemporaryFolder
  private let device: SyncDevice
  private let store: RecordStore

  /// The digest of `{}`, which no other rules have.
  private static let digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
  @Sendable private static func salt() -> [UInt8] { (0..<16).map { _ in .random(in: 0...255) } }

  init() throws {
    folder = try TemporaryFolder()
    device = try SyncDevice(in: folder.path("laptop"), named: "Laptop")
    store = try RecordStore(folder.path("store.db"), entityName: "Task")
  }

  private func change(_ id: String, _ title: String? = nil) -> [UInt8] {
    let title = title.map { #","title":"\#($0)""# } ?? ""
    return Array(
      #"{"entityName":"Task","identity":{"id":"\#(id)"},"modifiedAt":"2026-01-01T00:00:00Z","fields":{"id":"\#(id)"\#(title)}}"#
        .utf8) + [10]
  }

  private func dialogue(
    _ side: Int, with peer: Peer? = nil, over store: MemoryStore, agreement: StoreAgreement? = nil,
    pageSize: Int = 1
  ) -> PeerDialogue<MemoryStore> {
    PeerDialogue(
      of: peers[side], with: peer ?? peers[1 - side], over: store, agreement: agreement, beginning: side == 0,
      pageSize: pageSize, now: { .wallTime }, random: Self.salt)
  }

  /// Carries messages from the side that begins until nobody has one more.
  private func carry(
    _ first: DialogueReply, _ one: ([UInt8]) throws -> DialogueReply, _ two: ([UInt8]) throws -> DialogueReply
  ) throws {
    var waiting = first.messages.map { (to: 1, message: $0) }
    while !waiting.isEmpty {
      let (side, message) = waiting.removeFirst()
      let reply = try side == 0 ? one(message) : two(message)
      waiting += reply.messages.map { (to: 1 - side, message: $0) }
    }
  }

  @Test(arguments: [1, 1 << 18]) func anAppsOwnStoreMeetsThatOfTheTools(pageSize: Int) throws {
    try store.put(Array("{\"id\":\"1\",\"title\":\"Milk\"}\n{\"id\":\"2\"}\n".utf8))
    let rules = try ChangeRules()
    let agreement = StoreAgreement(rules, digest: Self.digest, entities: ["Task": [["id"]]])
    var own = MemoryStore(rules: rules)
    own.lines = [(change("3"), nil), (change("4"), nil)]
    for round in 0..<2 {
      var one = dialogue(0, with: Peer(device), over: own, agreement: agreement, pageSize: pageSize)
      var two = try SyncDialogue(device, with: peers[0], over: store, beginning: false, pageSize: pageSize)
      _ = try two.begin()
      try carry(try one.begin(), { try one.receive($0) }, { try two.receive($0) })
      #expect(try [one.close().next, two.close().next] == [.done, .done])
      own = one.store
      #expect(own.lines.count == 4, "round \(round)")
    }
    #expect(String(decoding: try store.records(), as: UTF8.self).split(separator: "\n").count == 4)
  }

  /// A store without rules gets those of the other side.
  @Test func theOtherSidesRulesAreAProfile() throws {
    try store.put(Array("{\"id\":\"1\"}\n".utf8))
    var one = dialogue(0, with: Peer(device), over: MemoryStore(rules: try ChangeRules()))
    var two = try SyncDialogue(device, with: peers[0], over: store, beginning: false)
    _ = try two.begin()
    try carry(try one.begin(), { try one.receive($0) }, { try two.receive($0) })
    let profile = try String(decoding: #require(one.store.theirs), as: UTF8.self)
    #expect(profile == #"{"entityName":"Task"}"#)
    #expect(try ChangeRules(profile: profile).mergeRules == Array("{}".utf8))
    let copy = try RecordStore(folder.path("copy.db"), profile: profile)
    try copy.put(Array("{\"id\":\"1\"}\n".utf8))
    #expect(try String(decoding: copy.changes(after: nil).lines, as: UTF8.self).contains(#""Task""#))
  }

  /// One of the two has rules by which a change of the other cannot be read, and has read another store.
  @Test func changesThatCannotBeAppliedAreCountedOnBothSides() throws {
    let strict = try ChangeRules(profile: #"{"entities":{"Task":{"required":"/title"}}}"#)
    var stores = [MemoryStore(rules: strict), MemoryStore(rules: try ChangeRules())]
    stores[0].lines = [(change("1", "Milk"), nil), (change("5", "Salt"), peers[1].id)]
    stores[0].checkpoints[peers[1].id] = Array("\(stores[1].id) -1".utf8)
    stores[1].lines = [(change("2"), nil), (change("3", "Bread"), nil)]
    var sides = [dialogue(0, over: stores[0]), dialogue(1, over: stores[1])]
    #expect(try sides[1].changed().messages.isEmpty, "before it has begun")
    _ = try sides[1].begin()
    var (one, two) = (sides[0], sides[1])
    try carry(try one.begin(), { try one.receive($0) }, { try two.receive($0) })
    _ = try two.close()
    for _ in 0..<2 {
      #expect(
        try [one.close(), two.close(), one.timeOut(), two.timeOut()].map(\.next)
          == Array(repeating: .done, count: 4))
    }
    #expect(one.quarantined == 1 && one.quarantinedThere == 0)
    #expect(two.quarantined == 0 && two.quarantinedThere == 1)
    #expect(
      Set(one.store.lines.map(\.line)).subtracting([[]])
        == Set(["1", "3", "5"].map { change($0, ["1": "Milk", "3": "Bread"][$0] ?? "Salt") }))
    #expect(Set(two.store.lines.map(\.line)).count == 4)
  }

  @Test func aStoreMayHaveMoreChangesThanAMergeHasTexts() throws {
    var store = MemoryStore(rules: try ChangeRules())
    store.lines = (0...65_536).map { (change("\($0)"), nil) }
    var (one, two) = (
      dialogue(0, over: store, pageSize: 1 << 24), dialogue(1, over: store, pageSize: 1 << 24)
    )
    _ = try two.begin()
    try carry(try one.begin(), { try one.receive($0) }, { try two.receive($0) })
    #expect(try two.close().next == .done && two.store.lines.count == 65_537)
  }

  @Test func aPeerThatWaitsGetsAChangeAtOnce() throws {
    try store.put(Array("{\"id\":\"2\"}\n".utf8))
    var dialogue = try SyncDialogue(device, with: peers[0], over: store, beginning: false)
    _ = try dialogue.begin()
    var request = SyncRequest(peerId: peers[0].id, deviceName: "Phone", rulesDigest: Self.digest)
    request.since = StoreToken(try store.changes().token)?.bytes
    request.waitSeconds = 60
    let message = Message(
      id: UUIDText(random: Self.salt()), version: .two, sentAt: .wallTime, body: .syncRequest(request))
    let waits = try dialogue.receive(message.line)
    #expect(waits.messages.isEmpty && waits.next == .message(within: .seconds(60)))
    try store.put(Array("{\"id\":\"1\",\"title\":\"Milk\"}\n".utf8))
    let reply = try dialogue.changed()
    let answer = try PeerMessage(try #require(reply.messages.first))
    #expect(
      answer.kind == .syncResponse && answer.sender == device.id && answer.inReplyTo == message.id.description
    )
    #expect(String(decoding: answer.text, as: UTF8.self).contains("Milk"))
    #expect(try dialogue.changed().messages.isEmpty, "now it waits for the acknowledgement")
  }
}
