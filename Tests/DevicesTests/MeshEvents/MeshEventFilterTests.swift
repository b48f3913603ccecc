import JSONLines
@testable import Devices
import SyncCore
import Testing

@Suite struct MeshEventFilterTests {
  private typealias Log = MeshLog

  @Test func startsThatFail() {
    let log = Log(
      #"{"callback":"browser:didNotStartBrowsingForPeers:","error":"no \"network\"","at":"2025-06-01T10:00:00Z"}"#,
      #"{"callback":"advertiser:didNotStartAdvertisingPeer:"}"#)
    #expect(
      log.lines == [
        #"{"event":"startFailed","role":"browser","reason":"no \"network\"","at":"2025-06-01T10:00:00Z"}"#,
        #"{"event":"startFailed","role":"advertiser","reason":""}"#,
      ])
  }

  /// A string equals every spelling of its characters, but an id is bytes.
  @Test func idsThatDifferInTheirUnicodeFormAreTwoPeers() {
    let log = Log(
      #"{"event":"peerConnected","peer":{"id":"\u00e9","name":"a"}}"#,
      #"{"event":"peerConnected","peer":{"id":"e\u0301","name":"b"}}"#,
      #"{"event":"peerDisconnected","peer":{"id":"\u00e9","name":"a"}}"#)
    #expect(log.errors == [])
    #expect(
      log.lines == [
        "{\"event\":\"peerConnected\",\"peer\":{\"id\":\"\u{e9}\",\"name\":\"a\"}}",
        "{\"event\":\"peerConnected\",\"peer\":{\"id\":\"e\u{301}\",\"name\":\"b\"}}",
        "{\"event\":\"peerDisconnected\",\"peer\":{\"id\":\"\u{e9}\",\"name\":\"a\"}}",
      ])
  }

  /// Nor does a handle that is announced with another form of its id stay the same peer.
  @Test func anIDInAnotherUnicodeFormIsAnotherPeer() {
    let log = Log(
      #"{"callback":"browser:foundPeer:withDiscoveryInfo:","handle":"h","displayName":"a","discoveryInfo":{"id":"\u00e9"}}"#,
      #"{"callback":"browser:foundPeer:withDiscoveryInfo:","handle":"h","displayName":"a","discoveryInfo":{"id":"e\u0301"}}"#
    )
    #expect(log.lines.count == 3, "found, lost, and found")
  }

  @Test func whatMakesNoEvent() {
    let log = Log(
      #"{"callback":"session:didReceiveStream:withName:fromPeer:"}"#, #"{"event":"listening","port":7}"#,
      #"{"event":"peerRefused","remote":"192.0.2.1:7"}"#, #"{"event":"peerConnected","remote":"192.0.2.1:7"}"#
    )
    #expect(log.lines == [])
    #expect(log.errors == [])
  }

  @Test(arguments: [
    ("x", "unexpectedByte"), ("[]", "notAnObject"), ("{}", "missingMember"),
    (#"{"callback":"x"}"#, "unknownValue"),
    (#"{"event":"x"}"#, "unknownValue"), (#"{"callback":1}"#, "wrongType"),
    (#"{"callback":"browser:lostPeer:"}"#, "missingMember"),
    (#"{"callback":"browser:lostPeer:","handle":[]}"#, "wrongType"),
    (#"{"callback":"browser:lostPeer:","handle":"a","\u0068andle":"b"}"#, "duplicateMember"),
    (#"{"callback":"session:peer:didChangeState:","handle":"a","state":"gone"}"#, "unknownValue"),
    (#"{"callback":"session:peer:didChangeState:","handle":"a","state":3}"#, "unknownValue"),
    (#"{"callback":"session:peer:didChangeState:","handle":"a","state":2}"#, "missingMember"),
    (#"{"event":"messageReceived","from":{},"message":{}}"#, "missingMember"),
    (#"{"event":"peerLost","peer":7}"#, "wrongType"),
    (#"{"event":"peerConnected","peer":{"id":"K"}}"#, "missingMember"),
    (#"{"event":"peerDiscovered","peer":{"id":"K","displayName":7}}"#, "wrongType"),
    (#"{"event":"peerConnected","peer":{"id":"K","name":"a","name":"b"}}"#, "duplicateMember"),
    (#"{"event":"peerConnected","peer":{"id":"K","name":"a","\u006eame":"a"}}"#, "duplicateMember"),
    (#"{"event":"peerLost","peer":{"id":"K","name":"a","id":"L"}}"#, "duplicateMember"),
    (#"{"event":"peerConnected","peer":{"displayName":"a","id":"K","displayName":null}}"#, "duplicateMember"),
    (#"{"event":"peerConnected","peer":{"id":"K","name":"a","displayName":"a"}}"#, "duplicateMember"),
    (
      #"{"event":"messageReceived","from":{"id":"K","id":"L"},"message":\#(MeshLog.vote("1"))}"#,
      "duplicateMember"
    ),
  ])
  func damageOfTheLog(line: String, code: String) {
    let log = Log(line)
    #expect(log.lines == [])
    #expect(log.errors.map(\.code.rawValue) == [code])
    #expect(!log.errors.contains { $0.isOfPeers })
  }

  /// Members that are not read may be repeated.
  @Test func unknownMembersOfAPeerArePassedOver() {
    let log = Log(#"{"event":"peerConnected","peer":{"id":"K","name":"Bob","x":1,"x":2},"y":1,"y":2}"#)
    #expect(log.events == ["peerConnected K"])
    #expect(log.errors == [])
  }

  @Test func statesAsNumbersAndHandlesToo() {
    let log = Log(
      #"{"callback":"session:peer:didChangeState:","handle":4711,"displayName":"Bob","state":2}"#,
      #"{"callback":"session:peer:didChangeState:","handle":4711,"state":0}"#)
    #expect(log.lines.count == 2)
    #expect(!log.lines.contains { $0.contains("4711") })
  }

  /// Many handles, of all lengths, that begin and end alike.
  @Test func manyHandlesStayApart() {
    var log = Log()
    let handles = (0..<300).map { number in
      String(repeating: "h", count: number % 23) + "\(number)" + String(repeating: "h", count: number % 19)
    }
    for (number, handle) in handles.enumerated() { log.handle(Log.found(handle, id: "K\(number)")) }
    for handle in handles { log.handle(Log.state(handle, "connected")) }
    for handle in handles.reversed() { log.handle(Log.vote(handle, "1")) }
    #expect(log.errors == [])
    #expect(
      log.events
        == handles.indices.map { "peerDiscovered K\($0)" } + handles.indices.map { "peerConnected K\($0)" }
        + handles.indices.reversed().map { "messageReceived K\($0) 1" })
  }

  /// Handles that share a place would make each search read all of them.
  @Test func placesOfHandlesCannotBePredicted() {
    let handle = Array("0x28f1".utf8)
    let seeds: [UInt64] = [1, 2, 1 << 40, .max, UInt64(truncatingIfNeeded: 0.hashValue)]
    let places = seeds.map { MeshHandles(seed: $0).hash(handle.span, 0..<handle.count) }
    #expect(Set(places).count == seeds.count)
    #expect(MeshHandles().hash(handle.span, 0..<handle.count) == places.last)
  }

  /// The place of a member in the previous line does not determine its place in this one.
  @Test func membersStandInAnyOrder() {
    let names = ["callback", "h\\u0061ndle", "state", "displayName", "extra"]
    let values = ["session:peer:didChangeState:", "h", "connected", "Bob", "x"]
    for shift in names.indices {
      var log = Log()
      for state in ["connected", "notConnected", "connected"] {
        let members = names.indices.map { (place: Int) in
          let index = (place + shift) % names.count
          return #""\#(names[index])":"\#(index == 2 ? state : values[index])""#
        }
        log.handle("{" + members.joined(separator: ",") + "}")
        log.handle("{" + members.reversed().joined(separator: ",") + "}")
      }
      #expect(log.errors == [])
      #expect(log.events.map { $0.prefix(6) } == ["peerCo", "peerDi", "peerCo"])
    }
  }

  @Test func base64WithEscapedSlashes() {
    var log = Log()
    log.handle(Log.state("h", "connected"))
    let line = Log.data("h", #"{"intent":{"_0":{"vote":{"songID":"???>>>"}}}}"#)
    #expect(line.contains("/"))
    log.handle(line.split(separator: "/").joined(separator: "\\/"))
    #expect(log.lines.last?.contains("???>>>") == true)
  }

  /// Line breaks in a message can appear only between its tokens.
  @Test func aMessageOverSeveralLinesBecomesOne() {
    let log = Log(
      Log.state("h", "connected"),
      Log.data("h", "\n{\"intent\":\r\n{\"_0\":{\"vote\":{\"songID\":\"1\"},\"more\":\n[1]}}}\n"))
    #expect(
      log.lines.last?.contains(#""message":{"intent":{"_0":{"vote":{"songID":"1"},"more":[1]}}}}"#) == true)
  }

  @Test func aRegistryKeepsIds() {
    var first = Log()
    first.handle(Log.found("h1", id: "K1"))
    first.handle(Log.state("h2", "connected", "Eve"))
    var registry = MeshRegistry()
    let (isNew, entries, rest) = (registry.add(first.news()), registry.entries, first.news())
    #expect(isNew && rest == [])
    #expect(entries.map(\.id).first == "K1")
    // The other side begins the next session, so there is no discovery info.
    var second = Log(registry: registry)
    second.handle(Log.state("h1", "connected"))
    second.handle(Log.state("h2", "connected", "Eve has another name"))
    #expect(second.events == ["peerConnected K1", "peerConnected \(entries[1].id)"])
  }

  @Test func whatTwoSessionsLearnAtOnceIsKept() {
    var first = Log()
    first.handle(Log.found("h1", id: "K1"))
    var second = Log()
    second.handle(Log.state("h1", "connected", "Bob"))
    second.handle(Log.state("h2", "connected", "Eve"))
    let (announced, made) = (first.news(), second.news())
    for order in [[announced, made], [made, announced]] {
      var registry = MeshRegistry()
      for news in order { _ = registry.add(news) }
      #expect(registry.entries.map(\.handle) == ["h1", "h2"])
      #expect(registry.entries.first?.id == "K1")
      let isChanged = registry.add(made)
      #expect(!isChanged, "what is known already is no change")
    }
  }

  @Test func discoveryLinkAndMessagesAreOnePeer() {
    let log = Log(
      #"{"event":"peerDiscovered","peer":{"id":"K","name":"Bob"},"instance":"Bob","service":"_a._tcp"}"#,
      #"{"event":"messageReceived","from":{"id":"K"},"message":\#(Log.vote("1"))}"#,
      #"{"event":"peerConnected","peerId":"K","deviceName":"Bob","remote":"192.0.2.1:7","at":"2025-06-01T10:00:00Z"}"#,
      #"{"event":"peerConnected","peerId":"K","deviceName":"Bob","remote":"192.0.2.1:8"}"#,
      #"{"event":"peerDisconnected","peerId":"K","deviceName":"Bob","remote":"192.0.2.1:7"}"#,
      #"{"event":"peerLost","peer":{"id":"K","name":"Bob"},"instance":"Bob","service":"_a._tcp","reason":"goodbye"}"#,
      #"{"event":"peerDisconnected","peerId":"K","deviceName":"Bob","remote":"192.0.2.1:8"}"#)
    #expect(
      log.events == [
        "peerDiscovered K", "peerConnected K", "messageReceived K 1", "peerDisconnected K", "peerConnected K",
        "peerLost K", "peerDisconnected K",
      ])
    #expect(
      log.lines[1] == #"{"event":"peerConnected","peer":{"id":"K","name":"Bob"},"at":"2025-06-01T10:00:00Z"}"#
    )
    #expect(log.errors == [])
  }

  /// Names are unique on one network only; peerdiscover numbers the devices of one name.
  @Test func devicesOfOneNameAreTwoPeers() {
    func line(_ event: String, _ id: String, _ number: String) -> String {
      #"{"event":"\#(event)","peer":{"id":"\#(id)","name":"Bob"},"instance":"Bob"\#(number),"service":"_a._tcp"}"#
    }
    let second = #","number":1"#
    let log = Log(
      line("peerDiscovered", "K1", ""), line("peerDiscovered", "K2", second), line("peerUpdated", "K1", ""),
      line("peerLost", "K2", second))
    #expect(log.events == ["peerDiscovered K1", "peerDiscovered K2", "peerLost K2"])
    #expect(log.errors == [])
  }

  @Test func displayNameIsANameToo() {
    let log = Log(
      #"{"event":"messageReceived","from":{"id":"K"},"message":\#(Log.vote("1"))}"#,
      #"{"event":"peerConnected","peer":{"id":"K","displayName":"Bob"}}"#,
      #"{"event":"peerDisconnected","peer":{"id":"K"}}"#)
    #expect(log.events == ["peerConnected K", "messageReceived K 1", "peerDisconnected K"])
    #expect(log.lines.allSatisfy { $0.contains(#""name":"Bob""#) })
    #expect(log.errors == [])
  }

  /// Output can be input again, and stays the same.
  @Test func cleanEventsStayAsTheyAre() {
    let lines = [
      #"{"event":"peerDiscovered","peer":{"id":"K","name":"Bob"},"at":"2025-06-01T10:00:00Z"}"#,
      #"{"event":"peerConnected","peer":{"id":"K","name":"Bob"}}"#,
      #"{"event":"messageReceived","from":{"id":"K","name":"Bob"},"message":\#(Log.vote("1"))}"#,
      #"{"command":"vote","songID":"1"}"#, #"{"event":"peerLost","peer":{"id":"K","name":"Bob"}}"#,
      #"{"event":"peerDisconnected","peer":{"id":"K","name":"Bob"}}"#,
      #"{"event":"startFailed","role":"browser","reason":""}"#,
    ]
    var log = Log()
    for line in lines { log.handle(line) }
    #expect(log.lines == lines)
  }
}
