import Crypto
import Foundation
import JSONLines
import PeerProtocol
import PeerSync
import SyncCore
import TestSupport
import Testing

/// A store of an app, in memory: its lines in the order in which they came.
private struct MemoryStore: DialogueStore {
  typealias Failure = SyncError
  let rules: ChangeRules
  var lines: [(line: [UInt8], origin: String?)] = []
  var checkpoints: [String: [UInt8]] = [:]
  var acknowledged: [String: [UInt8]] = [:]

  func checkpoint(onPeer peer: String) -> [UInt8]? { checkpoints[peer] }
  func acknowledged(byPeer peer: String) -> [UInt8]? { acknowledged[peer] }
  mutating func acknowledge(_ token: [UInt8], byPeer peer: String) { acknowledged[peer] = token }

  func page(_ request: PageRequest, forPeer peer: String) -> PageAnswer {
    let start = request.since.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    guard start <= lines.count else { return .tokenForeign }
    let changes = lines[start...].filter { request.isResync || $0.origin != peer }.flatMap(\.line)
    return .page(StorePage(lines: changes, token: Array("\(lines.count)".utf8)))
  }

  mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws(SyncError) -> ApplyAnswer {
    let known = Set(lines.map(\.line))
    for line in try rules.merge(lines.map(\.line) + [page.lines]).split(separator: 10) {
      if !known.contains(line + [10]) { lines.append((line + [10], peer)) }
    }
    if !page.token.isEmpty { checkpoints[peer] = page.token }
    return .applied(quarantined: 0)
  }

  mutating func disownChanges(fromPeer peer: String) {
    for index in lines.indices where lines[index].origin == peer { lines[index].origin = nil }
  }
}

/// The protocol as values, with the stores of the tools and against attackers.
@Suite struct PeerProtocolTests {
  private static let now = Instant("2026-01-01T00:00:00Z") ?? .wallTime
  private let peers = ["Phone", "Laptop"].enumerated().map { number, name in
    Peer(
      id: "6f1b2c3d-0000-4000-8000-00000000000\(number)", name: name,
      keyFingerprint: String(repeating: "\(number)f", count: 32))
  }
  @Sendable private static func salt() -> [UInt8] { (0..<16).map { _ in .random(in: 0...255) } }

  /// The digest of `{}`, which no other rules have.
  private static let digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"

  @Test func anAppsOwnStoreMeetsThatOfTheTools() throws {
    let folder = try TemporaryFolder()
    let device = try SyncDevice(in: folder.path("laptop"), named: "Laptop")
    let store = try RecordStore(folder.path("store.db"), entityName: "Task")
    try store.put(Array("{\"id\":\"1\",\"title\":\"Milk\"}\n{\"id\":\"2\"}\n".utf8))
    let rules = try ChangeRules()
    var own = MemoryStore(rules: rules)
    let line =
      #"{"entityName":"Task","identity":{"id":"3"},"modifiedAt":"2026-01-01T00:00:00Z","fields":{"id":"3"}}"#
    own.lines = [(Array((line + "\n").utf8), nil)]
    for round in 0..<2 {
      var one = PeerDialogue(
        of: peers[0], with: Peer(device), over: own,
        agreement: StoreAgreement(rules, digest: Self.digest, entities: ["Task": [["id"]]]), beginning: true,
        now: { .wallTime }, random: Self.salt)
      var two = try SyncDialogue(device, with: peers[0], over: store, beginning: false)
      var replies = [try two.begin(), try one.begin()]
      var ends: [DialogueReply.Next] = [.done, .done]
      var waiting = replies.removeLast().messages.map { (to: 1, message: $0) }
      while !waiting.isEmpty {
        let (side, message) = waiting.removeFirst()
        let reply = try side == 0 ? one.receive(message) : two.receive(message)
        waiting += reply.messages.map { (to: 1 - side, message: $0) }
        ends[side] = reply.next
      }
      ends[1] = try two.close().next
      #expect(ends == [.done, .done])
      own = one.store
      #expect(own.lines.count == 3, "round \(round)")
    }
    #expect(String(decoding: try store.records(), as: UTF8.self).split(separator: "\n").count == 3)
  }

  // MARK: Pairing

  private struct Course {
    var trusted = [TrustedPeers(), TrustedPeers()]
    var ends: [PeerPairing.Next] = [.message, .message]
    var session: [UInt8] = []
    var asked = 0
    var trustsNobody: Bool { trusted.allSatisfy { $0.peers.isEmpty } }
  }

  /// Pairs over one connection, which the two sides may see in different ways.
  private func pair(
    _ codes: [PairingCode], exporters: [[UInt8]], session: [UInt8]? = nil, declining: Bool = false,
    at now: Instant = now
  ) throws -> Course {
    var course = Course()
    var sides = try (0...1).map { side in
      try PeerPairing(
        side == 0 ? .showing : .reading, codes[side], of: peers[side],
        over: .init(exporter: exporters[side], peerKey: peers[1 - side].keyFingerprint),
        session: side == 0 ? session : nil,
        hmac: { key, message in (try? Digest.hmacSHA256(key: key.span, message: message.span)) ?? [] },
        random: Self.salt)
    }
    var waiting: [(to: Int, message: [UInt8])] = []
    func handle(_ step: PeerPairing.Step, of side: Int) throws {
      if let peer = step.trusts { try course.trusted[side].trust(peer, of: peers[side], at: now) }
      course.ends[side] = step.next
      guard step.asks == nil || !declining else {
        waiting.append((1 - side, sides[side].decline(now: now)))
        return
      }
      if step.asks != nil { course.asked += 1 }
      waiting += step.messages.map { (1 - side, $0) }
    }
    for side in 0...1 { try handle(sides[side].begin(knowing: course.trusted[side], now: now), of: side) }
    while !waiting.isEmpty {
      let (side, message) = waiting.removeFirst()
      try handle(sides[side].receive(message, knowing: course.trusted[side], now: now), of: side)
    }
    course.session = sides[0].session
    return course
  }

  private func code(until end: Duration = .seconds(300)) throws -> PairingCode {
    try PairingCode(
      showing: peers[0], session: Self.salt(), secret: Self.salt(), now: Self.now,
      expiresAt: Self.now.advanced(by: end))
  }

  @Test func bothTrustEachOtherOnceTheUserHasSaidYes() throws {
    let (code, exporter) = (try code(), Self.salt() + Self.salt())
    let course = try pair([code, PairingCode(code.text, now: Self.now)], exporters: [exporter, exporter])
    #expect(course.ends == [.done, .done] && course.asked == 1)
    #expect(course.trusted[0].peers == [peers[1]] && course.trusted[1].peers == [peers[0]])
    #expect(try TrustedPeers(course.trusted[0].text).peer(withKey: peers[1].keyFingerprint) == peers[1])
    let declined = try pair([code, code], exporters: [exporter, exporter], declining: true)
    #expect(declined.trustsNobody)
    #expect(throws: SyncError.self) { try PairingCode(code.text, now: Self.now.advanced(by: .seconds(300))) }
  }

  @Test func whoDoesNotKnowTheCodeOrSitsInBetweenIsTrustedByNobody() throws {
    let (code, exporter) = (try code(), Self.salt() + Self.salt())
    let other = try self.code()
    for (codes, exporters) in [
      ([code, other], [exporter, exporter]), ([code, code], [exporter, Self.salt() + Self.salt()]),
    ] {
      let course = try pair(codes, exporters: exporters)
      #expect(course.trustsNobody && course.asked == 0)
      for end in course.ends {
        guard case .failed = end else {
          Issue.record("\(end)")
          continue
        }
      }
    }
  }

  @Test func threeWrongTriesEndACodeOverAllConnections() throws {
    let (code, exporter) = (try code(), Self.salt() + Self.salt())
    var session: [UInt8]?
    for _ in 0..<3 {
      session = try pair([code, code], exporters: [exporter, Self.salt() + Self.salt()], session: session)
        .session
    }
    let late = try pair([code, code], exporters: [exporter, exporter], session: session)
    #expect(late.trustsNobody)
    #expect(throws: SyncError.self) {
      try pair([self.code(), code], exporters: [exporter, exporter], session: session)
    }
  }

  @Test func whatIsNoMessageIsAnError() throws {
    for text in ["", "{}", #"{"protocolVersion":3}"#, "\u{0}"] {
      #expect(throws: SyncError.self) { try PeerMessage(Array(text.utf8)) }
    }
    #expect(throws: SyncError.self) { try TrustedPeers(Array("{}\n".utf8)) }
    var list = TrustedPeers()
    let error = #expect(throws: SyncError.self) { try list.trust(peers[0], of: peers[0], at: Self.now) }
    #expect(error?.code == .untrustedPeer)
  }
}
