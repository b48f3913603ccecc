import Crypto
import Foundation
import JSONLines
import PeerProtocol
import PeerSync
import SyncCore
import TestSupport
import Testing

/// The pairing as values, and against attackers.
@Suite struct PeerProtocolTests {
  private static let now = Instant("2026-01-01T00:00:00Z") ?? .wallTime
  private let peers = ["Phone", "Laptop"].enumerated().map { number, name in
    Peer(
      id: "6f1b2c3d-0000-4000-8000-00000000000\(number)", name: name,
      keyFingerprint: String(repeating: "\(number)f", count: 32))
  }
  @Sendable private static func salt() -> [UInt8] { (0..<16).map { _ in .random(in: 0...255) } }

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
    let short = #expect(throws: SyncError.self) {
      try PairingCode(
        showing: peers[0], session: Array(Self.salt().dropLast()), secret: Self.salt(), now: Self.now,
        expiresAt: Self.now.advanced(by: .seconds(300)))
    }
    #expect(short?.code == .invalidOptionValue)
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
    try list.trust(peers[1], of: peers[0], at: Self.now)
    list.forget(peers[0])
    #expect(list.peers == [peers[1]])
    list.forget(peers[1])
    #expect(list.peers.isEmpty)
  }
}
