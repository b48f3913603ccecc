import JSONLines
import Devices
import SyncCore
import Testing

/// Errors of the first apps; docs/formats/mesh.md lists them.
@Suite struct MeshDefectTests {
  private typealias Log = MeshLog

  @Test func sameNamedPeersStayApart() {
    let log = Log(
      Log.found("h1", id: "K1"), Log.found("h2", id: "K2"), Log.state("h2", "connected"), Log.vote("h2", "1"),
      Log.state("h1", "notConnected"), Log.state("h1", "connected"), Log.vote("h1", "2"))
    #expect(
      log.events == [
        "peerDiscovered K1", "peerDiscovered K2", "peerConnected K2", "messageReceived K2 1",
        "peerConnected K1",
        "messageReceived K1 2",
      ])
    #expect(log.errors == [])
  }

  @Test func sameNamedPeersWithoutAnIdStayApart() {
    let log = Log(Log.found("h1"), Log.found("h2"))
    #expect(Set(log.events).count == 2)
    #expect(!log.lines.contains { $0.contains("h1") || $0.contains("h2") })
  }

  @Test func dataBeforeConnectedComesWhenItIs() {
    let log = Log(
      Log.found("h", id: "K"), Log.vote("h", "1"), Log.state("h", "connecting"), Log.vote("h", "2"),
      Log.state("h", "connected"), Log.vote("h", "3"))
    #expect(
      log.events == [
        "peerDiscovered K", "peerConnected K", "messageReceived K 1", "messageReceived K 2",
        "messageReceived K 3",
      ])
  }

  @Test func dataOfAPeerThatNeverConnectsIsReported() {
    let never = Log(Log.found("h", id: "K"), Log.vote("h", "1"), Log.vote("h", "2"))
    #expect(never.events == ["peerDiscovered K"])
    #expect(never.errors == [.unconnectedPeer("Bob", count: 2, reason: "is not connected")])
    let refused = Log(
      Log.found("h", id: "K"), Log.state("h", "connecting"), Log.vote("h", "1"),
      Log.state("h", "notConnected"),
      Log.state("h", "connected"))
    #expect(refused.events == ["peerDiscovered K", "peerDisconnected K", "peerConnected K"])
    #expect(refused.errors == [.unconnectedPeer("Bob", count: 1, reason: "was never connected")])
  }

  /// The attempt of one handle says nothing about the messages of another.
  @Test func anAttemptThatFailsTakesOnlyTheDataOfItsHandle() {
    for state in ["connecting", "connected"] {
      let log = Log(
        Log.found("a", id: "K"), Log.found("b", id: "K"), Log.state("a", "connecting"),
        Log.vote("a", "1"), Log.vote("b", "2"), Log.state("b", "connecting"), Log.state("a", "notConnected"),
        Log.state("b", state), Log.state("b", "connected"))
      #expect(log.events == ["peerDiscovered K", "peerConnected K", "messageReceived K 2"])
      #expect(log.errors == [.unconnectedPeer("Bob", count: 1, reason: "was never connected")])
    }
  }

  @Test func dataAfterTheEndIsReported() {
    let log = Log(Log.state("h", "connected"), Log.state("h", "notConnected"), Log.vote("h", "1"))
    #expect(log.events.count == 2)
    #expect(log.errors == [.unconnectedPeer("Bob", count: 1, reason: "is no longer connected")])
  }

  @Test func aPeerThatIsLostAndConnectedIsStillThere() {
    let log = Log(
      Log.found("h", id: "K"), Log.state("h", "connected"), Log.lost("h"), Log.vote("h", "1"),
      Log.state("h", "notConnected"))
    #expect(
      log.events == [
        "peerDiscovered K", "peerConnected K", "peerLost K", "messageReceived K 1", "peerDisconnected K",
      ])
  }

  @Test func anAttemptThatFailsEndsOnce() {
    let log = Log(
      Log.found("h", id: "K"), Log.state("h", "notConnected"), Log.state("h", "connecting"),
      Log.state("h", "notConnected"), Log.state("h", "notConnected"))
    #expect(log.events == ["peerDiscovered K", "peerDisconnected K"])
    var again = Log()
    for line in log.lines { again.handle(line) }
    #expect(again.lines == log.lines)
  }

  /// If one handle is being connected, or is connected, the attempt of another has no effect on the peer.
  @Test func anAttemptThatFailsIsNoEndWhereAnotherHandleIsThere() {
    for state in ["connected", "connecting"] {
      let log = Log(
        Log.found("a", id: "K"), Log.found("b", id: "K"), Log.state("a", state), Log.state("b", "connecting"),
        Log.state("b", "notConnected"), Log.state("a", "notConnected"))
      #expect(log.events.filter { $0 == "peerDisconnected K" }.count == 1)
      #expect(log.events.last == "peerDisconnected K")
    }
  }

  /// A handle that is found with another id while it is being connected is the other peer's attempt from then on.
  @Test func anAttemptGoesWithItsHandle() {
    let log = Log(
      Log.found("h", id: "K"), Log.state("h", "connecting"), Log.found("h", id: "L"),
      Log.state("h", "notConnected"))
    #expect(log.events == ["peerDiscovered K", "peerLost K", "peerDiscovered L", "peerDisconnected L"])
  }

  @Test func heldDataGoesWithItsHandle() {
    let log = Log(
      Log.state("h", "connecting"), Log.vote("h", "1"), Log.vote("h", "2"), Log.found("h", id: "K"),
      Log.state("h", "connected"))
    #expect(
      log.events == ["peerDiscovered K", "peerConnected K", "messageReceived K 1", "messageReceived K 2"])
    #expect(log.errors == [])
    // Data of another handle stays with the earlier peer. The later peer is connected already.
    let two = Log(
      Log.found("a", id: "K"), Log.found("b", id: "K"), Log.found("c", id: "L"), Log.state("c", "connected"),
      Log.vote("a", "1"), Log.vote("b", "2"), Log.found("a", id: "L"))
    #expect(
      two.events == ["peerDiscovered K", "peerDiscovered L", "peerConnected L", "messageReceived L 1"])
    #expect(two.errors == [.unconnectedPeer("Bob", count: 1, reason: "is not connected")])
  }

  @Test func whatIsSaidTwiceHappensOnce() {
    let log = Log(
      Log.found("h", id: "K"), Log.found("h", id: "K"), Log.state("h", "connected"),
      Log.state("h", "connected"),
      Log.lost("h"), Log.lost("h"), Log.state("h", "notConnected"), Log.state("h", "notConnected"))
    #expect(log.events == ["peerDiscovered K", "peerConnected K", "peerLost K", "peerDisconnected K"])
  }

  /// A restarted device has a new handle while the old one has not been given up: it begins a new session.
  @Test func aPeerIsThereAsLongAsOneOfItsHandlesIs() {
    let log = Log(
      Log.found("old", id: "K"), Log.state("old", "connected"), Log.found("new", id: "K"),
      Log.state("new", "connected"), Log.state("old", "notConnected"), Log.lost("old"), Log.vote("new", "1"))
    #expect(
      log.events == [
        "peerDiscovered K", "peerConnected K", "peerDisconnected K", "peerConnected K", "messageReceived K 1",
      ])
    var again = Log()
    for line in log.lines { again.handle(line) }
    #expect(again.lines == log.lines)
  }

  @Test func unknownSendersMakeNoEvent() {
    let log = Log(Log.vote("h", "1"), Log.lost("h"), Log.state("h", "notConnected"))
    #expect(log.lines == [])
    #expect(log.errors.map(\.code) == [.unknownHandle, .unknownHandle, .unknownHandle])
  }

  @Test(arguments: [
    "", "{}", "[]", "{\"intent\":{}}", "{\"intent\":{\"_0\":{\"vote\":{}}}}", "not JSON",
    "{\"intent\":{\"_0\":{\"vote\":{\"songID\":1}}}}",
    "{\"intent\":{\"_0\":{\"vote\":{\"songID\":\"1\"}}},\"stateUpdate\":{\"_0\":{}}}",
  ])
  func undecodableDataMakesNoEvent(text: String) {
    let log = Log(Log.state("h", "connected"), Log.data("h", text))
    #expect(log.lines.count == 1)
    #expect(log.errors.map(\.code) == [.notAMeshMessage])
    #expect(!log.errors.contains { !$0.isOfPeers })
  }

  @Test func aConnectedPeerKeepsItsId() {
    let log = Log(
      Log.found("h", id: "K"), Log.state("h", "connected"), Log.found("h", id: "L"), Log.vote("h", "1"))
    #expect(log.events == ["peerDiscovered K", "peerConnected K", "messageReceived K 1"])
    #expect(log.errors == [.changedIdentity(from: "K", to: "L")])
  }

  @Test func anotherIdBeforeThatIsAnotherPeer() {
    let log = Log(Log.found("h", id: "K"), Log.found("h", id: "L"))
    #expect(log.events == ["peerDiscovered K", "peerLost K", "peerDiscovered L"])
  }

  @Test func whatIsHeldIsLimited() {
    var log = Log()
    log.handle(Log.found("h", id: "K"))
    let song = String(repeating: "x", count: 100_000)
    for _ in 0..<12 { log.handle(Log.vote("h", song)) }
    #expect(log.errors.map(\.code) == [.unconnectedPeer, .unconnectedPeer])
    log.handle(Log.state("h", "connected"))
    #expect(log.lines.count == 12)
  }
}
