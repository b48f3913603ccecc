import Pairing
import SyncCore
import Testing

@Suite struct LapsedPairingTests {
  private let start = Instant("2025-06-01T12:00:00Z")!

  /// One that is good for five minutes, shown so many hours after the start.
  private func session(_ number: UInt8, after hours: Int) -> PairingSession {
    let payload = PairingPayload(
      sessionId: UUIDText(random: [UInt8](repeating: number, count: 16)), expectedPeer: nil,
      secret: PairingSecret("8F0B2C6E51D9A37442E8B05FC1937DA6"), version: .two,
      expiresAt: start.advanced(by: .seconds(hours * 3_600 + 300)), publicKeyFingerprint: nil)
    return PairingSession(payload, .two)
  }

  @Test func aSessionThatNobodyHasPairedInLapsesForADay() {
    var list = PairingSessionList()
    list.store(session(1, after: 0), now: start)
    #expect(list.lapsed(at: start) == nil)
    let id = list.sessions.first?.id
    for seconds in [300, 3_600, 86_400] {
      #expect(list.lapsed(at: start.advanced(by: .seconds(seconds)))?.id == id)
    }
    #expect(list.lapsed(at: start.advanced(by: .seconds(86_401 + 300))) == nil)
  }

  @Test func whoHasPairedSinceOrIsStillWaitingHasNoneThatLapsed() {
    var list = PairingSessionList()
    list.store(session(1, after: 0), now: start)
    list.store(session(2, after: 1), now: start)
    #expect(list.lapsed(at: start.advanced(by: .seconds(3_610))) == nil)
    var paired = session(2, after: 1)
    paired.isDone = true
    list.store(paired, now: start)
    #expect(list.lapsed(at: start.advanced(by: .seconds(7_200))) == nil)
  }

  private func session(_ id: String, boundTo peer: String) throws -> PairingSession {
    let line = """
      {"pairingSessionId":"\(id)","protocolVersion":2,"expiresAt":"2026-01-01T00:05:00.000Z","wrongProofs":0,\
      "boundPeerId":"\(peer)","boundFingerprint":"aa","isDone":true}
      """
    return try PairingSession(parsing: Array(line.utf8).span)
  }

  /// The payload by which a peer has paired must not admit it again once it is forgotten.
  @Test func theSessionsOfAForgottenPeerAreOver() throws {
    let (one, two) = ("6f2c9a4e-0000-4000-8000-000000000001", "6f2c9a4e-0000-4000-8000-000000000002")
    let now = try #require(Instant("2026-01-01T00:00:00Z"))
    var list = PairingSessionList()
    for peer in [one, two] { list.store(try session(peer, boundTo: peer), now: now) }
    #expect(list.sessions.allSatisfy { !$0.isEnded })
    list = list.ending(boundTo: one.uppercased())
    #expect(list.sessions.map(\.isEnded) == [true, false])
    let text = list.text
    let again = try PairingSessionList(parsing: text)
    #expect(again == list)
  }
}
